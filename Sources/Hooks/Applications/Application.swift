import System

/// What one application is going through.
struct Application: Sendable {
    ///     settled → asking → recording → freezing, applying → settled → undoing → settled
    enum Step: Hashable, Sendable {
        /// Nothing is under way.
        case settled
        /// The exceptions and what undoes these reactions are asked for.
        case asking(RunID, Set<BuiltIn>)
        /// What undoes the reactions is being written.
        case recording(WriteID)
        /// Processes are being stopped.
        case freezing(RunID)
        case applying(RunID)
        case undoing(RunID, [Hold])

        var run: RunID? {
            switch self {
            case .asking(let id, _), .freezing(let id), .applying(let id), .undoing(let id, _): id
            case .settled, .recording: nil
            }
        }
    }

    /// Why it is not frozen although hooks want that.
    enum Rest: Hashable, Sendable {
        /// It is wanted, spoken to, or awake for a while.
        case until(Duration, because: String, isQuiet: Bool)
        /// It answers a call that only reads.
        case glance(since: Duration)
        /// The user has thawed it. It stays thawed until its phase begins anew.
        case forbidden

        /// Whether the thaw and the next freeze are not reported.
        var isQuiet: Bool {
            switch self {
            case .until(_, _, let isQuiet): isQuiet
            case .glance: true
            case .forbidden: false
            }
        }

        /// Whether what it stops stays on disk, so that it is frozen again at once.
        var isGlance: Bool { if case .glance = self { true } else { false } }
    }

    /// The exceptions that held at the last question.
    struct Excepted: Hashable, Sendable {
        var found: [Exception?: String]
        /// The votes that they prevent. A vote that begins later is asked about anew.
        var prevented: Set<Job.Key>
        /// When to ask again.
        var retry: Retry

        /// Returns what prevents a vote; nil if nothing does.
        func text(for vote: Job) -> String? { prevented.contains(vote.key) ? found.text(for: vote) : nil }
    }

    let name: String
    /// The jobs of the hooks that want something of it.
    private(set) var votes: [Job] = []
    /// The jobs for reports: first the last ones that wanted reactions that no vote wants, then those of the votes.
    private(set) var jobs: [Job] = []
    var held = Held()
    var step = Step.settled
    var rest: Rest?
    /// When a program that it had just started first postponed the freeze; nil if none does.
    var postponed: Duration?
    var excepted: Excepted?
    /// Why reactions are refused, until a vote begins.
    var refused: [BuiltIn: String] = [:]
    /// The applications with windows of its processes, as found by questions about it. Those of what has no windows do
    /// not find it, so `HookEngine.companions(of:)` adds both ways.
    var companions: Set<String> = []
    /// Whether what is held is that of an earlier process.
    private(set) var isRestored = false
    /// The number of times that further processes were found while others were stopped.
    var rounds = 0
    /// The reactions for which the last question has found nothing to do.
    var lacking: Set<BuiltIn> = []
    /// When it is thawed again, and when its limits are undone again.
    var thaw: Retry?
    var undo: Retry?
    /// Whether the last report was of a freeze. A thaw for a moment is not reported.
    var isFreezeReported = false
    /// When it is woken.
    var wake: Duration?
    /// The calls that wait for an answer, and the time before which it is not thawed for them.
    var calls: Set<BusCall> = []
    private var nextGlance = Duration.zero

    init(_ name: String) { self.name = name }

    mutating func use(_ new: [Job]) {
        // Those that began later come last: reports and questions are about these.
        let kept = votes.compactMap { vote in new.first { $0.key == vote.key } }
        votes = kept + new.filter { vote in !kept.contains { $0.key == vote.key } }
        let wanted = Wanted(votes).builtIns
        jobs.removeAll { $0.hook.builtIns.isSubset(of: wanted) }
        jobs += votes
    }

    /// Adds what an earlier process has left.
    mutating func restore(_ holds: [Hold], _ job: Job) {
        jobs.append(job)
        held.freeze += holds.filter(\.isFreeze)
        held.limits += holds.filter { !$0.isFreeze }
        (held.isFrozen, isRestored) = (!held.freeze.isEmpty, true)
        isFreezeReported = held.isFrozen
    }

    /// Keeps what could not be thawed.
    mutating func keep(_ holds: [Hold], _ job: Job, at now: Duration) {
        if jobs.isEmpty { jobs = [job] }
        (held.freeze, held.isFrozen) = (holds, true)
        thaw = Retry(after: thaw, at: now)
    }

    /// The job of the vote that began last, or was the last one.
    var job: Job? { jobs.last }

    /// Returns the job that a report about these reactions names; for none, any.
    func job(for builtIns: Set<BuiltIn>) -> Job? {
        jobs.last { !$0.hook.builtIns.isDisjoint(with: builtIns) } ?? job
    }

    /// Refuses reactions.
    mutating func refuse(_ builtIns: some Sequence<BuiltIn>, because reason: String) {
        for builtIn in builtIns { refused[builtIn] = reason }
    }

    /// Returns the job for the reports about each of these reactions, with those that it reports.
    func jobs(for builtIns: Set<BuiltIn>) -> [(job: Job, builtIns: Set<BuiltIn>)] {
        jobs.compactMap { job in
            let own = builtIns.filter { self.job(for: [$0]) == job }
            return own.isEmpty ? nil : (job, own)
        }
    }

