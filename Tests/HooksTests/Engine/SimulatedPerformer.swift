import Console
import PhaseWatch
import System
import TestDesktop

@testable import Hooks
@testable import Scenes

/// A performer of an engine's effects on a simulated machine. Each answer comes at once or later, at random.
struct SimulatedPerformer {
    var random: SeededGenerator
    var machine = SimulatedMachine()
    var engine: HookEngine
    var tasks: [SimulatedTask] = []
    /// Parts of pairs that continue after their xphase was killed.
    var orphans: [SimulatedTask] = []
    var inbox: [HookInput] = []
    var wanted: WriteID = 0
    var submitted: WriteID = 0
    var writing: [RecordedPair]?
    /// Whether steps may fail and the process may be killed.
    var isHostile = true
    /// Whether the process was killed between the effects of one input.
    var isKilled = false
    let limit: Int
    var checks = SequenceChecks()
    let isLogging: Bool
    var log: [String] = []

    mutating func chance(_ percent: Int) -> Bool { Int(random.next() % 100) < percent }

    /// Returns true with this probability if failures are enabled.
    mutating func mayFail(_ percent: Int) -> Bool { isHostile && chance(percent) }

    mutating func note(_ words: String) { if isLogging { log.append(words) } }

    /// Passes an input and all immediate answers to the engine.
    mutating func handle(_ input: HookInput) {
        inbox.append(input)
        while !inbox.isEmpty && !isKilled && checks.fault == nil {
            let input = inbox.removeFirst()
            if isLogging { note("\(machine.now): \(input.words)") }
            // The time of day is arbitrary.
            let time = Timestamp(seconds: Int(random.next() % 1_000), nanoseconds: 0)
            checks.note(input, machine, engine)
            for effect in engine.handle(input, at: Moment(now: machine.now, time: time)) {
                if isLogging { note("    \(effect.words)") }
                perform(effect)
                if let unowed = machine.unowed { checks.fail(unowed) }
                if mayFail(1) && chance(20) { isKilled = true }
                if isKilled { break }
            }
            checks.check(machine, engine, tasks, limit: limit)
            if isKilled { return }
            if inbox.isEmpty && chance(60) { submit() }
            if inbox.isEmpty && chance(50) { finishWrite() }
        }
    }

    // MARK: The disk

    mutating func submit() {
        guard writing == nil, submitted < wanted else { return }
        submitted = wanted
        writing = engine.owed
    }

    mutating func finishWrite() {
        guard let pairs = writing else { return }
        writing = nil
        let hasFailed = mayFail(15)
        // A write may report a failure after the data has reached the disk.
        if !hasFailed || chance(20) { machine.disk = pairs }
        inbox.append(.recorded(submitted, failure: hasFailed ? "disk full" : nil))
    }

    // MARK: Effects

    private mutating func perform(_ effect: HookEffect) {
        switch effect {
        case .record(let id, let jobs):
            wanted = id
            for job in jobs { inbox.append(.identified(job, [ProcessIdentity(pid: 1, startTicks: 1)])) }
        case .run(let id, let job, let isCheck, _): run(id, job, isCheck)
        case .follow(let id, let job, let process):
            orphans.removeAll { $0.process == process }
            tasks.append(SimulatedTask(id: id, kind: .part, job: job, isFollowed: true, process: process))
        case .ask(let id, let job): begin(.ask, id, job)
        case .prepare(let id, let job): begin(.prepare, id, job, machine.holds(for: job))
        case .aim(let id, let job):
            let isLate = chance(30)
            let input: HookInput =
                mayFail(8) ? .refused(id, "a terminal") : .aimed(id, machine.target(job.subject.application))
            answer(.aim, id, job, input, isLate)
        case .freeze(let id, let job, let hold):
            checks.freeze(job, hold, machine)
            answer(.freeze, id, job, .froze(id, freeze(hold, job.subject.application)), chance(30))
        case .perform(let id, let job, let holds):
            checks.perform(job, holds, machine)
            machine.attempt(holds)
            begin(.perform, id, job, holds)
        case .undo(let id, let job, let holds):
            checks.undo(job, holds, machine)
            begin(.undo, id, job, holds)
        case .thaw(let jobs, let holds, _, let isQuiet): thaw(jobs, holds, isQuiet)
        case .end(let id):
            for index in tasks.indices where tasks[index].id == id { tasks[index].isStopping = true }
        case .say: break
        }
    }

