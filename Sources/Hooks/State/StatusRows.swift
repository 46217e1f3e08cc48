import Console
import PhaseWatch
import System

extension HookEngine {
    /// Returns the status of each hook, and of each subject that it has something to do with.
    ///
    /// - Parameter describe: Adds the effects of a hold to a row.
    public func status(_ describe: @escaping (Hold, inout HookStatus) -> Void) -> [HookStatus] {
        StatusRows(engine: self, describe: describe).all
    }
}

/// The rows of `hooks status`, from what the engine knows at one moment.
private struct StatusRows {
    let engine: HookEngine
    let describe: (Hold, inout HookStatus) -> Void

    private var commands: Commands { engine.commands }
    private var pasts: [Job.Key: HookHistory.Past] { engine.history.pasts }
    private var now: Duration { engine.moment.now }

    var all: [HookStatus] {
        let known = Set(engine.hooks.map(\.name))
        // Hooks that a reload has removed, and freezes by hand, have only what is still under way.
        let keys = Set(commands.turns.map(\.job.key)).union(commands.all.keys)
            .union(pasts.keys.filter { known.contains($0.hook) })
        let rows = keys.compactMap(row) + engine.applications.all.values.flatMap(formerRows)
        let parts = Dictionary(grouping: rows, by: \.hook)
        // A hook that a reload has removed may still owe a `leave`.
        let dropped = Set(parts.keys).subtracting(known).sorted()
        return
            (engine.hooks.map { ($0.name, engine.idleRow(of: $0)) } + dropped.map { ($0, nil) }).flatMap {
                name, own in
                var rows = (parts[name] ?? []).sorted { ($0.subject ?? "") < ($1.subject ?? "") }
                guard let own else { return rows.isEmpty ? [HookStatus(name, .ready)] : rows }
                for index in rows.indices where rows[index].state == .waiting {
                    // It keeps its turn or its vote, which does not count.
                    rows[index].state = own.state
                    rows[index].since = nil
                    rows[index].until = nil
                    rows[index].reason = nil
                }
                return [own] + rows
            }
    }

    /// Returns the row of a hook and a subject; nil if there is nothing to report.
    private func row(of key: Job.Key) -> HookStatus? {
        let state = commands[key]?.state ?? .idle
        let turn = commands.turns.first { $0.job.key == key }
        guard let job = state.job ?? turn?.job else { return pastRow(of: key) }
        var row = HookStatus(
            key.hook, .waiting, of: (job.trigger.occasion.path, job.trigger.occasion.application))
        row.reason =
            turn.map { commands.awaitsPower($0.job) } ?? false
            ? "the power supply is not known yet" : pasts[key]?.hindrance?.reason
        row.until = turn.flatMap { $0.due > now ? calendar($0.due) : nil }
        // A `leave` that waits for its turn has not begun.
        row.since = commands.isOwed(key) ? nil : state.since.map { UTCTime($0) }
        switch state {
        case .idle: break
        case .checking: row.state = .checking
        case .running: row.state = .running
        case .voting: explain(job, job.hook.builtIns, in: &row)
        case .entered(let entry):
            switch entry.step {
            case .recording, .entering: row.state = .entering
            case .held: row.state = commands.isOwed(key) ? .leaving : .entered
            case .leaving: row.state = .leaving
            }
        }
        return row
    }

    /// Returns the rows of what hooks have done to an application, and must be undone, and of a freeze by hand.
    private func formerRows(of it: Application) -> [HookStatus] {
        let former = it.votes.jobs(for: it.held.holds.builtIns).filter { job, _ in
            job.key != it.hand?.job.key && commands[job.key]?.state.vote == nil
        }
        let byHand = it.votes.counted.filter(\.isByHand).map { ($0, $0.hook.builtIns) }
        return (former + byHand).map { job, builtIns in
            var row = HookStatus(job.hook.name, .leaving, of: (job.trigger.occasion.path, it.name))
            explain(job, builtIns, in: &row)
            let isHeldByHand = job.isByHand && !it.held.standing.isFree
            row.since = isHeldByHand ? UTCTime(it.freezeTime ?? job.trigger.time) : nil
            if job.isByHand, row.until == nil, let end = it.hand?.end {
                row.until = UTCTime(engine.moment.time(sinceBoot: end))
            }
            if it.hand?.job != job { row.state = .leaving }
            return row
        }
    }

