import System

/// What keeps a reaction from being done to an application, until something clears it.
struct Hindrance: Hashable, Sendable {
    enum Reason: Hashable, Sendable {
        /// The reaction cannot be done, or must not be.
        case refused(BuiltIn, String)
        /// The last question has found nothing to do for the reaction.
        case nothing(BuiltIn)
        /// An exception holds for this vote: one that its hook names, or one that keeps any application from being frozen.
        /// It is asked for again, less and less often.
        case exception(Job.Key, String, isNamed: Bool, Retry)
        /// It has just started a program. The time is that of the first one.
        case newcomer(String, since: Duration)
        /// It is wanted, spoken to, or awake for a while.
        case awake(String, isQuiet: Bool)
        /// It answers a call that only reads. What stops it stays on disk, so that it is frozen again at once.
        case glance(since: Duration)
        case thawedByUser
        case sessionMayEnd
        /// It shares a process with this application, which must not be frozen.
        case companion(String)
    }

    /// What ends a hindrance besides its time.
    enum Clearing: Hashable, Sendable {
        /// A vote begins.
        case newVote
        /// The user freezes it by hand.
        case hand
        /// The user thaws it.
        case user
        /// The phase in which hooks freeze it is over.
        case phaseEnd
        /// The exceptions were asked for.
        case answer
    }

    let reason: Reason
    /// The monotonic time at which it ends or is checked again; nil for none.
    let until: Duration?

    init(_ reason: Reason, until: Duration? = nil) {
        self.reason = reason
        self.until = if case .exception(_, _, _, let retry) = reason { retry.due } else { until }
    }

    var clearedBy: Set<Clearing> {
        switch reason {
        case .refused, .nothing: [.newVote]
        case .exception: [.hand, .answer]
        case .newcomer, .awake, .glance, .thawedByUser: [.hand, .user, .phaseEnd]
        case .sessionMayEnd, .companion: []
        }
    }

    /// Returns whether it keeps an application thawed that hooks may freeze otherwise.
    func keepsThawed(at now: Duration) -> Bool {
        switch reason {
        case .newcomer, .awake, .glance: until.map { $0 > now } ?? true
        case .thawedByUser: true
        case .refused, .nothing, .exception, .sessionMayEnd, .companion: false
        }
    }

    /// Returns whether it is a reason not to follow a vote.
    func prevents(_ vote: Job, at now: Duration) -> Bool {
        switch reason {
        case .refused(let builtIn, _): vote.hook.builtIns.contains(builtIn)
        case .exception(let key, _, _, _): vote.key == key
        // Other reactions stay while the application is thawed.
        default: vote.wantsFreeze && isPause(at: now)
        }
    }

    /// Returns whether it is a reason for a thaw that is reported.
    func isPause(at now: Duration) -> Bool {
        switch reason {
        case .newcomer, .awake, .thawedByUser: keepsThawed(at: now)
        case .sessionMayEnd, .companion: true
        case .refused, .nothing, .exception, .glance: false
        }
    }

    /// The order in which hindrances are reported: only the first one is.
    var rank: Int {
        let count = BuiltIn.allCases.count
        return switch reason {
        case .refused(let builtIn, _): BuiltIn.allCases.firstIndex(of: builtIn) ?? 0
        case .exception: count
        case .thawedByUser: count + 1
        case .awake: count + 2
        case .newcomer: count + 3
        case .sessionMayEnd, .companion: count + 4
        case .nothing, .glance: count + 5
        }
    }

    var words: String {
        switch reason {
        case .refused(_, let words), .exception(_, let words, _, _), .awake(let words, _): words
        case .nothing: "there is nothing to do"
        case .newcomer(let program, _): "it has just started \(program)"
        case .glance: "it answers a call"
        case .thawedByUser: HookEngine.thawedByUser
        case .sessionMayEnd: ThawReason.sessionMayEnd.words
        case .companion(let other): "it shares a process with '\(other)'"
        }
    }

    /// Whether 'except' of the hook decides about it.
    var isException: Bool {
        switch reason {
        case .exception(_, _, let isNamed, _): isNamed
        case .newcomer: true
        default: false
        }
    }

    /// Whether the application is thawed for a while, rather than prevented from being frozen.
    var isThawed: Bool {
        switch reason {
        case .awake, .thawedByUser, .sessionMayEnd: true
        default: false
        }
    }

    /// Whether the thaw and the next freeze are not reported.
    var isQuiet: Bool {
        switch reason {
        case .awake(_, let isQuiet): isQuiet
        case .glance: true
        default: false
        }
    }

    var isAwake: Bool { if case .awake = reason { true } else { false } }

    var isGlance: Bool { if case .glance = reason { true } else { false } }
}

extension [Hindrance] {
    /// The one to report; nil if there is none.
    var foremost: Hindrance? { self.min { $0.rank < $1.rank } }

    mutating func clear(by clearing: Hindrance.Clearing) { removeAll { $0.clearedBy.contains(clearing) } }

    /// The hindrance that keeps it thawed; nil if none does.
    func keepingThawed(at now: Duration) -> Hindrance? { first { $0.keepsThawed(at: now) } }

    /// Returns the exception that prevents a vote; nil if none does.
    func exception(for vote: Job) -> Hindrance? {
        first { if case .exception(vote.key, _, _, _) = $0.reason { true } else { false } }
    }

    /// When the exceptions are asked for again; nil if none holds.
    var retry: Retry? {
        lazy.compactMap { if case .exception(_, _, _, let retry) = $0.reason { retry } else { nil } }.first
    }

    var refused: Set<BuiltIn> {
        Set(compactMap { if case .refused(let builtIn, _) = $0.reason { builtIn } else { nil } })
    }

    /// The reactions for which the last question has found nothing to do.
    var idle: Set<BuiltIn> {
        Set(compactMap { if case .nothing(let builtIn) = $0.reason { builtIn } else { nil } })
    }

    /// When it first started a program that postpones its freeze; nil if none does.
    var postponed: Duration? {
        lazy.compactMap { if case .newcomer(_, let since) = $0.reason { since } else { nil } }.first
    }
}
