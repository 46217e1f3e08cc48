import PhaseWatch
import System

/// What one application is going through.
struct Application: Sendable {
    let name: String
    /// What hooks and the user want of it.
    var votes = Votes()
    var hand: HandFreeze?
    var held = Held()
    var step = Step.settled
    /// What keeps hooks from being followed.
    var hindrances = Hindrances()
    /// The applications with windows of its processes, as found by questions about it. Those of what has no windows do
    /// not find it, so `Applications.companions(of:)` adds both ways.
    var companions: Set<String> = []
    /// Whether what is held is that of an earlier process.
    private var isRestored = false
    /// Whether the last report was of a freeze. A thaw for a moment is not reported.
    var isFreezeReported = false
    /// When its last reported freeze was made; nil if an earlier process made it, or there was none.
    private(set) var freezeTime: Timestamp?
    /// The calls that wait for an answer, and the time before which it is not thawed for them.
    var calls: Set<BusCall> = []
    private var nextGlance = Duration.zero

    init(_ name: String) { self.name = name }

    // MARK: Votes

    /// Begins a freeze by hand, in the place of a former one. What has kept that one from it no longer counts, nor does a
    /// question with other exceptions.
    mutating func begin(_ hand: HandFreeze) {
        if let former = self.hand, former.job.hook != hand.job.hook, case .asking = step { step = .settled }
        self.hand = hand
        hindrances.clear(by: .hand)
    }

    /// Counts the votes, and reports those that change nothing.
    ///
    /// - Returns: Whether the phase in which hooks freeze it is over. It rests no longer then.
    mutating func count(_ present: [Job], _ out: inout Output) -> Bool {
        let had = votes.counted
        let (kept, begun) = votes.count(present)
        let has = votes.counted
        hindrances.keepExceptions(of: has)
        if !begun.isEmpty { hindrances.clear(by: .newVote) }
        // Its freeze is reported for the new hook, too.
        if !begun.isEmpty && !held.standing.isInForce { isFreezeReported = false }
        let inForce = held.inForce.intersection(Wanted(kept).builtIns)
        for vote in begun where !vote.isByHand {
            // A stricter cap is reported when it takes effect.
            let same = vote.hook.builtIns.intersection(inForce).subtracting([.cap])
            if !same.isEmpty { out.report(.isAlready(same), of: vote) }
        }
        let (hadFreezing, freezing) = (had.filter(\.wantsFreeze), has.filter(\.wantsFreeze))
        for job in hadFreezing where held.standing.isInForce && !freezing.isEmpty {
            if freezing.contains(where: { $0.key == job.key }) { continue }
            out.report(.staysFrozen(because: freezing), of: job)
        }
        // A sign has ended a freeze by hand, and lasts.
        return hadFreezing.contains { !$0.isByHand } && freezing.allSatisfy(\.isByHand)
    }

    /// The votes that no exception prevents, as far as is known.
    func effectiveVotes(at now: Duration) -> [Job] {
        votes.counted.filter { vote in
            hindrances.exception(for: vote).flatMap(\.until).map { $0 <= now } ?? true
        }
    }

    /// Returns what is wanted of it, once what an earlier process has done is undone: its present state is not known.
    mutating func wanted(isFreezable: Bool, at now: Duration) -> Wanted {
        isRestored = isRestored && !held.holds.isEmpty
        var wanted = isRestored ? Wanted() : Wanted(effectiveVotes(at: now))
        if !isFreezable { wanted.builtIns.remove(.freeze) }
        return wanted
    }

    // MARK: What is held

    /// Adds what an earlier process has left.
    mutating func restore(_ holds: [Hold], _ job: Job) {
        votes.addFormer(job)
        held.standing.restore(holds.filter(\.isFreeze))
        held.limits += holds.filter { !$0.isFreeze }
        isRestored = true
        isFreezeReported = held.standing.isStopped
        freezeTime = nil
    }

    /// Keeps what could not be thawed.
    mutating func keep(_ holds: [Hold], _ job: Job, _ out: inout Output) {
        if votes.last == nil { votes.addFormer(job) }
        held.standing.notThawed(holds, at: out.now)
        out.record.isChanged = true
        reportRetry([.freeze], held.standing.retry, &out)
    }

