import Console
import PhaseWatch
import System

@testable import Hooks
@testable import Scenes

/// The invariants of every sequence. The first fault is kept.
struct SequenceChecks {
    private(set) var fault: String?

    /// The times of signs that no change has resolved yet, by application.
    private var signs: [String: Duration] = [:]
    /// The time before which nothing may be frozen.
    private var sessionEnd = Duration.zero
    /// Applications that the user has thawed and that have not entered the background again.
    private var thawed: Set<String> = []
    /// Pairs whose last answer had no exception, and that have not been frozen since.
    private var asked: Set<Job.Key> = []
    private var isStopping = false
    /// Pairs of programs that must be entered, with the times at which `after` has passed.
    private var expected: [Job.Key: Duration] = [:]

    mutating func fail(_ words: @autoclosure () -> String) { if fault == nil { fault = words() } }

    mutating func restart() { self = SequenceChecks() }

    // MARK: Inputs

    mutating func note(_ input: HookInput, _ machine: SimulatedMachine, _ engine: HookEngine) {
        switch input {
        case .changes(let triggers, let names):
            for change in triggers.map(\.change) {
                for hook in engine.hooks where names?.contains(hook.name) ?? true {
                    expect(hook, change, machine.now)
                }
                if change.to.map({ $0 > .background }) ?? true { signs[change.application] = nil }
                if change.to == .background { thawed.remove(change.application) }
            }
        case .wanted(let applications, _):
            for application in applications { signs[application] = machine.now }
        case .sessionMayEnd: sessionEnd = machine.now + .seconds(60)
        case .thaw(let applications): thawed.formUnion(applications ?? Set(SimulatedMachine.applications))
        // Resuming hooks is deliberate, so it lifts thaw-all.
        case .suspend: thawed = []
        case .reload(let hooks):
            expected = expected.filter { key, _ in
                engine.hooks.first { $0.name == key.hook } == hooks.first { $0.name == key.hook }
            }
        case .recorded(_, failure: .some), .notRestored, .restored, .ended(_, .notStarted, _),
            .ended(_, .postponed, _):
            expected = [:]
        case .stop: (isStopping, expected) = (true, [:])
        case .answered(let id, let answer, let failure):
            guard let key = engine.question(id) else { return }
            if answer.exception == nil && failure == nil { asked.insert(key) } else { asked.remove(key) }
        default: break
        }
    }

    private mutating func expect(_ hook: Hook, _ change: Change, _ now: Duration) {
        guard let phases = hook.phases, hook.builtIns.isEmpty, hook.unless == nil else { return }
        let key = Job.Key(hook: hook.name, subject: change.subjectID, isPair: true)
        guard let phase = change.to, phases.contains(phase) else {
            expected[key] = nil
            return
        }
        if change.kind == .initial ? hook.condition.initial : !(change.from.map(phases.contains) ?? false) {
            expected[key] = now + hook.after
        }
    }

    // MARK: Effects

    /// Checks the start of a check, a run or an `enter`.
    mutating func start(_ job: Job, _ machine: SimulatedMachine) {
        let began = Duration.seconds(job.trigger.time.seconds)
        if machine.now < began + job.hook.after { fail("\(job.words) does not wait for 'after'") }
        if isStopping && job.part != .leave { fail("\(job.words) begins after the end") }
    }

    /// Checks the start of a part of a pair.
    mutating func begin(_ job: Job, _ machine: inout SimulatedMachine, _ engine: HookEngine) {
        let key = job.key
        let mayLeave = machine.mayLeave.remove(key) != nil
        if job.part == .enter {
            if !machine.entered.insert(key).inserted { fail("\(job.words) runs twice") }
            if !machine.disk.contains(where: { $0.key == key }) {
                fail("\(job.words) runs before it is on disk")
            }
        } else {
            if machine.entered.remove(key) == nil && !mayLeave {
                fail("\(job.words) runs twice, or without enter")
            }
            let application = job.subject.application
            if job.hook.builtIns.contains(.freeze) && machine.isFrozen(application)
                && !engine.isFreezing(application, for: key)
            {
                fail("\(job.words) runs while \(application) is frozen")
            }
        }
    }

    mutating func freeze(_ job: Job, _ hold: Hold, _ machine: SimulatedMachine) {
        let application = job.subject.application
        let owed = machine.disk.filter { $0.application == application }.flatMap(\.holds)
        if case .stopped(let processes) = hold {
            if !Set(processes).isSubset(of: owed.flatMap(\.stopped)) {
                fail("\(job.words): freezes before the disk knows")
            }
        } else if !owed.contains(hold) {
            fail("\(job.words): freezes before the disk knows")
        }
        if machine.now < sessionEnd { fail("\(application) is frozen while the session is about to end") }
        if let sign = signs[application], machine.now < sign + .seconds(10) {
            fail("\(job.words): freezes after a sign")
        }
        if thawed.contains(application) { fail("\(job.words): freezes what the user has thawed") }
        if !asked.contains(job.key) { fail("\(job.words): freezes without having asked") }
        if isStopping { fail("\(job.words): freezes after the end") }
        if machine.phases[application] != .background {
            fail("\(job.words): freezes what is in the foreground")
        }
    }

