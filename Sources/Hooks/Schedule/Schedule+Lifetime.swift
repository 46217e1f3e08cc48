import PhaseWatch
import System

extension Schedule {
    /// Takes up pairs that an earlier process entered and did not leave.
    ///
    /// - Parameter parts: What of them still runs, and is waited for.
    public mutating func restore(_ jobs: [Job], running parts: [Job.Key: Job.Part] = [:], time: Timestamp) {
        for job in jobs {
            owed[job.key] = job
            if let part = parts[job.key] {
                var started = job
                started.part = part
                follow(started)
            }
            leave(job.key, on: job.trigger.abandoned(at: time))
        }
        startQueued()
    }

    /// Takes other hooks in place of the present ones. What stays the same goes on undisturbed.
    public mutating func replace(with hooks: [Hook], time: Timestamp) {
        let kept = Set(hooks)
        self.hooks = hooks
        let names = Set(hooks.filter(\.followsFacts).map(\.name))
        inside = inside.filter { names.contains($0.hook) }
        giveUp(time: time) { kept.contains($0) }
    }

    /// Takes no more changes; runs what is owed, and nothing else.
    public mutating func stop(time: Timestamp) {
        isStopping = true
        for lane in retries.keys { retries[lane]?.due = nil }
        giveUp(time: time) { _ in false }
    }

    private mutating func giveUp(time: Timestamp, unless isKept: (Hook) -> Bool) {
        waiting = waiting.filter { isKept($0.value.job.hook) }
        parked = parked.filter { isKept($0.value.job.hook) }
        queue.removeAll { $0.part != .leave && !isKept($0.hook) }
        for run in running.values where !isKept(run.job.hook) { stopCheck(run.job) }
        for (key, job) in owed where !isKept(job.hook) {
            leave(key, on: job.trigger.abandoned(at: time))
        }
        startQueued()
    }
}
