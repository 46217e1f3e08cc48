import Scenes

/// A reaction to changes of phases, as its user wrote it down.
package struct Hook: Hashable, Sendable {
    /// Where it comes from.
    package enum Origin: Hashable, Sendable {
        /// A `[[hook]]` table.
        case configuration
        /// An executable in hooks.d; these run one after the other.
        case directory
    }

    package enum Reaction: Hashable, Sendable {
        case run(Program)
        /// Runs `enter` when one of the phases is entered, and then `leave` when they are left.
        case pair(while: Set<ScenePhase>, enter: Program, leave: Program)
    }

    /// No other hook has it.
    package var name: String
    package var origin = Origin.configuration
    package var condition = Condition()
    package var reaction: Reaction
    /// How long the phase must have held before the hook runs.
    package var after = Duration.zero
    /// Runs first; its exit 0 is a veto.
    package var unless: Program?
    /// How long a run may take.
    package var timeout = Duration.seconds(30)

    package init(name: String, reaction: Reaction) {
        self.name = name
        self.reaction = reaction
    }
}

/// What a hook runs.
package enum Program: Hashable, Sendable {
    /// A program and its arguments; at least one word.
    case arguments([String])
    /// A text for /bin/sh.
    case shell(String)

    package var arguments: [String] {
        switch self {
        case .arguments(let words): words
        case .shell(let text): ["/bin/sh", "-c", text]
        }
    }
}
