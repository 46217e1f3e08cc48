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
        /// It is used, spoken to, or awake for a while.
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

    /// What follows from a reason besides its words.
    struct Traits: OptionSet, Hashable, Sendable {
        let rawValue: Int

        /// The application stays thawed although hooks may freeze it.
        static let rest = Self(rawValue: 1)
        /// A thaw for this reason is reported.
        static let pause = Self(rawValue: 2)
        /// The application is thawed for a while, rather than prevented from being frozen.
        static let thawed = Self(rawValue: 4)
        /// The thaw and the next freeze are not reported.
        static let quiet = Self(rawValue: 8)
        /// `except` of the hook decides about it.
        static let exception = Self(rawValue: 16)
        /// A sign or a wake has begun it.
        static let awake = Self(rawValue: 32)
        static let glance = Self(rawValue: 64)
    }

    let reason: Reason
    /// The monotonic time at which it ends or is checked again; nil for none.
    let until: Duration?
    let words: String
    /// The order in which hindrances are reported: only the first one is.
    let rank: Int
    let clearedBy: Set<Clearing>
    let traits: Traits

    init(_ reason: Reason, until: Duration? = nil) {
        self.reason = reason
        self.until = if case .exception(_, _, _, let retry) = reason { retry.due } else { until }
        let lasting: Set<Clearing> = [.hand, .user, .phaseEnd]
        (rank, clearedBy, traits, words) =
            switch reason {
            case .refused(let builtIn, let words):
                (BuiltIn.allCases.firstIndex(of: builtIn) ?? 0, [.newVote], [], words)
            case .exception(_, let words, let isNamed, _):
                (10, [.hand, .answer], isNamed ? .exception : [], words)
            case .thawedByUser: (11, lasting, [.rest, .pause, .thawed], "thawed by the user")
            case .awake(let words, let isQuiet):
                (12, lasting, [.rest, .pause, .thawed, .awake, isQuiet ? .quiet : []], words)
            case .newcomer(let program, _):
                (13, lasting, [.rest, .pause, .exception], "it has just started \(program)")
            case .sessionMayEnd: (14, [], [.pause, .thawed], ThawReason.sessionMayEnd.words)
            case .companion(let other): (14, [], .pause, "it shares a process with '\(other)'")
            case .nothing: (15, [.newVote], [], "there is nothing to do")
            case .glance: (15, lasting, [.rest, .glance, .quiet], "it answers a call")
            }
    }

    func has(_ trait: Traits) -> Bool { traits.contains(trait) }

    /// Returns whether it has a trait and is not over.
    func has(_ trait: Traits, at now: Duration) -> Bool { has(trait) && until.map { $0 > now } ?? true }

    /// Returns whether it is a reason not to follow a vote.
    func prevents(_ vote: Job, at now: Duration) -> Bool {
        switch reason {
        case .refused(let builtIn, _): vote.hook.builtIns.contains(builtIn)
        case .exception(let key, _, _, _): vote.key == key
        // Other reactions stay while the application is thawed.
        default: vote.wantsFreeze && has(.pause, at: now)
        }
    }
}
