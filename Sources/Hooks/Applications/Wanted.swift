import PhaseWatch

/// What hooks want of an application: the strictest of all votes.
public struct Wanted: Hashable, Sendable {
    public var isFrozen = false
    public var isSlowed = false
    public var cap: ProcessorCap?
    public var isMuted = false

    public init() {}

    init(_ votes: [Vote]) {
        let builtIns = votes.reduce(into: Set<BuiltIn>()) { $0.formUnion($1.job.hook.builtIns) }
        isFrozen = builtIns.contains(.freeze)
        isSlowed = builtIns.contains(.slow)
        cap = votes.compactMap(\.job.hook.cap).min { $0.microseconds < $1.microseconds }
        isMuted = builtIns.contains(.mute)
    }

    var builtIns: Set<BuiltIn> {
        let wanted: [(BuiltIn, Bool)] = [
            (.freeze, isFrozen), (.slow, isSlowed), (.cap, cap != nil), (.mute, isMuted),
        ]
        return Set(wanted.filter(\.1).map(\.0))
    }

    /// Returns what is wanted of these reactions alone.
    func only(_ builtIns: Set<BuiltIn>) -> Wanted {
        var wanted = Wanted()
        wanted.isFrozen = isFrozen && builtIns.contains(.freeze)
        wanted.isSlowed = isSlowed && builtIns.contains(.slow)
        wanted.cap = builtIns.contains(.cap) ? cap : nil
        wanted.isMuted = isMuted && builtIns.contains(.mute)
        return wanted
    }
}

/// The wish of a hook, or of the user, that something is done to an application.
public struct Vote: Sendable {
    /// The job of the hook; its change names the application.
    var job: Job
    /// Whether the user has frozen the application by hand, which a sign ends.
    var isByHand = false

    var application: String { job.subject.application }
    var wantsFreeze: Bool { job.hook.builtIns.contains(.freeze) }

    /// The shortest time for which the application stays thawed after a sign, and before its exceptions are asked for
    /// again. A visible application may have the focus for a moment while a window manager gives the focus to another
    /// window.
    func rest(after reason: ThawReason?) -> Duration {
        let shortest = reason == .wanted && job.hook.isOfSeen ? Duration.seconds(1) : .seconds(10)
        return max(job.hook.after, shortest)
    }
}

/// The reason why nothing is done for a vote.
struct Hindrance: Hashable, Sendable {
    var reason: String
    /// The monotonic time at which it ends or is checked again.
    var until: Duration?
    /// Whether the hook names the exception, so that another one could freeze the application.
    var isException = false
    /// Whether the application is thawed for a while, rather than prevented from being frozen.
    var isThawed = false
}

/// What is done to an application, with the data that undoes it. All of it is on disk before it is in force.
struct Held: Hashable, Sendable {
    /// What the freeze stops.
    var freeze: [Hold] = []
    /// Whether the freeze is in force. It is lifted while the application answers a call, for example.
    var isFrozen = false
    /// The holds of all other reactions.
    var limits: [Hold] = []
    /// What the limits are set to.
    var applied = Wanted()

    var holds: [Hold] { freeze + limits }

    /// Returns the limits to set so that all wanted ones are; nil if they are. Each has a hold that undoes it.
    func change(to wanted: Wanted) -> (holds: [Hold], applied: Wanted)? {
        let new = wanted.only(limited)
        if new == applied { return nil }
        return (limits.filter { new.only([$0.builtIn]) != applied.only([$0.builtIn]) }, new)
    }

    /// Forgets the limits that are no longer held.
    mutating func forgetLimits() { applied = applied.only(limited) }

    private var limited: Set<BuiltIn> { Set(limits.map(\.builtIn)) }

    /// Adds what a freeze stops.
    mutating func add(freeze hold: Hold) {
        if case .stopped(let new) = hold, let index = freeze.firstIndex(where: { !$0.stopped.isEmpty }) {
            let former = freeze[index].stopped
            freeze[index] = .stopped(former + new.filter { !former.contains($0) })
        } else if !freeze.contains(hold) {
            freeze.append(hold)
        }
    }
}
