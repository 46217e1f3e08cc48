import Console
import Glibc
import PhaseWatch
import System

/// What ends a reaction, or goes on beside it.
extension HookRunner {
    /// Undoes what is built in; what has been undone already, or is gone, is left alone.
    ///
    /// - Returns: Whether all of it was. If not, what undoes the rest has been started.
    func undo(_ id: RunID, _ job: Job) -> Bool {
        thaw(job, because: nil)
        stopReclaim(job)
        var request = ReactionRequest(.undo)
        request.holds = owed.holds(of: job)
        if request.holds.isEmpty { return true }
        do {
            try owed.setHolds(request.holds, of: job, isEnding: true)
        } catch {
            request.isAlone = true
        }
        let plan = freezePlan(for: job, ProcessTable.current())
        let processes = (try? plan.processes()) ?? []
        request.processes = members(processes, of: ownUnit(plan, processes))
        launch(request, id, job)
        return false
    }

    /// Starts a process that undoes what killed commands held. Nobody waits for it.
    func undoAbandoned() {
        guard let record = owed.record, let records = try? HeldRecords(environment: .own),
            records.hasCommands(beside: record)
        else { return }
        var request = ReactionRequest(.undoAbandoned)
        request.display = record.display
        abandoned = try? program(request, context.inherited)
        if let abandoned { loop.watch(abandoned.exit.number) }
    }

    func reapAbandoned() {
        if let abandoned { loop.forget(abandoned.exit.number) }
        _ = abandoned?.reap()
        abandoned = nil
    }

    /// Has the kernel take back memory, beside all else: `leave` does not wait for that, but ends it.
    ///
    /// - Returns: Whether it does.
    func startReclaim(_ job: Job) -> Bool {
        let services = UserServices(.own)
        guard job.hook.builtIns.contains(.reclaim), services.lack == nil, schedule.isStillEntered(job),
            !isClosed
        else { return false }
        let plan = freezePlan(for: job, ProcessTable.current())
        guard let unit = (try? plan.processes()).flatMap({ ownUnit(plan, $0) }) else {
            if services.unitLack == nil {
                sayNotDone(job, "gives no memory back: it has no systemd unit of its own")
            }
            return false
        }
        var request = ReactionRequest(.reclaim)
        request.group = unit.path
        lastReaction -= 1
        launch(request, lastReaction, job)
        return true
    }

    func stopReclaim(_ job: Job) {
        for run in runs.all where run.job.key == job.key {
            guard case .reaction(.reclaim, _) = run.purpose, run.program.stage == .running else { continue }
            _ = runs.signal(run, at: Clock.now(), isTimeout: false)
        }
    }
}
