import PhaseWatch

/// A hook as the configuration or hooks.d defines it.
public struct Hook: Hashable, Sendable {
    /// Which of the two defines it.
    public enum Origin: Hashable, Sendable {
        /// A `[[hook]]` table.
        case configuration
        /// An executable in hooks.d; those run one after the other.
        case directory
    }

    public enum Reaction: Hashable, Sendable {
        case run(Program)
        /// Runs `enter` when one of the phases is entered, and then `leave` when they are left.
        case pair(while: Set<ScenePhase>, enter: Program, leave: Program)
    }

    /// No other hook has it.
    public var name: String
    public var origin = Origin.configuration
    public var condition = Condition()
    public var reaction: Reaction
    /// How long the phase must have held before the hook runs.
    public var after = Duration.zero
    /// Runs first; its exit 0 is a veto.
    public var unless: Program?
    /// How long a run may take.
    public var timeout = Duration.seconds(30)

    /// Whether it reacts when a title begins or ends to match.
    var followsTitles: Bool { !condition.criteria.title.isEmpty }

    /// Whether what it is for depends on more than phases and names.
    var followsFacts: Bool { condition.criteria.followsFacts }

    public init(name: String, reaction: Reaction) {
        self.name = name
        self.reaction = reaction
    }
}

/// What a hook runs.
public enum Program: Hashable, Sendable {
    /// A program and its arguments; at least one word.
    case arguments([SystemString])
    /// A text for /bin/sh.
    case shell(String)

    public var arguments: [SystemString] {
        switch self {
        case .arguments(let words): words
        case .shell(let text): ["/bin/sh", "-c", SystemString(text)]
        }
    }
}