    /// The reactions whose holds are on disk or about to be, and that are not in force.
    private var pending: Set<BuiltIn> {
        held.holds.builtIns.subtracting(held.applied.builtIns)
            .subtracting(held.standing.isFrozen ? [.freeze] : [])
    }

    /// Whether what is under way concerns one of these reactions.
    func isBusy(with builtIns: Set<BuiltIn>) -> Bool {
        switch step {
        case .settled, .retrying: false
        case .asking(_, let asked): !asked.isDisjoint(with: builtIns)
        case .recording: !pending.isDisjoint(with: builtIns)
        case .freezing: builtIns.contains(.freeze)
        case .applying: !held.limits.builtIns.isDisjoint(with: builtIns)
        case .undoing(_, let holds, _): !holds.builtIns.isDisjoint(with: builtIns)
        }
    }

    /// Whether nothing is held, and nothing under way.
    var isIdle: Bool { held == Held() && step == .settled }

    /// Whether nothing is known about it that must be kept. A sign lasts longer than the freeze by hand that it ends.
    var isForgettable: Bool {
        isIdle && votes.counted.isEmpty && hand == nil && !hindrances.all.contains { $0.has(.awake) }
    }

    // MARK: Rest

    /// Whether hooks want to freeze it, and no hindrance of its own keeps it thawed.
    func isWantedFrozen(at now: Duration) -> Bool {
        hindrances.rest(at: now) == nil && !hindrances.refused.contains(.freeze)
            && effectiveVotes(at: now).contains(where: \.wantsFreeze)
    }

    /// The time limit of an answer to a call, and the least time that a glance counts for.
    private static let glance = (longest: Duration.seconds(1), shortest: Duration.milliseconds(10))
    /// An application is awake for calls for a tenth of the time.
    private static let glanceShare = 9
    private static let mostCalls = 256

    mutating func take(_ call: BusCall) { if calls.count < Self.mostCalls { calls.insert(call) } }

    /// Thaws it for a while. What is not frozen, nor about to be, needs no rest.
    mutating func rest(because reason: ThawReason, at now: Duration) {
        let times = votes.counted.filter(\.wantsFreeze).map { $0.rest(after: reason) }
        guard !hindrances.contains(.thawedByUser), !held.standing.isFree || !step.isAtRest,
            let time = times.max()
        else { return }
        hindrances.stayAwake(until: now + time, because: reason.words)
        calls = []
    }

