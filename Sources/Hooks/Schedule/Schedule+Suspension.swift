import PhaseWatch
import System

extension Schedule {
    /// Has hooks of these names react to nothing, and all others react again.
    ///
    /// What the former had entered is left. Phases that would enter them are remembered: one that still lasts when they
    /// react again is entered, as soon as `after` has passed since it began.
    public mutating func suspend(_ names: Set<String>, at now: Duration, time: Timestamp) {
        let new = names.subtracting(suspended)
        suspended = names
        park(new, at: now, time: time)
        for wait in parked.values where !names.contains(wait.job.hook.name) {
            parked[wait.job.key] = nil
            wantAgain(wait)
        }
        advance(at: now)
    }

    /// Ends what the hooks do, and keeps in mind what they would be entered for.
    private mutating func park(_ names: Set<String>, at now: Duration, time: Timestamp) {
        if names.isEmpty { return }
        for (job, due) in giveUpWaiting({ names.contains($0.name) }) { park(job, due: due ?? now) }
        for (key, job) in owed where names.contains(key.hook) && isStillEntered(job) {
            park(job, due: now)
            leave(key, on: job.trigger.abandoned(at: time))
        }
    }

    /// Gives up what waits, for its time, its turn or an answer, until what it is for begins anew.
    ///
    /// - Returns: What that was, and when its time would have come.
    mutating func giveUpWaiting(_ isMeant: (Hook) -> Bool) -> [(job: Job, due: Duration?)] {
        var jobs: [(job: Job, due: Duration?)] = []
        for wait in waiting.values where isMeant(wait.job.hook) {
            waiting[wait.job.key] = nil
            jobs.append((wait.job, wait.due))
        }
        queue.removeAll { job in
            guard job.part != .leave, isMeant(job.hook) else { return false }
            jobs.append((job, nil))
            return true
        }
        for run in running.values where run.isCheck && !run.isStopped && isMeant(run.job.hook) {
            jobs.append((run.job, nil))
            stopCheck(run.job)
        }
        return jobs
    }

    /// Keeps in mind that a pair would be entered, had it not been suspended.
    mutating func park(_ job: Job, due: Duration) {
        guard job.part == .enter, parked.count < bound else { return }
        lastWait += 1
        parked[job.key] = Waiting(job: job, due: due, number: lastWait)
    }
}