    mutating func perform(_ job: Job, _ holds: [Hold], _ machine: SimulatedMachine) {
        let owed = machine.disk.filter { $0.key == job.key }.flatMap(\.holds)
        if !Set(holds).isSubset(of: owed) { fail("\(job.words): reacts before the disk knows") }
        if isStopping { fail("\(job.words): reacts after the end") }
    }

    mutating func undo(_ job: Job, _ holds: [Hold], _ machine: SimulatedMachine) {
        for hold in holds where !machine.attempts.contains(hold) {
            fail("\(job.words): undoes \(hold) twice")
        }
    }

    mutating func thaw(_ application: String, _ holds: [Hold], _ isQuiet: Bool, _ machine: SimulatedMachine) {
        if holds.isEmpty { fail("\(application) is thawed by nothing") }
        if !isQuiet && !machine.frozenAttempts.contains(application) {
            fail("\(application) is thawed twice")
        }
    }

    // MARK: States

    /// Checks the state after each input.
    mutating func check(
        _ machine: SimulatedMachine, _ engine: HookEngine, _ tasks: [SimulatedTask], limit: Int
    ) {
        if fault != nil { return }
        var lanes: [Job.Lane: SimulatedTask] = [:]
        // Programs of an earlier process do not count towards the limit.
        let bound = limit + tasks.count { $0.isFollowed }
        for task in tasks where !task.isBeside {
            if let other = lanes.updateValue(task, forKey: task.job.lane) {
                return fail("\(task.words) and \(other.words) run in one lane")
            }
        }
        if lanes.count > bound { fail("\(lanes.count) lanes are busy") }
        for pair in engine.pairs.values {
            guard let entry = pair.state.entry, entry.freeze == .frozen else { continue }
            asked.remove(entry.job.key)
            if isStopping { fail("\(entry.job.words) is kept frozen at the end") }
            let application = entry.job.subject.application
            if let sign = signs[application], machine.now < sign + .seconds(10) {
                fail("\(entry.job.words) is kept frozen after a sign")
            }
            if thawed.contains(application) { fail("\(entry.job.words) is kept frozen after thaw-all") }
            if engine.holdings.freeze(of: application).isEmpty {
                fail("\(entry.job.words) is frozen by nothing")
            }
        }
    }

    /// Checks the state once everything has been answered.
    mutating func checkRest(_ machine: SimulatedMachine, _ engine: HookEngine, suspended: Set<String>) {
        if !engine.isIdle && engine.retries.isEmpty { fail("something waits for nothing: \(engine.unrest)") }
        for (key, due) in expected where due <= machine.now && !suspended.contains(key.hook) {
            if engine.pairs[key]?.state.entry == nil {
                fail("\(key.hook) \(key.subject.application) is not entered")
            }
        }
        var frozen: Set<String> = []
        for pair in engine.pairs.values {
            guard let entry = pair.state.entry else { continue }
            let (job, application) = (entry.job, entry.job.subject.application)
            let isInside = machine.phases[application].map { job.hook.phases?.contains($0) ?? false } ?? false
            let isKnown = engine.hooks.contains(job.hook) && !suspended.contains(job.hook.name)
            if engine.retries.isEmpty && !(isInside && isKnown && !isStopping) {
                fail("\(job.words) is not left")
            }
            guard entry.freeze == .frozen else { continue }
            frozen.insert(application)
            for hold in engine.holdings.freeze(of: application)
            where !machine.isFrozen(hold, of: application) {
                fail("\(job.words): what is called frozen runs")
            }
        }
        for application in SimulatedMachine.applications
        where machine.isFrozen(application) && !frozen.contains(application) {
            if !machine.failedThaws.contains(application) { fail("\(application) is frozen for nobody") }
        }
    }
}

extension HookEngine {
    /// Returns the pair that a question about exceptions is for.
    fileprivate func question(_ id: RunID) -> Job.Key? {
        for (key, pair) in pairs {
            switch pair.state {
            case .checking(id, _): return key
            case .reacting(let reacting, _) where reacting.id == id:
                return [.preparing, .asking].contains(reacting.step) ? key : nil
            default: continue
            }
        }
        return nil
    }

    /// Returns whether another pair keeps the application frozen or is about to freeze it.
    fileprivate func isFreezing(_ application: String, for own: Job.Key) -> Bool {
        pairs.contains { key, pair in
            guard key != own, key.subject.application == application else { return false }
            if case .reacting = pair.state { return true }
            return pair.state.entry?.freeze == .frozen
        }
    }

    /// The pairs and jobs that are not idle, in words.
    fileprivate var unrest: String {
        let states = pairs.filter { !$0.value.state.isIdle }.map { key, pair in
            "\(key.hook) \(key.subject.application) \("\(pair.state)".prefix { $0 != "(" })"
        }
        return (states.sorted() + queue.jobs.map { "\($0.words) is queued" }).joined(separator: ", ")
    }
}