    /// The reactions whose holds are on disk or about to be, and that are not in force.
    var pending: Set<BuiltIn> {
        let isFrozen = held.isFrozen && rounds == 0
        return held.holds.builtIns.subtracting(held.applied.builtIns).subtracting(isFrozen ? [.freeze] : [])
    }

    /// Whether what is under way concerns one of these reactions.
    func isBusy(with builtIns: Set<BuiltIn>) -> Bool {
        switch step {
        case .settled: false
        case .asking(_, let asked): !asked.isDisjoint(with: builtIns)
        case .recording: !pending.isDisjoint(with: builtIns)
        case .freezing: builtIns.contains(.freeze)
        case .applying: !held.limits.builtIns.isDisjoint(with: builtIns)
        case .undoing(_, let holds): !holds.builtIns.isDisjoint(with: builtIns)
        }
    }

    /// The votes that no exception prevents, as far as is known.
    func effectiveVotes(at now: Duration) -> [Job] {
        guard let excepted, excepted.retry.due > now else { return votes }
        return votes.filter { excepted.text(for: $0) == nil }
    }

    /// Returns what is wanted of it, once what an earlier process has done is undone: its present state is not known.
    mutating func wanted(at now: Duration) -> Wanted {
        isRestored = isRestored && !held.holds.isEmpty
        return isRestored ? Wanted() : Wanted(effectiveVotes(at: now))
    }

    /// Whether nothing is held, and nothing under way.
    var isIdle: Bool { held == Held() && step == .settled && thaw == nil }

    /// Whether nothing is known about it that must be kept. A sign lasts longer than the freeze by hand that it ends.
    var isForgettable: Bool {
        if case .until = rest { false } else { isIdle && votes.isEmpty }
    }

    // MARK: Rests

    /// The time limit of an answer to a call, and the least time that a glance counts for.
    private static let glance = (longest: Duration.seconds(1), shortest: Duration.milliseconds(10))
    /// An application is awake for calls for a tenth of the time.
    private static let glanceShare = 9
    static let mostCalls = 256

    /// Thaws it for a while. What is not frozen, nor about to be, needs no rest.
    mutating func rest(because reason: ThawReason, at now: Duration) {
        let times = votes.filter(\.wantsFreeze).map { $0.rest(after: reason) }
        guard rest != .forbidden, !held.freeze.isEmpty || step != .settled, let time = times.max() else {
            return
        }
        rest = .until(now + time, because: reason.words, isQuiet: false)
        calls = []
    }

    /// The time for which a program that was just started postpones the freeze, and that for which all of them do.
    private static let postponement = (one: Duration.seconds(10), all: Duration.seconds(30))

    /// Whether a program that it has just started may postpone its freeze.
    func mayPostpone(at now: Duration) -> Bool { postponed.map { now < $0 + Self.postponement.all } ?? true }

    mutating func postpone(because reason: String, at now: Duration) {
        let start = postponed ?? now
        postponed = start
        let end = min(now + Self.postponement.one, start + Self.postponement.all)
        rest = .until(end, because: reason, isQuiet: false)
    }

    /// Ends a rest that is due, or begins one for a call or a wake.
    mutating func advanceRest(at now: Duration) {
        switch rest {
        case .until(let end, _, _):
            if end <= now { (rest, calls) = (nil, []) }
        case .glance(let since):
            let isLong = since + Self.glance.longest <= now
            guard calls.isEmpty || isLong else { break }
            nextGlance = now + max(now - since, Self.glance.shortest) * Self.glanceShare
            rest = nil
            if !calls.isEmpty {
                rest(because: .spokenTo("a call that it is slow to answer"), at: now)
            }
        case nil where !held.isFrozen:
            // One that arrives while the freeze waits for the record or the X server may be too late for an answer.
            if held.freeze.isEmpty { calls = [] }
        case nil:
            let wakes = wakes(at: now)
            wake = wakes.isEmpty ? nil : wake ?? wakes.map { $0.next(after: now) }.min()
            if let wake, wake <= now, let time = wakes.map(\.duration).max() {
                rest = .until(now + time, because: "awake for \(time.text)", isQuiet: true)
            } else if !calls.isEmpty && nextGlance <= now {
                rest = .glance(since: now)
            }
        case .forbidden: break
        }
    }

    /// The wakes of the hooks that freeze it; empty if a hook keeps it frozen.
    private func wakes(at now: Duration) -> [Wake] {
        let freezing = effectiveVotes(at: now).filter(\.wantsFreeze)
        let wakes = freezing.compactMap(\.hook.wake)
        return wakes.count == freezing.count ? wakes : []
    }

    /// The times at which something is due.
    var times: [Duration] {
        var times = [excepted?.retry.due, step == .settled ? undo?.due : nil]
        if held.isFrozen { times += [wake, thaw?.due] }
        switch rest {
        case .until(let end, _, _): times.append(end)
        case .glance(let since): times.append(since + Self.glance.longest)
        case nil where held.isFrozen && !calls.isEmpty: times.append(nextGlance)
        case .forbidden, nil: break
        }
        return times.compactMap(\.self)
    }
}

extension [Exception?: String] {
    /// Returns what prevents a vote; nil if nothing does.
    func text(for vote: Job) -> String? {
        let own = vote.hook.except.sorted { $0.rawValue < $1.rawValue }.lazy.compactMap { self[$0] }
        return own.first ?? (vote.wantsFreeze ? self[nil] : nil)
    }
}