    /// Ends a rest that is due, or begins one for a call or a wake.
    mutating func advanceRest(_ out: inout Output) {
        let now = out.now
        hindrances.endAwake(at: now)
        if hindrances.rest(at: now) != nil { return }
        switch held.standing {
        // A call that arrives while it is being frozen may be too late for an answer.
        case .ready, .partial, .stuck, .released: break
        case .free: calls = []
        case .glance(let stops, let since):
            let isLong = since + Self.glance.longest <= now
            guard calls.isEmpty || isLong else { break }
            nextGlance = now + max(now - since, Self.glance.shortest) * Self.glanceShare
            held.standing = .ready(stops)
            if !calls.isEmpty {
                rest(because: .spokenTo("a call that it is slow to answer"), at: now)
            }
        case .frozen(let stops, let wake):
            let wakes = wakes(at: now)
            let next = wakes.isEmpty ? nil : wake ?? wakes.map { $0.next(after: now) }.min()
            held.standing = .frozen(stops, wake: next)
            if let next, next <= now, let time = wakes.map(\.duration).max() {
                hindrances.stayAwake(until: now + time, because: "awake for \(time.text)", isQuiet: true)
            } else if !calls.isEmpty && nextGlance <= now && isWantedFrozen(at: now) {
                guard let job = votes.job(for: [.freeze]) else { break }
                out.request(.thaw(job, stops.holds, because: nil, isQuiet: true))
                held.standing = .glance(stops, since: now)
            }
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
        var times = hindrances.all.map(\.until) + [step.retry?.due]
        switch held.standing {
        case .frozen(_, let wake): times += [wake, calls.isEmpty ? nil : nextGlance]
        case .glance(_, let since): times.append(since + Self.glance.longest)
        case .stuck(_, let retry): times.append(retry.due)
        case .free, .ready, .partial, .released: break
        }
        return times.compactMap(\.self)
    }

    // MARK: Answers

    /// The largest number of searches for processes that were started while others were stopped.
    private static let mostRounds = 64

    /// Takes the findings about these reactions, but for what is to be held.
    ///
    /// - Returns: Whether something may be held.
    mutating func take(
        _ findings: Findings, about builtIns: Set<BuiltIn>, _ out: inout Output
    ) -> Bool {
        // It may have no windows any longer.
        if votes.counted.isEmpty { return false }
        for (builtIn, lack) in findings.lacks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for vote in votes.counted where vote.hook.builtIns.contains(builtIn) {
                out.note(.failed(lack), of: vote)
            }
            out.request(.say("hooks: \(lack)", as: .once))
        }
        report(findings.faults, findings.remarks, &out)
        var lacking = builtIns.subtracting(findings.limits.builtIns)
        // What an exception or another application prevents may be frozen later.
        let isDecided =
            findings.found.isEmpty && findings.companions.isEmpty && findings.newcomer == nil
        if findings.freeze != nil || !isDecided { lacking.remove(.freeze) }
        for builtIn in lacking.subtracting(hindrances.idle) { hindrances.add(Hindrance(.nothing(builtIn))) }
        // Without a hold, not all of them are known.
        companions = (findings.freeze == nil ? companions : []).union(findings.companions)
        if let refusal = findings.refusal {
            hindrances.refuse(BuiltIn.allCases, because: refusal)
            withhold(builtIns, because: refusal, &out)
            return false
        }
        except(findings.found, &out)
        if let newcomer = findings.newcomer {
            postpone(newcomer, &out)
        } else if !findings.found.isEmpty || hindrances.mayPostpone(at: out.now) {
            hindrances.endPostponement()
        }
        return true
    }

    /// Adds what undoes those of these reactions that are wanted, and has it recorded.
    mutating func hold(
        _ findings: Findings, about builtIns: Set<BuiltIn>, _ wanted: Set<BuiltIn>,
        _ out: inout Output
    ) {
        let count = held.holds.count
        if let freeze = findings.freeze, wanted.intersection(builtIns).contains(.freeze) {
            held.standing.add(freeze)
        }
        held.limits += findings.limits.filter { wanted.contains($0.builtIn) }
        if held.holds.count > count { record(&out) }
    }

    /// Remembers the exceptions that hold. They are asked for again later, less and less often.
    private mutating func except(_ found: [Exception?: String], _ out: inout Output) {
        let former = hindrances
        hindrances.clear(by: .answer)
        let exceptions = votes.counted.compactMap { vote in found.exception(for: vote).map { (vote, $0) } }
        guard let shortest = exceptions.map({ $0.0.rest(after: nil) }).min() else { return }
        let retry = Retry(after: former.retry, at: out.now, shortest)
        for (vote, exception) in exceptions {
            hindrances.add(
                Hindrance(.exception(vote.key, exception.words, isNamed: exception.isNamed, retry)))
            if former.exception(for: vote)?.words == exception.words { continue }
            out.report(.excepted(because: exception.words), of: vote)
        }
    }

    private mutating func postpone(_ newcomer: String, _ out: inout Output) {
        // A sign or the user has thawed it meanwhile.
        if hindrances.rest(at: out.now) != nil { return }
        let isFirst = hindrances.postponed == nil
        hindrances.postpone(for: newcomer, at: out.now)
        if isFirst, let vote = votes.job(for: [.freeze]) {
            let reason = Hindrance(.newcomer(newcomer, since: out.now)).words
            out.report(.postponed(because: reason), of: vote)
        }
    }

    private mutating func record(_ out: inout Output) {
        out.record.isChanged = true
        step = .recording(out.record.next)
    }

    /// Ends the wait for the record.
    mutating func recorded(_ failure: String?, _ out: inout Output) {
        step = .settled
        guard let failure else { return }
        withhold(pending, because: failure, isFailure: true, &out)
        hindrances.refuse(pending, because: failure)
        // What is in force is on disk by an earlier write.
        let inForce = held.inForce
        held.limits.removeAll { !inForce.contains($0.builtIn) }
        if !held.standing.isStopped { held.standing = .free }
    }

