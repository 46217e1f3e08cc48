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
            guard let job = it.job, commands[job.key]?.state.begun == nil else { continue }
            var row = HookStatus(job.hook.name, .leaving, of: (job.trigger.change.path, name))
            explain(job, describe, in: &row)
            row.since = hands[name].map { UTCTime($0.job.trigger.time) }
            if hands[name] == nil { row.state = .leaving }
            parts[job.hook.name, default: []].append(row)
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
            explain(job, describe, in: &row)
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
            let hook = hooks.first(where: { $0.name == key.hook }), let phases = hook.phases
        else { return row }
        let words =
            phases.sorted().map { $0 == .background ? "in the background" : $0.rawValue }
            + (hook.lastsClosed ? ["closed"] : [])
        let end = hook.followsFacts ? "no longer matches" : "is no longer \(words.joined(separator: " or "))"
        (row.state, row.reason) = (.ready, "it \(end); before that: \(reason)")
        return row
    }

    /// Adds what is done to the application of a job that votes.
    private func explain(
        _ job: Job, _ describe: (Hold, inout HookStatus) -> Void, in row: inout HookStatus
    ) {
        row.state = .waiting
        guard let application = applications[job.application] else { return }
        let isHeld = !application.held.holds.isEmpty
        let past = history.pasts[job.key]?.hindrance
        // What prevented the reaction before it was done is over.
        if isHeld, past?.state == .excepted { row.reason = nil }
        switch application.step {
        case .asking: row.state = isHeld ? .entered : .checking
        case .recording, .freezing, .applying: row.state = .entering
        case .undoing: row.state = .leaving
        case .settled: row.state = isHeld ? .entered : past?.state ?? .entered
        }
        if let retry = application.held.isFrozen ? application.thaw : application.undo {
            (row.state, row.until) = (.leaving, calendar(retry.due))
        }
        if let hindrance = hindrance(of: job), hindrance.isThawed || application.step == .settled {
            row.state = hindrance.isThawed || isHeld && application.refusal != nil ? .entered : .excepted
            (row.reason, row.until) = (hindrance.reason, hindrance.until.map(calendar))
        } else if !isHeld && application.step == .settled && application.lacking == [.mute]
            && past?.state != .failed
        {
            (row.state, row.reason) = (.ready, "it has no audible stream")
        }
        if ![.entered, .leaving].contains(row.state) { row.since = nil }
        let frozen = application.held.isFrozen ? application.held.freeze : []
        for hold in frozen + application.held.limits { describe(hold, &row) }
    }

    /// Returns the UTC time of a monotonic time, if the clock is not set before then.
    private func calendar(_ due: Duration) -> UTCTime { UTCTime(moment.time + (due - moment.now)) }
}