    private mutating func run(_ id: RunID, _ job: Job, _ isCheck: Bool) {
        if mayFail(6) {
            let outcome: Outcome = chance(50) ? .notStarted("missing") : .postponed("full")
            if case .notStarted = outcome, job.part == .leave, !isCheck {
                machine.entered.remove(job.key)
                machine.mayLeave.remove(job.key)
            }
            return inbox.append(.ended(id, outcome, after: .zero))
        }
        var task = SimulatedTask(id: id, kind: isCheck ? .check : .part, job: job)
        if isCheck || job.part != .leave { checks.start(job, machine) }
        if !isCheck && job.part != .run {
            checks.begin(job, &machine, engine)
            let process = machine.newProcess()
            task.process = process
            // The engine receives `started` before any other input.
            inbox.insert(.started(id, process), at: 0)
        }
        tasks.append(task)
    }

    private mutating func begin(_ kind: SimulatedTask.Kind, _ id: RunID, _ job: Job, _ holds: [Hold] = []) {
        if kind == .ask { checks.start(job, machine) }
        var task = SimulatedTask(id: id, kind: kind, job: job, holds: holds)
        if kind == .undo && holds.isEmpty { return inbox.append(.answered(id, ReactionAnswer())) }
        task.isBeside = isBeside(job)
        if [.perform, .undo].contains(kind) && chance(30) { carryOut(&task) }
        tasks.append(task)
    }

    private func isBeside(_ job: Job) -> Bool {
        if case .reacting(let reacting, _) = engine.pairs[job.key]?.state { reacting.isAgain } else { false }
    }

    private mutating func answer(
        _ kind: SimulatedTask.Kind, _ id: RunID, _ job: Job, _ input: HookInput, _ isLate: Bool
    ) {
        if !isLate { return inbox.append(input) }
        var task = SimulatedTask(id: id, kind: kind, job: job)
        (task.isBeside, task.input) = (isBeside(job), input)
        tasks.append(task)
    }

    /// Applies a reaction or its undo to the machine.
    mutating func carryOut(_ task: inout SimulatedTask) {
        if task.isDone { return }
        task.isDone = true
        if task.kind == .perform { machine.perform(task.holds) }
        if task.kind == .undo { machine.undo(task.holds) }
    }

    private mutating func freeze(_ hold: Hold, _ application: String) -> FreezeResult {
        if mayFail(8) { return .later("no messages") }
        machine.freeze(hold, of: application, count: 0)
        if mayFail(8) {
            machine.freeze(hold, of: application, count: chance(50) ? 1 : 0)
            return .failed("not permitted")
        }
        if mayFail(5) {
            if chance(50) { machine.freeze(hold, of: application) }
            return .silentServer
        }
        machine.freeze(hold, of: application)
        guard case .stopped = hold, chance(15) else { return .frozen("frozen") }
        machine.fork(application)
        return .more(machine.target(application))
    }

    private mutating func thaw(_ jobs: [Job], _ holds: [Hold], _ isQuiet: Bool) {
        guard let application = jobs.first?.subject.application else {
            return checks.fail("a thaw of nothing")
        }
        checks.thaw(application, holds, isQuiet, machine)
        if mayFail(10) {
            machine.failToThaw(application)
            // The failure directly follows the thaw.
            inbox.insert(.notThawed(application: application, holds), at: 0)
        } else {
            machine.thaw(holds, of: application)
        }
    }
}