    mutating func froze(_ result: FreezeResult, _ out: inout Output) {
        switch result {
        case .frozen(let words):
            if !isFreezeReported {
                freezeTime = out.moment.time
                report([ReactionWords(.freeze, words)], &out)
            }
            held.standing.freeze()
            isFreezeReported = true
            hindrances.endPostponement()
        case .more(let hold) where held.standing.rounds < Self.mostRounds:
            held.standing.stopInPart()
            held.standing.add(hold)
            record(&out)
        case .more(let hold):
            refuse(
                "it starts processes faster than they can be stopped: \(hold.stopped.count) were stopped, and more appear",
                &out)
        case .failed(let reason): refuse(reason, &out)
        case .later(let reason):
            hindrances.stayAwake(until: out.moment + .seconds(10), because: reason)
        case .postponed(let newcomer):
            held.standing.stopInPart()
            postpone(newcomer, &out)
        case .silentServer:
            held.standing.freeze()
            isFreezeReported = true
        }
    }

    /// Gives up a freeze.
    private mutating func refuse(_ reason: String, _ out: inout Output) {
        held.standing.stopInPart()
        hindrances.refuse([.freeze], because: reason)
        report([ReactionWords(.freeze, "is not frozen: \(reason)")], [], &out)
    }

    mutating func undone(
        _ holds: [Hold], left: [Hold], after former: Retry?, _ answer: ReactionAnswer, _ out: inout Output
    ) {
        report(answer, &out)
        held.forget(holds.filter { !left.contains($0) })
        out.record.isChanged = true
        if left.isEmpty { return }
        step = .retrying(Retry(after: former, at: out.now))
        reportRetry(left.builtIns, step.retry, &out)
    }

    // MARK: Reports

    func report(_ answer: ReactionAnswer, _ out: inout Output) {
        report(answer.faults, answer.remarks, &out)
        report(answer.done, &out)
    }

    /// Reports what was done for one job each, and adds it to the history of the others that want it.
    private func report(_ done: [ReactionWords], _ out: inout Output) {
        func words(_ builtIns: Set<BuiltIn>) -> JobEvent {
            .done(done.filter { builtIns.contains($0.builtIn) }.map(\.words).joined(separator: ", "))
        }
        for (job, builtIns) in votes.jobs(for: Set(done.map(\.builtIn))) {
            out.report(words(builtIns), of: job)
            for other in effectiveVotes(at: out.now) where other != job {
                let shared = other.hook.builtIns.intersection(builtIns)
                if !shared.isEmpty { out.note(words(shared), of: other) }
            }
        }
    }

    private func report(_ faults: [ReactionWords], _ remarks: [String], _ out: inout Output) {
        for fault in faults {
            if let job = votes.job(for: [fault.builtIn]) { out.report(.failed(fault.words), of: job) }
        }
        for remark in remarks { out.request(.say("hooks: \(remark)", as: .once)) }
    }

    /// Reports for each hook which of these reactions it does not get.
    func withhold(
        _ builtIns: Set<BuiltIn>, because reason: String, isFailure: Bool = false,
        _ out: inout Output
    ) {
        for (job, builtIns) in votes.jobs(for: builtIns) {
            out.report(.withheld(builtIns, because: reason, isFailure: isFailure), of: job)
        }
    }

    /// Reports when reactions are undone again.
    private func reportRetry(_ builtIns: Set<BuiltIn>, _ retry: Retry?, _ out: inout Output) {
        guard let retry else { return }
        for (job, _) in votes.jobs(for: builtIns) { out.report(.retried(retry.delay), of: job) }
    }
}

extension [Exception?: String] {
    /// Returns what prevents a vote, and whether its hook names that exception; nil if nothing does.
    fileprivate func exception(for vote: Job) -> (words: String, isNamed: Bool)? {
        let own = vote.hook.except.sorted { $0.rawValue < $1.rawValue }.lazy.compactMap { self[$0] }
        if let words = own.first { return (words, true) }
        return vote.wantsFreeze ? self[nil].map { ($0, false) } : nil
    }
}
