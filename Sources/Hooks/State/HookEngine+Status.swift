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
        // What a hook has done to an application may still have to be undone.
        for (name, application) in applications.all where !application.held.holds.isEmpty {
            guard let job = application.job, pairs[job.key]?.state.begun == nil else { continue }
            var row = HookStatus(
                job.hook.name, .leaving, of: (job.trigger.change.path, job.subject.application))
            explain(job, nil, describe, in: &row)
            row.since = hands[name].map { UTCTime($0.since) }
            if hands[name] == nil { row.state = .leaving }
            parts[job.hook.name, default: []].append(row)
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
        switch pair.state {
        case .checking, .abandoned: row.state = .checking
        case .running: row.state = .running
        case .recording, .entering: row.state = .entering
        case .held: row.state = isLeaving ? .leaving : .entered
        case .leaving: row.state = .leaving
        case .idle where pair.waiting == nil && !isQueued: row.state = pair.note?.state ?? .waiting
        case .idle, .voting: row.state = .waiting
        }
        row.reason = pair.note?.reason
        row.until = pair.waiting.map { calendar($0.due) }
        if let retry = retries[job.lane], retry.key == job.key { row.until = retry.due.map(calendar) }
        // A queued `leave` has not begun.
        row.since = pair.state.entry.flatMap { isLeaving ? nil : UTCTime($0.since) }
        if case .voting(let job, let since) = pair.state {
            row.since = UTCTime(since)
            explain(job, pair.note, describe, in: &row)
        }
        return row
    }

    /// Adds what is done to the application of a job.
    private func explain(
        _ job: Job, _ note: PairNote?, _ hold: (Hold, inout HookStatus) -> Void, in row: inout HookStatus
    ) {
        guard let application = applications.all[job.subject.application] else { return }
        let isHeld = !application.held.holds.isEmpty
        switch application.step {
        case .asking: row.state = isHeld ? .entered : .checking
        case .recording, .freezing, .applying: row.state = .entering
        case .undoing: row.state = .leaving
        case .settled: row.state = isHeld ? .entered : note?.state ?? .entered
        }
        if let retry = application.held.isFrozen ? application.thaw : application.undo {
            (row.state, row.until) = (.leaving, calendar(retry.due))
        }
        // Other reactions stay while the application is thawed.
        switch job.hook.builtIns.contains(.freeze) ? application.rest : nil {
        case .until(let end, let reason, _):
            (row.state, row.reason, row.until) = (.entered, reason, calendar(end))
        case .forbidden: (row.state, row.reason) = (.entered, Self.thawedByUser)
        case .glance, nil: break
        }
        if application.step == .settled, let text = application.excepted?.text(for: Vote(job: job)) {
            (row.state, row.reason) = (.excepted, text)
            row.until = application.excepted.map { calendar($0.again) }
        } else if let refusal = application.refusal, !isHeld {
            (row.state, row.reason) = (.excepted, refusal)
        } else if !isHeld && application.step == .settled && application.lacking == [.mute] {
            (row.state, row.reason) = (.ready, "it has no audible stream")
        }
        if ![.entered, .leaving].contains(row.state) { row.since = nil }
        let frozen = application.held.isFrozen ? application.held.freeze : []
        for held in frozen + application.held.limits { hold(held, &row) }
    }

    /// Returns the UTC time of a monotonic time, if the clock is not set before then.
    private func calendar(_ due: Duration) -> UTCTime { UTCTime(moment.time + (due - moment.now)) }
}

extension Pair {
    /// The job that the pair is about.
    fileprivate var job: Job? {
        switch state {
        case .checking(_, let job), .abandoned(_, let job), .running(_, let job): job
        default: state.begun ?? waiting?.job ?? note?.job
        }
    }
}
