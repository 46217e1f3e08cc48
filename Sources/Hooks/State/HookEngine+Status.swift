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
        var parts: [String: [HookStatus]] = [:]
        let queued = Set(queue.jobs.map(\.key))
        for (key, pair) in pairs {
            guard let job = pair.job ?? queue.jobs.first(where: { $0.key == key }) else { continue }
            parts[key.hook, default: []].append(
                status(of: job, pair, isQueued: queued.contains(key), describe))
        }
        for job in queue.jobs where pairs[job.key] == nil {
            parts[job.hook.name, default: []].append(
                status(of: job, Pair(number: 0), isQueued: true, describe))
        }
        // A hook that a reload has removed may still owe a `leave`.
        let dropped = Set(parts.keys).subtracting(hooks.map(\.name)).sorted()
        return
            (hooks.map { ($0.name, own($0)) } + dropped.map { ($0, nil) }).flatMap { name, own in
                let rows = (parts[name] ?? []).sorted { ($0.subject ?? "") < ($1.subject ?? "") }
                if let own { return [own] + rows }
                return rows.isEmpty ? [HookStatus(name, .ready)] : rows
            }
    }

    private func status(
        of job: Job, _ pair: Pair, isQueued: Bool, _ describe: (Hold, inout HookStatus) -> Void
    ) -> HookStatus {
        let change = job.trigger.change
        var row = HookStatus(job.hook.name, .waiting, of: (change.path, change.application))
        var leaving = job
        leaving.part = .leave
        let isLeaving = queue.contains(leaving)
        let isExcepted = pair.waiting?.job.exception != nil
        switch pair.state {
        case .checking, .abandoned: row.state = .checking
        case .running: row.state = .running
        case .recording, .entering: row.state = .entering
        case .reacting(let reacting, _) where !reacting.isAgain: row.state = .entering
        case .reacting, .held: row.state = isLeaving ? .leaving : .entered
        case .undoing, .leaving: row.state = .leaving
        case .idle where isExcepted: row.state = .excepted
        case .idle where pair.waiting == nil && !isQueued: row.state = pair.note?.state ?? .waiting
        case .idle: row.state = .waiting
        }
        row.reason = pair.waiting?.job.exception ?? pair.note?.reason
        row.until = pair.waiting.map { calendar($0.due) }
        if let retry = retries[job.lane], retry.key == job.key { row.until = retry.due.map(calendar) }
        guard let entry = pair.state.entry else { return row }
        // A queued `leave` has not begun.
        row.since = isLeaving ? nil : UTCTime(entry.since)
        if case .thawed(let end, let reason, _) = entry.freeze {
            row.reason = reason
            row.until = calendar(end)
        }
        if case .blocked = entry.freeze, !isLeaving { row.state = .excepted }
        if entry.freeze == .frozen {
            for hold in holdings.freeze(of: job.subject.application) { describe(hold, &row) }
        }
        for hold in holdings.holds(of: job.key) { describe(hold, &row) }
        return row
    }

    /// Returns the UTC time of a monotonic time, if the clock is not set before then.
    private func calendar(_ due: Duration) -> UTCTime { UTCTime(moment.time + (due - moment.now)) }
}

extension Pair {
    /// The job that the pair is about.
    fileprivate var job: Job? {
        switch state {
        case .checking(_, let job), .abandoned(_, let job), .running(_, let job): job
        default: state.entry?.job ?? waiting?.job ?? note?.job
        }
    }
}
