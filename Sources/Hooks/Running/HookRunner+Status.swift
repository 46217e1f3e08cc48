import Console
import PhaseWatch
import System

/// What became of a job without a trace in the schedule.
struct RunNote {
    let state: HookStatus.State
    let job: Job
    let reason: String
    let time = Timestamp.now()
}

/// What holds of every hook, for whoever asks.
extension HookRunner {
    /// How many notes are kept: their applications may not be there any longer.
    private static let mostNotes = 256

    /// Keeps in mind why a hook has not reacted, until it does.
    func note(_ job: Job, _ state: HookStatus.State, _ reason: String) {
        notes[job.key] = RunNote(state: state, job: job, reason: reason)
        guard notes.count > Self.mostNotes else { return }
        if let oldest = notes.min(by: { $0.value.time < $1.value.time }) { notes[oldest.key] = nil }
    }

    /// Says what was not done, and keeps it in mind.
    ///
    /// - Parameter fault: Begins with a verb.
    func sayNotDone(_ job: Job, _ fault: String) {
        tell(.failed, of: job, fault)
        context.say(RunWords.notDone(job, fault))
    }

    /// Forgets why hooks have not reacted for what is closed.
    func dropNotes(of changes: [Change]) {
        if notes.isEmpty { return }
        for change in changes where change.kind == .closed {
            notes = notes.filter { $0.key.subject != change.subjectID }
        }
    }

    /// - Parameter own: What is to be said of a hook itself; nil where it reacts.
    func status(_ own: (Hook) -> HookStatus?) -> [HookStatus] {
        let parts = Dictionary(grouping: subjects(), by: \.key.hook)
        let queued = Set(schedule.queue.jobs.map(\.key))
        // One that a reload has dropped may have something to leave.
        let dropped = Set(parts.keys).subtracting(schedule.hooks.map(\.name)).sorted()
        let rows = schedule.hooks.map { ($0.name, own($0)) } + dropped.map { ($0, nil) }
        return rows.flatMap { name, own in
            let jobs = (parts[name] ?? []).sorted { $0.trigger.change.path < $1.trigger.change.path }
            let rows = jobs.map { status(of: $0, isQueued: queued.contains($0.key)) }
            if let own { return [own] + rows }
            return rows.isEmpty ? [HookStatus(name, .ready)] : rows
        }
    }

    /// A job for each hook and what it does something for, or did not.
    private func subjects() -> [Job] {
        var jobs: [Job.Key: Job] = [:]
        func add(_ more: some Sequence<Job>) {
            for job in more where jobs[job.key] == nil { jobs[job.key] = job }
        }
        add(schedule.running.values.map(\.job))
        add(schedule.owed.values)
        add(schedule.waiting.values.map(\.job))
        add(schedule.queue.jobs)
        add(notes.values.map(\.job))
        return Array(jobs.values)
    }

    private func status(of job: Job, isQueued: Bool) -> HookStatus {
        let change = job.trigger.change
        var row = HookStatus(job.hook.name, .waiting, of: (change.path, change.application))
        var leaving = job
        leaving.part = .leave
        if let run = schedule.running[job.lane], run.job.key == job.key {
            row.state = run.isCheck ? .checking : run.job.part.state
        } else if schedule.owed[job.key] != nil {
            row.state = schedule.queue.contains(leaving) ? .leaving : .entered
        } else if schedule.waiting[job.key]?.job.exception != nil {
            row.state = .excepted
        } else if schedule.waiting[job.key] == nil && !isQueued {
            row.state = notes[job.key]?.state ?? .waiting
        }
        // It waits for its turn.
        row.since = schedule.queue.contains(leaving) ? nil : begun[job.key]
        row.reason = schedule.waiting[job.key]?.job.exception ?? notes[job.key]?.reason
        row.until = schedule.waiting[job.key].map { .of($0.due) }
        if let retry = schedule.retries[job.lane], retry.key == job.key {
            row.until = retry.due.map { .of($0) }
        }
        if let thaw = temporaryThaws[job.key] {
            row.reason = thaw.reason
            row.until = .of(thaw.end)
        }
        for hold in owed.holds(of: job) { hold.describe(in: &row, of: job) }
        return row
    }
}

extension Job.Part {
    fileprivate var state: HookStatus.State {
        switch self {
        case .run: .running
        case .enter: .entering
        case .leave: .leaving
        }
    }
}

extension Hold {
    /// Adds to a row what it holds, as far as nobody else has undone it.
    fileprivate func describe(in row: inout HookStatus, of job: Job) {
        switch self {
        case .stopped(let processes) where isInForce:
            row.reactions.append(BuiltIn.freeze.rawValue)
            row.processes = (row.processes ?? 0) + processes.count
        case .frozen(let path) where isInForce:
            let unit = ControlGroup(path: path)
            row.reactions.append(BuiltIn.freeze.rawValue)
            row.unit = unit.name
            row.processes = (row.processes ?? 0) + (unit.processes()?.count ?? 0)
        case .stopped, .frozen: break
        case .slowed(let unit, _):
            let isIdle = job.hook.builtIns.contains(.idle)
            row.reactions.append((isIdle ? BuiltIn.idle : .slow).rawValue)
            row.unit = unit
        case .muted:
            if !row.reactions.contains(BuiltIn.mute.rawValue) { row.reactions.append(BuiltIn.mute.rawValue) }
        }
    }
}
