import System

/// What keeps hooks from being followed for one application: one list, which the next action, the log and the status read.
struct Hindrances: Hashable, Sendable {
    private(set) var all: [Hindrance] = []

    /// The time for which a program that was just started postpones the freeze, and that for which all of them do.
    private static let postponement = (one: Duration.seconds(10), all: Duration.seconds(30))

    mutating func add(_ hindrance: Hindrance) { all.append(hindrance) }

    mutating func clear(by clearing: Hindrance.Clearing) { all.removeAll { $0.clearedBy.contains(clearing) } }

    mutating func clear(_ trait: Hindrance.Traits) { all.removeAll { $0.has(trait) } }

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
        all.removeAll { $0.has(.awake) || $0.has(.glance) || $0.reason == .thawedByUser }
        add(Hindrance(.awake(words, isQuiet: isQuiet), until: end))
    }

    /// Returns whether a program that it has just started may postpone its freeze.
    func mayPostpone(at now: Duration) -> Bool {
        postponed.map { now < $0 + Self.postponement.all } ?? true
    }

    mutating func postpone(for program: String, at now: Duration) {
        let start = postponed ?? now
        endPostponement()
        let end = min(now + Self.postponement.one, start + Self.postponement.all)
        add(Hindrance(.newcomer(program, since: start), until: end))
    }

    /// The freeze may be postponed anew.
    mutating func endPostponement() {
        all.removeAll { if case .newcomer = $0.reason { true } else { false } }
    }
}

extension [Hindrance] {
    /// The one to report; nil if there is none.
    var foremost: Hindrance? { self.min { $0.rank < $1.rank } }
}
