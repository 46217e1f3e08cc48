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
        /// The phase in which hooks freeze it is over, or the user thaws it for the rest of the phase.
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
        let lasting: Set<Clearing> = [.hand, .phaseEnd]
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
                (13, lasting, [.rest, .pause], "it has just started \(program)")
            case .sessionMayEnd: (14, [], [.pause, .thawed], ThawReason.sessionMayEnd.words)
            case .companion(let other): (14, [], .pause, "it shares a process with '\(other)'")
            case .nothing: (15, [.newVote], [], "there is nothing to do")
            }
    }

    /// Whether a program that the application has just started postpones the freeze.
    var isNewcomer: Bool { if case .newcomer = reason { true } else { false } }

    /// The words for a user whose freeze by hand it prevents.
    var refusal: String { words + (has(.exception) ? " (--except none freezes it anyway)" : "") }

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

/// What keeps hooks from being followed for one application: one list, which the next action, the log and the status read.
struct Hindrances: Hashable, Sendable {
    private(set) var all: [Hindrance] = []

    /// The time for which a program that was just started postpones the freeze, and that for which all of them do.
    private static let postponement = Duration.seconds(10)
    static let longestPostponement = Duration.seconds(30)

    mutating func add(_ hindrance: Hindrance) { all.append(hindrance) }

    mutating func clear(by clearing: Hindrance.Clearing) { all.removeAll { $0.clearedBy.contains(clearing) } }

    /// Ends what a sign or a wake has begun, once its time is over.
    mutating func endAwake(at now: Duration) {
        all.removeAll { $0.has(.awake) && !$0.has(.rest, at: now) }
    }

    /// Clears the exceptions of votes that have ended.
    mutating func keepExceptions(of votes: [Job]) {
        all.removeAll { hindrance in
            guard case .exception(let key, _, _, _) = hindrance.reason else { return false }
            return !votes.contains { $0.key == key }
        }
    }

    func contains(_ reason: Hindrance.Reason) -> Bool { all.contains { $0.reason == reason } }

    /// Returns what keeps the application thawed; nil if nothing does.
    func rest(at now: Duration) -> Hindrance? { all.first { $0.has(.rest, at: now) } }

    /// Returns the exception that prevents a vote; nil if none does.
    func exception(for vote: Job) -> Hindrance? {
        all.first { if case .exception(vote.key, _, _, _) = $0.reason { true } else { false } }
    }

    /// When the exceptions are asked for again; nil if none holds.
    var retry: Retry? {
        all.lazy.compactMap { if case .exception(_, _, _, let retry) = $0.reason { retry } else { nil } }
            .first
    }

    /// The reactions that must not be done.
    var refused: Set<BuiltIn> {
        Set(all.compactMap { if case .refused(let builtIn, _) = $0.reason { builtIn } else { nil } })
    }

    /// The reactions for which the last question has found nothing to do.
    var idle: Set<BuiltIn> {
        Set(all.compactMap { if case .nothing(let builtIn) = $0.reason { builtIn } else { nil } })
    }

    /// When it first started a program that postpones its freeze; nil if none does.
    var postponed: Duration? {
        all.lazy.compactMap { if case .newcomer(_, let since) = $0.reason { since } else { nil } }.first
    }

    /// Refuses reactions until another vote begins.
    mutating func refuse(_ builtIns: some Sequence<BuiltIn>, because reason: String) {
        all.removeAll {
            if case .refused(let former, _) = $0.reason { builtIns.contains(former) } else { false }
        }
        for builtIn in builtIns { add(Hindrance(.refused(builtIn, reason))) }
    }

    /// Keeps it thawed until a time, in place of what has kept it thawed, but for a program that it has just started.
    mutating func stayAwake(until end: Duration, because words: String, isQuiet: Bool = false) {
        all.removeAll { $0.has(.awake) || $0.reason == .thawedByUser }
        add(Hindrance(.awake(words, isQuiet: isQuiet), until: end))
    }

    /// Returns whether a program that it has just started may postpone its freeze.
    func mayPostpone(at now: Duration) -> Bool {
        postponed.map { now < $0 + Self.longestPostponement } ?? true
    }

    mutating func postpone(for program: String, at now: Duration) {
        let start = postponed ?? now
        endPostponement()
        let end = min(now + Self.postponement, start + Self.longestPostponement)
        add(Hindrance(.newcomer(program, since: start), until: end))
    }

    /// The freeze may be postponed anew.
    mutating func endPostponement() {
        all.removeAll(where: \.isNewcomer)
    }
}

extension [Hindrance] {
    /// The one to report; nil if there is none.
    var foremost: Hindrance? { self.min { $0.rank < $1.rank } }
}
