import Console
import System

@testable import Hooks

/// The ends of programs and questions.
extension SimulatedPerformer {
    /// Ends a random task, if there is one.
    mutating func finishTask() {
        if tasks.isEmpty { return }
        let task = tasks.remove(at: Int(random.next() % UInt64(tasks.count)))
        finish(task)
    }

    private mutating func finish(_ task: SimulatedTask) {
        var task = task
        switch task.kind {
        case .check, .part: handle(.ended(task.id, outcome(of: task), after: .zero))
        case .aim, .freeze: if let input = task.input { handle(input) }
        case .ask: handle(.answered(task.id, answer(to: task), failure: failure(8)))
        case .prepare:
            if mayFail(6) { return handle(.refused(task.id, "a terminal")) }
            let failure = failure(8)
            var answer = failure == nil ? answer(to: task) : ReactionAnswer()
            if failure == nil && answer.exception == nil {
                answer.holds = task.holds
                machine.attempt(task.holds)
            }
            handle(.answered(task.id, answer, failure: failure))
        case .perform:
            let failure = failure(10)
            if failure == nil || chance(50) { carryOut(&task) }
            var answer = ReactionAnswer()
            if failure == nil { answer.done = ["slowed"] }
            handle(.answered(task.id, answer, failure: failure))
        case .undo:
            let failure = failure(15)
            if failure == nil || chance(50) { carryOut(&task) }
            if failure == nil { machine.forgetAttempts(task.holds) }
            handle(.answered(task.id, ReactionAnswer(), failure: failure))
        }
    }

    private mutating func failure(_ percent: Int) -> String? { mayFail(percent) ? "no answer" : nil }

    private mutating func answer(to task: SimulatedTask) -> ReactionAnswer {
        var answer = ReactionAnswer()
        if mayFail(20) { answer.exception = "it plays" }
        return answer
    }

    private mutating func outcome(of task: SimulatedTask) -> Outcome {
        if task.isStopping && chance(70) { return .stopped }
        if task.kind == .check { return mayFail(20) ? .exited(0) : .exited(1) }
        if mayFail(20) { return chance(50) ? .exited(1) : chance(50) ? .timedOut : .killed(signal: 15) }
        return .exited(0)
    }

    /// Kills the process and starts a new one with these hooks.
    mutating func crash(hooks: [Hook]) {
        note("crash")
        for var task in tasks {
            switch task.kind {
            case .part where task.process != nil && chance(50): orphans.append(task)
            case .perform, .undo: if chance(50) { carryOut(&task) }
            default: break
            }
        }
        if chance(50), let pairs = writing { machine.disk = pairs }
        if chance(30) { orphans = [] }
        (tasks, inbox, writing, wanted, submitted, isKilled) = ([], [], nil, 0, 0, false)
        machine.crash()
        checks.restart()
        engine = HookEngine(hooks: hooks, isRecorded: true, limit: limit)
    }

    /// Passes the record of an earlier process to the engine.
    mutating func restore() {
        handle(
            .restored(
                machine.disk.map { pair in
                    RestoredPair(
                        pair, isRunning: orphans.contains { $0.process == pair.started?.process })
                }))
    }
}
