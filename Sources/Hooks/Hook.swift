import PhaseWatch
import System

/// A hook that the configuration or hooks.d defines.
public struct Hook: Hashable, Sendable {
    public enum Reaction: Hashable, Sendable {
        case run(Program)
        case pair(Pair)
    }

    /// A reaction that begins when one of the phases is entered and ends when they are left.
    public struct Pair: Hashable, Sendable {
        public var phases: Set<ScenePhase>
        /// Whether the reaction also lasts while the application has no window, but a process that had one.
        public var lastsClosed = false
        /// `enter` and `leave` are set together. Both are nil only if there are built-in reactions.
        public var enter: Program?
        public var leave: Program?
        /// The reactions that are performed after `enter` and undone before `leave`.
        public var builtIns: Set<BuiltIn> = []
        /// Nothing is done while one of these exceptions holds.
        public var except: Set<Exception> = []
        /// The limit that the reaction `cap` sets.
        public var cap: ProcessorCap?

        public init(
            phases: Set<ScenePhase>, enter: Program? = nil, leave: Program? = nil,
            builtIns: Set<BuiltIn> = [], except: Set<Exception>? = nil, cap: ProcessorCap? = nil
        ) {
            (self.phases, self.enter, self.leave) = (phases, enter, leave)
            (self.builtIns, self.cap) = (builtIns, cap)
            self.except = except ?? Exception.usual(for: builtIns)
        }
    }

    /// The name of the hook, which no other hook has.
    public var name: String
    package var condition = Condition()
    public var reaction: Reaction
    /// The time that the phase must last before the hook runs.
    public var after = Duration.zero
    /// The shortest time from one run to the next. What comes in between is dropped.
    public var every: Duration?
    /// A program that runs first; its exit status 0 is a veto.
    public var unless: Program?
    /// The hook reacts only while the machine runs on this power supply.
    public var power: Power?
    /// The schedule on which frozen applications are woken.
    public var wake: Wake?
    /// The longest time that a run may take.
    public var timeout = Duration.seconds(30)

    /// Whether the hook reacts when a title begins or ceases to match.
    var followsTitles: Bool { !condition.criteria.title.isEmpty }

    /// Whether the hook needs the present state when it is loaded.
    public var needsSnapshot: Bool { condition.initial || followsFacts || condition.level == .all }

    /// Whether the condition depends on more than phases and names.
    public var followsFacts: Bool { condition.criteria.followsFacts }

    /// nil for a hook that runs at a change.
    public var pair: Pair? { if case .pair(let pair) = reaction { pair } else { nil } }

    var phases: Set<ScenePhase>? { pair?.phases }
    public var lastsClosed: Bool { pair?.lastsClosed ?? false }
    public var builtIns: Set<BuiltIn> { pair?.builtIns ?? [] }
    public var except: Set<Exception> { pair?.except ?? [] }
    public var cap: ProcessorCap? { pair?.cap }

    /// Returns the program of a part; nil for a pair of which all reactions are built in.
    public func program(of part: Job.Part) -> Program? {
        switch (reaction, part) {
        case (.run(let program), _): program
        case (.pair(let pair), .enter), (.pair(let pair), .run): pair.enter
        case (.pair(let pair), .leave): pair.leave
        }
    }

    /// Whether the hook also applies to visible applications.
    public var isOfSeen: Bool { phases?.contains(.inactive) ?? false }

    public init(name: String, reaction: Reaction) {
        self.name = name
        self.reaction = reaction
    }

    /// Returns a hook that freezes an application in every phase, at the request of the user.
    ///
    /// - Parameter except: The exceptions that prevent it; nil for the usual ones.
    public static func byHand(_ application: String, except: Set<Exception>? = nil) -> Hook {
        let pair = Pair(phases: Set(ScenePhase.allCases), builtIns: [.freeze], except: except)
        var hook = Hook(name: handPrefix + application, reaction: .pair(pair))
        (hook.condition.initial, hook.condition.chosen) = (true, application)
        return hook
    }
}

/// A command that a hook runs.
public enum Program: Hashable, Sendable {
    /// A program and its arguments; at least one word.
    case arguments([SystemString])
    /// A script for /bin/sh.
    case shell(String)

    public var arguments: [SystemString] {
        switch self {
        case .arguments(let words): words
        case .shell(let text): ["/bin/sh", "-c", SystemString(text)]
        }
    }
}

/// The power source of the machine.
public enum Power: String, CaseIterable, Codable, Hashable, Sendable {
    case battery, mains
}

/// The schedule on which a frozen application runs for a while, to receive what has arrived.
public struct Wake: Hashable, Sendable {
    public var interval: Duration
    public var duration: Duration

    /// Returns the next wake of an application that is frozen now. Wakes occur at whole multiples of the interval: the
    /// machine is woken once for all applications with the same interval.
    func next(after now: Duration) -> Duration {
        let step = interval.nanoseconds
        // An application that has just been frozen is not woken immediately.
        let past = (now + duration).nanoseconds / step
        return .nanoseconds((past + 1) * step)
    }
}
