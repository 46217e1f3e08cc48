import Console
import PhaseWatch
import System

/// The status of each hook.
extension HookEngine {
    /// - Parameters:
    ///   - own: Returns the row of a hook itself; nil if the hook reacts.
    ///   - describe: Adds the effects of a hold to a row.
    public func status(
        own: (Hook) -> HookStatus?, describe: (Hold, inout HookStatus) -> Void
    ) -> [HookStatus] {
        let known = Set(hooks.map(\.name))
        // Hooks that a reload has removed, and freezes by hand, have only what is still under way.
        let pasts = history.pasts.keys.filter { known.contains($0.hook) }
        let keys = Set(turns.map(\.job.key)).union(commands.keys).union(pasts)
        var parts = Dictionary(grouping: keys.compactMap { row(of: $0, describe) }, by: \.hook)
        // What a hook has done to an application may still have to be undone.
        for (name, it) in applications where !it.held.holds.isEmpty {
            let former = it.jobs(for: it.held.holds.builtIns).filter {
                commands[$0.job.key]?.state.begun == nil && $0.job.key != hands[name]?.job.key
            }
            let byHand = hands[name].map { [($0.job, $0.job.hook.builtIns)] } ?? []
            for (job, builtIns) in former + byHand {
                var row = HookStatus(job.hook.name, .leaving, of: (job.trigger.change.path, name))
                explain(job, builtIns, describe, in: &row)
                row.since = job.isByHand ? UTCTime(job.trigger.time) : nil
                if hands[name]?.job != job { row.state = .leaving }
                parts[job.hook.name, default: []].append(row)
            }
        }
        // A hook that a reload has removed may still owe a `leave`.
        let dropped = Set(parts.keys).subtracting(known).sorted()
        return
            (hooks.map { ($0.name, own($0)) } + dropped.map { ($0, nil) }).flatMap { name, own in
                var rows = (parts[name] ?? []).sorted { ($0.subject ?? "") < ($1.subject ?? "") }
                guard let own else { return rows.isEmpty ? [HookStatus(name, .ready)] : rows }
                for index in rows.indices where rows[index].state == .waiting {
                    // It keeps its turn or its vote, which does not count.
                    rows[index].state = own.state
                    (rows[index].since, rows[index].until, rows[index].reason) = (nil, nil, nil)
                }
                return [own] + rows
            }
    }

    /// Returns the row of a hook and a subject; nil if there is nothing to report.
    private func row(of key: Job.Key, _ describe: (Hold, inout HookStatus) -> Void) -> HookStatus? {
        let state = commands[key]?.state ?? .idle
        let turn = turns.first { $0.job.key == key }
        guard let job = state.job ?? turn?.job else { return formerRow(of: key) }
        let change = job.trigger.change
        var row = HookStatus(key.hook, .waiting, of: (change.path, change.application))
        row.reason = history.pasts[key]?.hindrance?.reason
        row.until = turn.flatMap { $0.due > moment.now ? calendar($0.due) : nil }
        // A `leave` that waits for its turn has not begun.
        row.since = state.entry.flatMap { isOwed(key) ? nil : UTCTime($0.since) }
        switch state {
        case .idle: break
        case .checking: row.state = .checking
        case .running: row.state = .running
        case .paired(let entry):
            switch entry.step {
            case .recording, .entering: row.state = .entering
            case .held: row.state = isOwed(key) ? .leaving : .entered
            case .leaving: row.state = .leaving
            }
        case .voting(let job, let since):
            row.since = UTCTime(since)
            explain(job, job.hook.builtIns, describe, in: &row)
        }
        return row
    }

    /// Returns the row of a hook that has nothing to do for a subject, with what prevented its last reaction.
    private func formerRow(of key: Job.Key) -> HookStatus? {
        guard let past = history.pasts[key], let (state, reason) = past.hindrance,
            let application = past.events.last?.application
        else { return nil }
        var row = HookStatus(key.hook, state, of: (past.path, application))
        row.reason = reason
        // The phase comes first: an exception may no longer apply.
        guard state == .excepted, commands[key]?.isInside != true,
            let hook = hooks.first(where: { $0.name == key.hook }), let pair = hook.pair
        else { return row }
        let words = pair.times.words.map { $0 == "background" ? "in the background" : $0 }
        let end = hook.followsFacts ? "no longer matches" : "is no longer \(words.joined(separator: " or "))"
        (row.state, row.reason) = (.ready, "it \(end); before that: \(reason)")
        return row
    }

    /// Adds what these reactions of a job do to its application.
    private func explain(
        _ job: Job, _ builtIns: Set<BuiltIn>, _ describe: (Hold, inout HookStatus) -> Void,
        in row: inout HookStatus
    ) {
        row.state = .waiting
        guard let application = applications[job.application] else { return }
        let held = application.held
        let own = held.holds.filter { builtIns.contains($0.builtIn) }
        let isHeld = !own.isEmpty
        let isSettled = !application.isBusy(with: builtIns)
        let past = history.pasts[job.key]?.hindrance
        // What prevented the reaction before it was done is over.
        if isHeld, past?.state == .excepted { row.reason = nil }
        switch application.step {
        case _ where isSettled: row.state = isHeld ? .entered : past?.state ?? .entered
        case .asking, .settled: row.state = isHeld ? .entered : .checking
        case .recording, .freezing, .applying: row.state = .entering
        case .undoing: row.state = .leaving
        }
        let surplus = held.limits.builtIns.subtracting(Wanted(application.votes).builtIns)
        let thaw = held.standing.isStopped && builtIns.contains(.freeze) ? application.thaw : nil
        if let retry = thaw ?? (surplus.isDisjoint(with: builtIns) ? nil : application.undo) {
            (row.state, row.until) = (.leaving, calendar(retry.due))
        }
        if let hindrance = hindrance(of: job), hindrance.isThawed || isSettled {
            row.state =
                hindrance.isThawed || isHeld && !application.hindrances.refused.isEmpty ? .entered : .excepted
            (row.reason, row.until) = (hindrance.words, hindrance.until.map(calendar))
        } else if row.state != .failed, !isHeld && isSettled,
            application.hindrances.idle.intersection(builtIns) == [.mute]
        {
            (row.state, row.reason) = (.ready, "it has no audible stream")
        }
        if ![.entered, .leaving].contains(row.state) { row.since = nil }
        for hold in own where !hold.isFreeze || held.standing.isStopped { describe(hold, &row) }
    }

    /// Returns the UTC time of a monotonic time, if the clock is not set before then.
    private func calendar(_ due: Duration) -> UTCTime { UTCTime(moment.time + (due - moment.now)) }
}
