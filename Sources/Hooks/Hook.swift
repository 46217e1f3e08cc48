import PhaseWatch
import System

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
        case pair(Pair)
    }

    /// What begins when one of the phases is entered, and ends when they are left.
    public struct Pair: Hashable, Sendable {
        public var phases: Set<ScenePhase>
        /// Both, or none where something is built in.
        public var enter: Program?
        public var leave: Program?
        /// Done after `enter`, and undone before `leave`.
        public var builtIns: Set<BuiltIn> = []
        /// Nothing is done while one of these is so.
        public var except: Set<Exception> = []
        /// What `cap` sets.
        public var cap: ProcessorCap?

        public init(
            phases: Set<ScenePhase>, enter: Program? = nil, leave: Program? = nil,
            builtIns: Set<BuiltIn> = [],
            except: Set<Exception>? = nil, cap: ProcessorCap? = nil
        ) {
            self.phases = phases
            self.enter = enter
            self.leave = leave
            self.builtIns = builtIns
            self.except = except ?? Exception.usual(for: builtIns)
            self.cap = cap
        }
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
    /// It reacts only while the machine runs on this.
    public var power: Power?
    /// It reacts only while this is on.
    public var mode: Mode?
    /// What is frozen is woken so.
    public var wake: Wake?
    /// How long a run may take.
    public var timeout = Duration.seconds(30)
    /// Programs that its commands call.
    public var needs: [SystemString] = []

    /// Whether it reacts when a title begins or ends to match.
    var followsTitles: Bool { !condition.criteria.title.isEmpty }

    /// Whether what it is for depends on more than phases and names.
    public var followsFacts: Bool { condition.criteria.followsFacts }

    /// The phases of a pair; nil for a hook that runs at a change.
    var phases: Set<ScenePhase>? { if case .pair(let pair) = reaction { pair.phases } else { nil } }

    /// nil for a part of a pair that is built in.
    public func program(of part: Job.Part) -> Program? {
        switch (reaction, part) {
        case (.run(let program), _): program
        case (.pair(let pair), .enter), (.pair(let pair), .run): pair.enter
        case (.pair(let pair), .leave): pair.leave
        }
    }

    /// What is built in.
    public var builtIns: Set<BuiltIn> {
        if case .pair(let pair) = reaction { pair.builtIns } else { [] }
    }

    /// What keeps that from being done.
    public var except: Set<Exception> {
        if case .pair(let pair) = reaction { pair.except } else { [] }
    }

    /// The most that its application gets of a processor.
    public var cap: ProcessorCap? { if case .pair(let pair) = reaction { pair.cap } else { nil } }

    /// Whether it is for what can be seen, too.
    public var isOfSeen: Bool { phases?.contains(.inactive) ?? false }

    /// Whether something is asked before it runs.
    var isChecked: Bool { unless != nil || hasExceptions }

    /// Whether it freezes a process of several applications: other reactions are undone for one application only.
    var sharesProcesses: Bool {
        builtIns.contains(.freeze) && builtIns.isSubset(of: [.freeze, .reclaim])
    }

    /// Whether something may keep what is built in from being done: nothing is frozen with a menu open.
    var hasExceptions: Bool { !except.isEmpty || builtIns.contains(.freeze) }

    public init(name: String, reaction: Reaction) {
        self.name = name
        self.reaction = reaction
    }

    /// One that freezes an application in every phase, because the user asks for it.
    public static func byHand(_ application: String) -> Hook {
        let phases = Set(ScenePhase.allCases)
        var hook = Hook(
            name: "by hand: \(application)", reaction: .pair(Pair(phases: phases, builtIns: [.freeze])))
        (hook.condition.initial, hook.condition.chosen) = (true, application)
        return hook
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
