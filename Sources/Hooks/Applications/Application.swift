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

    let name: String
    /// The jobs of the hooks that want something of it.
    private(set) var votes: [Job] = []
    /// The jobs for reports: first the last ones that wanted reactions that no vote wants, then those of the votes.
    private(set) var jobs: [Job] = []
    var held = Held()
    var step = Step.settled
    /// What keeps hooks from being followed.
    private(set) var hindrances: [Hindrance] = []
    /// The applications with windows of its processes, as found by questions about it. Those of what has no windows do
    /// not find it, so `HookEngine.companions(of:)` adds both ways.
    var companions: Set<String> = []
    /// Whether what is held is that of an earlier process.
    private(set) var isRestored = false
    /// When it is thawed again, and when its limits are undone again.
    var thaw: Retry?
    var undo: Retry?
    /// Whether the last report was of a freeze. A thaw for a moment is not reported.
    var isFreezeReported = false
    /// The calls that wait for an answer, and the time before which it is not thawed for them.
    var calls: Set<BusCall> = []
    private var nextGlance = Duration.zero

    init(_ name: String) { self.name = name }

    mutating func use(_ new: [Job]) {
        // Those that began later come last: reports and questions are about these.
        let kept = votes.compactMap { vote in new.first { $0.key == vote.key } }
        votes = kept + new.filter { vote in !kept.contains { $0.key == vote.key } }
        hindrances.removeAll { hindrance in
            guard case .exception(let key, _, _, _) = hindrance.reason else { return false }
            return !votes.contains { $0.key == key }
        }
        let wanted = Wanted(votes).builtIns
        jobs.removeAll { $0.hook.builtIns.isSubset(of: wanted) }
        jobs += votes
    }

    /// Adds what an earlier process has left.
    mutating func restore(_ holds: [Hold], _ job: Job) {
        jobs.append(job)
        for hold in holds where hold.isFreeze { held.standing.add(hold) }
        held.standing.freeze()
        held.limits += holds.filter { !$0.isFreeze }
        isRestored = true
        isFreezeReported = held.standing.isStopped
    }

    /// Keeps what could not be thawed.
    mutating func keep(_ stops: Standing.Stops, _ job: Job, at now: Duration) {
        if jobs.isEmpty { jobs = [job] }
        held.standing = .frozen(stops, wake: nil)
        thaw = Retry(after: thaw, at: now)
    }

    /// The job of the vote that began last, or was the last one.
    var job: Job? { jobs.last }

    /// Returns the job that a report about these reactions names; for none, any.
    func job(for builtIns: Set<BuiltIn>) -> Job? {
        jobs.last { !$0.hook.builtIns.isDisjoint(with: builtIns) } ?? job
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
        held.holds.builtIns.subtracting(held.applied.builtIns)
            .subtracting(held.standing.isFrozen ? [.freeze] : [])
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
        votes.filter { vote in hindrances.exception(for: vote).flatMap(\.until).map { $0 <= now } ?? true }
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
        isIdle && votes.isEmpty && !hindrances.contains { $0.has(.awake) }
    }

    // MARK: Hindrances

    mutating func hinder(_ hindrance: Hindrance) { hindrances.append(hindrance) }

    mutating func clear(by clearing: Hindrance.Clearing) { hindrances.clear(by: clearing) }

    /// Refuses reactions until another vote begins.
    mutating func refuse(_ builtIns: some Sequence<BuiltIn>, because reason: String) {
        hindrances.removeAll {
            if case .refused(let former, _) = $0.reason { builtIns.contains(former) } else { false }
        }
        for builtIn in builtIns { hinder(Hindrance(.refused(builtIn, reason))) }
    }

    /// The time limit of an answer to a call, and the least time that a glance counts for.
    private static let glance = (longest: Duration.seconds(1), shortest: Duration.milliseconds(10))
    /// An application is awake for calls for a tenth of the time.
    private static let glanceShare = 9
    static let mostCalls = 256

    /// Thaws it for a while. What is not frozen, nor about to be, needs no rest.
    mutating func rest(because reason: ThawReason, at now: Duration) {
        let times = votes.filter(\.wantsFreeze).map { $0.rest(after: reason) }
        guard !hindrances.contains(where: { $0.reason == .thawedByUser }),
            held.standing != .free || step != .settled, let time = times.max()
        else { return }
        stayAwake(until: now + time, because: reason.words)
        calls = []
    }

    /// Keeps it thawed until a time, in place of what has kept it thawed, but for a program that it has just started.
    mutating func stayAwake(until end: Duration, because words: String, isQuiet: Bool = false) {
        hindrances.removeAll { $0.has(.awake) || $0.has(.glance) || $0.reason == .thawedByUser }
        hinder(Hindrance(.awake(words, isQuiet: isQuiet), until: end))
    }

    /// The time for which a program that was just started postpones the freeze, and that for which all of them do.
    private static let postponement = (one: Duration.seconds(10), all: Duration.seconds(30))

    /// Whether a program that it has just started may postpone its freeze.
    func mayPostpone(at now: Duration) -> Bool {
        hindrances.postponed.map { now < $0 + Self.postponement.all } ?? true
    }

    mutating func postpone(for program: String, at now: Duration) {
        let start = hindrances.postponed ?? now
        endPostponement()
        let end = min(now + Self.postponement.one, start + Self.postponement.all)
        hinder(Hindrance(.newcomer(program, since: start), until: end))
    }

    /// The freeze may be postponed anew.
    mutating func endPostponement() {
        hindrances.removeAll { if case .newcomer = $0.reason { true } else { false } }
    }

    /// Ends a rest that is due, or begins one for a call or a wake.
    mutating func advanceRest(at now: Duration) {
        let isOver = hindrances.contains { $0.has(.awake) && !$0.has(.rest, at: now) }
        if isOver {
            hindrances.removeAll { $0.has(.awake) }
            calls = []
        }
        switch hindrances.first(where: { $0.has(.glance) || $0.has(.rest, at: now) })?.reason {
        case .glance(let since):
            let isLong = since + Self.glance.longest <= now
            guard calls.isEmpty || isLong else { break }
            nextGlance = now + max(now - since, Self.glance.shortest) * Self.glanceShare
            hindrances.removeAll { $0.has(.glance) }
            if !calls.isEmpty {
                rest(because: .spokenTo("a call that it is slow to answer"), at: now)
            }
        case nil where !held.standing.isStopped:
            // One that arrives while the freeze waits for the record or the X server may be too late for an answer.
            if held.standing == .free { calls = [] }
        case nil:
            let wakes = wakes(at: now)
            let next = wakes.isEmpty ? nil : held.standing.wake ?? wakes.map { $0.next(after: now) }.min()
            held.standing.wake = next
            if let next, next <= now, let time = wakes.map(\.duration).max() {
                stayAwake(until: now + time, because: "awake for \(time.text)", isQuiet: true)
            } else if !calls.isEmpty && nextGlance <= now {
                hinder(Hindrance(.glance(since: now), until: now + Self.glance.longest))
            }
        default: break
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
        var times = hindrances.map(\.until) + [step == .settled ? undo?.due : nil]
        if held.standing.isStopped {
            times += [held.standing.wake, thaw?.due, calls.isEmpty ? nil : nextGlance]
        }
        return times.compactMap(\.self)
    }
}

extension [Exception?: String] {
    /// Returns what prevents a vote, and whether its hook names that exception; nil if nothing does.
    func exception(for vote: Job) -> (words: String, isNamed: Bool)? {
        let own = vote.hook.except.sorted { $0.rawValue < $1.rawValue }.lazy.compactMap { self[$0] }
        if let words = own.first { return (words, true) }
        return vote.wantsFreeze ? self[nil].map { ($0, false) } : nil
    }
}
