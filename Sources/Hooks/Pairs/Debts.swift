import Loop
import PhaseWatch

/// The `leave`s that are owed, on disk before their `enter` runs.
struct Debts {
    /// nil where nothing is run either.
    private let record: PairRecord?
    private let bootID: String
    private var entries: [Job.Key: PairEntry] = [:]
    /// The disk has something else.
    private var isUnwritten = false

    init(_ record: PairRecord?) {
        self.record = record
        bootID = Boot.id() ?? ""
    }

    /// What an earlier process owes.
    ///
    /// - Throws: `FileError`.
    mutating func restore(time: Timestamp) throws(FileError) -> [Job] {
        let jobs = try (record?.read() ?? []).map { entry in
            let job = Job(entry, time: time)
            entries[job.key] = entry
            return job
        }
        return jobs
    }

    /// Notes `enter`s that are about to run.
    mutating func add(_ jobs: [(job: Job, processes: HookVariables.Processes)]) throws {
        for (job, processes) in jobs { entries[job.key] = entry(for: job, processes) }
        try write()
    }

    /// Forgets everything but the pairs of `open`.
    ///
    /// - Throws: Once, where the disk does not take it. It is tried again with the next change.
    mutating func keep(only open: [Job]) throws {
        let keys = Set(open.map(\.key))
        let hadFailed = isUnwritten
        guard isUnwritten || entries.keys.contains(where: { !keys.contains($0) }) else { return }
        entries = entries.filter { keys.contains($0.key) }
        do {
            try write()
        } catch {
            if !hadFailed { throw error }
        }
    }

    private mutating func write() throws {
        isUnwritten = true
        try record?.write(Array(entries.values))
        isUnwritten = false
    }

    /// For a `leave`: those processes of its `enter` that still live. nil for other jobs.
    func processes(for job: Job) -> HookVariables.Processes? {
        guard job.part == .leave, let entry = entries[job.key] else { return nil }
        guard entry.bootID == bootID else { return HookVariables.Processes() }
        return HookVariables.Processes(
            of: entry.processes.filter(\.isAlive).compactMap { ProcessFacts(pid: $0.pid) })
    }

    private func entry(for job: Job, _ processes: HookVariables.Processes) -> PairEntry {
        var leaving = job
        leaving.part = .leave
        return PairEntry(
            hook: job.hook.name, leave: leaving.program.arguments.map(\.description),
            timeoutMilliseconds: Int(job.hook.timeout.milliseconds), change: job.occasion.change,
            processes: processes.pids.compactMap { ProcessIdentity(pid: $0) }, bootID: bootID)
    }
}

extension Job {
    /// The `enter` that an entry tells of.
    fileprivate init(_ entry: PairEntry, time: Timestamp) {
        let leave = Program.arguments(entry.leave.map { SystemString($0) })
        let phases = Set([entry.change.to].compactMap(\.self))
        var hook = Hook(name: entry.hook, reaction: .pair(while: phases, enter: leave, leave: leave))
        hook.condition.level = entry.change.level
        hook.timeout = .milliseconds(entry.timeoutMilliseconds)
        self.init(hook: hook, part: .enter, occasion: Occasion(change: entry.change, time: time))
    }
}

extension HookVariables.Processes {
    init(of facts: [ProcessFacts]) {
        let units = Set(facts.map(\.unit))
        self.init(
            pids: facts.map(\.identity.pid), unit: units.count == 1 ? units.first.flatMap(\.self) : nil)
    }
}