    /// Returns the row of a hook that has nothing to do for a subject, with what prevented its last reaction.
    private func pastRow(of key: Job.Key) -> HookStatus? {
        guard let past = pasts[key], let (state, reason) = past.hindrance else { return nil }
        var row = HookStatus(key.hook, state, of: (past.path, past.events.last?.application))
        row.reason = reason
        // The phase comes first: an exception may no longer apply.
        guard state == .excepted, commands[key]?.isInside != true,
            let hook = engine.hooks.first(where: { $0.name == key.hook }), let pair = hook.pair
        else { return row }
        let words = pair.times.wordsOfState
        let end =
            hook.followsFacts
            ? "no longer matches"
            : words.isEmpty ? "is over" : "is no longer \(words.joined(separator: " or "))"
        row.state = .ready
        row.reason = "it \(end); before that: \(reason)"
        return row
    }

    // MARK: Reactions

    /// Adds what these reactions of a job do to its application.
    private func explain(_ job: Job, _ builtIns: Set<BuiltIn>, in row: inout HookStatus) {
        guard let it = engine.applications[job.application] else { return }
        let own = it.held.holds.filter { builtIns.contains($0.builtIn) }
        // The vote of a suspended hook does not count, and nothing is done for it.
        if own.isEmpty, !it.votes.counted.contains(job), engine.idleRow(of: job.hook) != nil { return }
        let (state, reason, until) = progress(of: job, builtIns, it, isHeld: !own.isEmpty)
        row.state = state
        row.reason = reason
        row.until = until.map(calendar)
        if ![.entered, .leaving].contains(state) { row.since = nil }
        for hold in own where !hold.isFreeze || it.held.standing.isStopped { describe(hold, &row) }
        let isFrozen = it.held.standing.isFrozen && own.contains(where: \.isFreeze)
        if isFrozen, row.since != nil, let start = it.freezeTime { row.since = UTCTime(start) }
    }

    /// Returns the state of these reactions of a job, why, and until when: of what hinders them first, then of what is
    /// under way.
    ///
    /// - Parameter isHeld: Whether any of them is in force or imminent.
    private func progress(
        of job: Job, _ builtIns: Set<BuiltIn>, _ it: Application, isHeld: Bool
    ) -> (HookStatus.State, reason: String?, until: Duration?) {
        let isSettled = !it.isBusy(with: builtIns)
        if let hindrance = engine.applications.hindrance(of: job, at: now),
            hindrance.has(.thawed) || isSettled
        {
            let isInForce = hindrance.has(.thawed) || isHeld && !it.hindrances.refused.isEmpty
            return (isInForce ? .entered : .excepted, hindrance.words, hindrance.until)
        }
        let past = pasts[job.key]?.hindrance
        // What prevented the reactions before they were done is over.
        let reason = isHeld && past?.state == .excepted ? nil : past?.reason
        if let retry = retry(of: it, builtIns) { return (.leaving, reason, retry.due) }
        switch (it.step, isSettled, isHeld) {
        case (_, true, true): return (.entered, reason, nil)
        case (_, true, false)
        where past?.state != .failed && it.hindrances.idle.intersection(builtIns) == [.mute]:
            return (.ready, "it has no audible stream", nil)
        case (_, true, false): return (past?.state ?? .entered, reason, nil)
        case (.asking, false, _), (.settled, false, _), (.retrying, false, _):
            return (isHeld ? .entered : .checking, reason, nil)
        case (.recording, false, _), (.freezing, false, _), (.applying, false, _):
            return (.entering, reason, nil)
        case (.undoing, false, _): return (.leaving, reason, nil)
        }
    }

    /// Returns the next attempt to undo the effects of these reactions that no vote wants; nil if there are none.
    private func retry(of it: Application, _ builtIns: Set<BuiltIn>) -> Retry? {
        if case .stuck(_, let retry) = it.held.standing, builtIns.contains(.freeze) { return retry }
        let surplus = it.held.limits.builtIns.subtracting(Wanted(it.votes.counted).builtIns)
        return surplus.isDisjoint(with: builtIns) ? nil : it.step.retry
    }

    /// Returns the UTC time of a monotonic time, if the clock is not set before then.
    private func calendar(_ due: Duration) -> UTCTime { UTCTime(engine.moment.time + (due - now)) }
}
