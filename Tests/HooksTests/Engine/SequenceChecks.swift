import Console
import PhaseWatch
import System

@testable import Hooks
@testable import Scenes

/// The invariants of every sequence. The first fault is kept.
struct SequenceChecks {
    private(set) var fault: String?

    /// The times until which signs for what was frozen, or about to be, keep it thawed in the same phase.
    private var signs: [String: Duration] = [:]
    /// The applications that hooks want to freeze, and the votes that exceptions prevented.
    private var freezing: Set<String> = []
    private var prevented: [String: Set<Job.Key>] = [:]
    /// The phases of everything as one, as hooks of the level `all` know them.
    private var phases: [String: ScenePhase] = [:]
    /// The time before which nothing may be frozen.
    private var sessionEnd = Duration.zero
    /// Applications that the user has thawed and that have not entered the background again.
    private var thawed: Set<String> = []
    /// Applications that the user has frozen by hand.
    private var byHand: Set<String> = []
    private var suspended: Set<String> = []
    private var isStopping = false
    /// Pairs of programs that must be entered, with the times at which `after` has passed.
    private var expected: [Job.Key: Duration] = [:]

    mutating func fail(_ words: @autoclosure () -> String) { if fault == nil { fault = words() } }

    // MARK: Inputs

    mutating func note(_ input: HookInput, _ machine: SimulatedMachine, _ engine: HookEngine) {
        switch input {
        case .changes(let triggers, let names):
            for change in triggers.compactMap(\.change) {
                for hook in engine.hooks where names?.contains(hook.name) ?? true {
                    expect(hook, change, machine)
                    if hook.builtIns.contains(.freeze) && begins(hook, change, machine) {
                        thawed.remove(change.application)
                    }
                }
            }
            for hook in engine.hooks where hook.condition.level == .all && names?.contains(hook.name) ?? true
            {
                expectAll(hook, triggers, machine)
            }
            for hook in engine.hooks where !hook.condition.session.isEmpty {
                expect(hook, triggers, machine, engine)
            }
        case .sign(let applications, let reason):
            for application in applications {
                guard let state = engine.applications[application],
                    state.held.standing.isStopped || !state.step.isAtRest
                else { continue }
                if reason == .used && byHand.contains(application) { continue }
                let votes = engine.votes.filter { $0.application == application && $0.wantsFreeze }
                let times = votes.map { vote in
                    max(vote.hook.after, .seconds(reason == .used && vote.hook.isOfSeen ? 1 : 10))
                }
                if let time = times.max() {
                    signs[application] = max(signs[application] ?? .zero, machine.now + time)
                }
            }
            if reason != .used { byHand.subtract(applications) }
        case .sessionMayEnd: sessionEnd = machine.now + .seconds(60)
        case .thaw(let applications):
            let names = applications ?? Set(SimulatedMachine.applications)
            thawed.formUnion(names)
            byHand.subtract(names)
        case .freeze(let trigger, _, _):
            guard let name = trigger.change?.application else { break }
            byHand.insert(name)
            thawed.remove(name)
            signs[name] = nil
        // What the user does to hooks is deliberate, so it lifts a thaw.
        case .pauses(let pauses):
            thawed = []
            suspended = Set(engine.hooks.map(\.name).filter { pauses[$0] != nil })
        case .reload(let hooks):
            thawed = []
            suspended.formIntersection(hooks.map(\.name))
            phases = phases.filter { name, _ in
                engine.hooks.first { $0.name == name } == hooks.first { $0.name == name }
            }
            expected = expected.filter { key, _ in
                engine.hooks.first { $0.name == key.hook } == hooks.first { $0.name == key.hook }
            }
        case .recorded(_, failure: .some), .notRestored, .restored, .ended(_, .notStarted, _),
            .ended(_, .postponed, _):
            expected = [:]
        case .stop: (isStopping, expected) = (true, [:])
        case .asked(let id, let findings) where !findings.found.isEmpty:
            guard let name = engine.applications.all.first(where: { $0.value.step.run == id })?.key else {
                break
            }
            prevented[name] = Set(engine.votes.filter { $0.application == name }.map(\.key))
        default: break
        }
    }

    /// Whether a pair lasts once an application has changed so.
    private func isInside(_ hook: Hook, _ change: Change, _ machine: SimulatedMachine) -> Bool {
        guard let phase = change.to else {
            return hook.lastsClosed && machine.survivors[change.application] != nil
        }
        return hook.phases?.contains(phase) == true
    }

    private func begins(_ hook: Hook, _ change: Change, _ machine: SimulatedMachine) -> Bool {
        let wasInside = change.from.map { hook.phases?.contains($0) == true } ?? false
        return isInside(hook, change, machine) && !wasInside
    }

    /// Whether `enter` of a pair must run once its time has come.
    private func isExpectable(_ hook: Hook) -> Bool {
        hook.phases != nil && hook.builtIns.isEmpty && hook.unless == nil
    }

    private mutating func expect(_ hook: Hook, _ change: Change, _ machine: SimulatedMachine) {
        guard isExpectable(hook), hook.condition.level != .all else { return }
        let key = Job.Key(hook, change.subjectID)
        if !isInside(hook, change, machine) {
            expected[key] = nil
        } else if change.kind == .initial ? hook.condition.initial : begins(hook, change, machine) {
            expected[key] = machine.now + hook.after
        }
    }

    /// Expects an entry for everything as one.
    private mutating func expectAll(
        _ hook: Hook, _ triggers: [HookTrigger], _ machine: SimulatedMachine
    ) {
        let (former, phase) = (phases[hook.name], machine.phases.values.max())
        phases[hook.name] = phase
        guard isExpectable(hook), !isStopping, former != phase else { return }
        let key = Job.Key(hook, Job.Key.whole)
        let wasInside = former.map { hook.phases?.contains($0) == true } ?? false
        let isFound = former == nil && triggers.compactMap(\.change).last?.kind == .initial
        if !machine.isInside(hook, Job.Key.whole) {
            expected[key] = nil
        } else if !wasInside && (!isFound || hook.condition.initial) {
            expected[key] = machine.now + hook.after
        }
    }

    /// Expects an entry for a state of the session.
    private mutating func expect(
        _ hook: Hook, _ triggers: [HookTrigger], _ machine: SimulatedMachine, _ engine: HookEngine
    ) {
        guard isExpectable(hook), !isStopping else { return }
        let key = Job.Key(hook, Job.Key.whole)
        if !machine.isInside(hook, Job.Key.whole) {
            expected[key] = nil
        } else if engine.whole.states.keys.allSatisfy({ !hook.condition.session.contains($0) }),
            hook.condition.initial || !triggers.contains(where: \.isFound)
        {
            expected[key] = machine.now + hook.after
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
    mutating func begin(_ job: Job, _ machine: inout SimulatedMachine) {
        let key = job.key
        let mayLeave = machine.mayLeave.remove(key) != nil
        if job.part == .enter {
            if !machine.entered.insert(key).inserted { fail("\(job.words) runs twice") }
            if !machine.disk.contains(where: { $0.key == key }) {
                fail("\(job.words) runs before it is on disk")
            }
        } else if machine.entered.remove(key) == nil && !mayLeave {
            fail("\(job.words) runs twice, or without enter")
        }
    }

    /// Checks the start of a reaction.
    mutating func perform(_ job: Job, _ holds: [Hold], _ machine: SimulatedMachine) {
        if !holds.allSatisfy({ machine.isOwed($0, of: job.subject.application) }) {
            fail("\(job.words): reacts before the disk knows")
        }
        if isStopping { fail("\(job.words): reacts after the end") }
    }

    mutating func freeze(_ job: Job, _ holds: [Hold], _ machine: SimulatedMachine, _ engine: HookEngine) {
        perform(job, holds, machine)
        let application = job.subject.application
        if machine.now < sessionEnd { fail("\(job.words): freezes while the session is about to end") }
        if let end = signs[application], machine.now < end { fail("\(job.words): freezes after a sign") }
        if byHand.contains(application) { return }
        if thawed.contains(application) { fail("\(job.words): freezes what the user has thawed") }
        let hooks = engine.hooks.filter { $0.builtIns.contains(.freeze) }
        if !hooks.contains(where: { machine.isInside($0, job.subject) }) {
            fail("\(job.words): freezes what is in the foreground")
        }
    }

    mutating func undo(_ job: Job, _ holds: [Hold], _ machine: SimulatedMachine) {
        if holds.isEmpty { fail("\(job.words): undoes nothing") }
        for hold in holds where !machine.mayUndo(hold, of: job.subject.application) {
            fail("\(job.words): undoes \(hold) twice")
        }
    }

    mutating func thaw(_ job: Job, _ holds: [Hold], _ isQuiet: Bool, _ machine: SimulatedMachine) {
        if holds.isEmpty { fail("\(job.words): thaws nothing") }
        if !isQuiet && !machine.mayThaw(job.subject.application) { fail("\(job.words): thaws twice") }
    }

    // MARK: States

    /// Checks the state after each input.
    mutating func check(
        _ engine: HookEngine, _ tasks: [EngineTimeline.Task], _ machine: SimulatedMachine
    ) {
        let programs = tasks.filter(\.isProgram)
        // A `leave` of an earlier process may still run beside what began before the record was read.
        let own = programs.filter { !$0.isFollowed || $0.job.part != .leave }
        let lanes = Dictionary(grouping: own, by: \.job.lane)
        if let jobs = lanes.values.first(where: { $0.count > 1 }) {
            fail("\(jobs.map(\.job.words)) run in one lane")
        }
        // Programs of an earlier process do not count towards the limit.
        if lanes.count > engine.commands.limit + programs.count(where: \.isFollowed) {
            fail("\(lanes.count) lanes are busy")
        }
        noteVotes(engine)
        for (name, state) in engine.applications.all
        where state.hindrances.contains(.thawedByUser) {
            if !freezing.contains(name) { fail("\(name) is forbidden to be frozen, which no hook wants") }
        }
        for (name, state) in engine.applications.all where state.held.standing.isStopped {
            if state.held.standing.retry != nil { continue }
            if isStopping { fail("\(name) is kept frozen at the end") }
            if let end = signs[name], machine.now < end { fail("\(name) is kept frozen after a sign") }
            if thawed.contains(name) && !byHand.contains(name) {
                fail("\(name) is kept frozen after the user has thawed it")
            }
        }
    }

    /// What a sign or an exception has begun ends with the votes that it concerns.
    private mutating func noteVotes(_ engine: HookEngine) {
        let votes = engine.votes
        let wanting = Set(votes.filter { $0.wantsFreeze && !$0.isByHand }.map(\.application))
        for name in freezing.subtracting(wanting) { signs[name] = nil }
        freezing = wanting
        prevented = prevented.mapValues { $0.intersection(votes.map(\.key)) }
    }

    /// Checks the state once everything has been answered.
    mutating func checkRest(_ machine: SimulatedMachine, _ engine: HookEngine) {
        let isRetrying = engine.commands.turns.contains { $0.job.part == .leave && $0.due > machine.now }
        if !isRetrying && !engine.isIdle && engine.holdsNothing {
            fail("something waits for nothing: \(engine.commands.turns.map(\.job.words))")
        }
        for (key, due) in expected where due <= machine.now && !suspended.contains(key.hook) {
            if engine.commands[key]?.state.entered == nil {
                fail("\(key.hook) \(key.subject.application) is not entered")
            }
        }
        for job in engine.begun where !isRetrying {
            let isInside = machine.isInside(job.hook, job.subject)
            let isSuspended = suspended.contains(job.hook.name) && job.hook.builtIns.isEmpty
            if isStopping || isSuspended || !isInside || !engine.hooks.contains(job.hook) {
                fail("\(job.words) is not left")
            }
        }
        for application in SimulatedMachine.applications { checkRest(application, machine, engine) }
    }

    private mutating func checkRest(
        _ application: String, _ machine: SimulatedMachine, _ engine: HookEngine
    ) {
        let votes = engine.votes.filter { $0.application == application }
        guard let state = engine.applications[application] else {
            if !votes.isEmpty { fail("the votes for \(application) are not counted") }
            if machine.isFrozen(application) { fail("\(application) is frozen for nobody") }
            return
        }
        if state.held.standing.retry != nil || state.step.retry != nil { return }
        if state.step != .settled { return fail("\(application) waits for nothing: \(state.step)") }
        if state.held.standing.isStopped {
            if !state.held.standing.holds.allSatisfy({ machine.isInForce($0, of: application) }) {
                fail("\(application) is called frozen, and runs")
            }
        } else if machine.isFrozen(application) {
            fail("\(application) is frozen for nobody")
        }
        let wanted = Wanted(votes.filter { !isPrevented($0, engine, machine) })
        for builtIn in state.held.limits.map(\.builtIn) where !wanted.builtIns.contains(builtIn) {
            fail("\(application) is still \(builtIn.participle)")
        }
        let together = (machine.sharing[application] ?? []).union([application]).filter {
            machine.phases[$0] != nil || machine.survivors[$0] != nil || $0 == application
        }
        let isKeptThawed = together.contains { isHindered($0, engine, machine) } || machine.now < sessionEnd
        for builtIn in wanted.builtIns.subtracting(state.hindrances.idle) where !isKeptThawed {
            let isHeld = state.held.holds.contains { $0.builtIn == builtIn }
            if !isHeld || builtIn == .freeze && !state.held.standing.isStopped {
                fail("\(application) is not \(builtIn.participle)")
            }
        }
        if state.held.standing.isStopped && !wanted.builtIns.contains(.freeze) {
            fail("\(application) is frozen for nobody")
        }
    }
}

extension SequenceChecks {
    /// Whether an exception prevents a vote, and is known to do so.
    private func isPrevented(_ vote: Job, _ engine: HookEngine, _ machine: SimulatedMachine) -> Bool {
        guard let state = engine.applications[vote.application],
            let exception = state.hindrances.exception(for: vote),
            prevented[vote.application]?.contains(vote.key) == true
        else { return false }
        return exception.until.map { $0 > machine.now } ?? true
    }

    /// Whether an application is not to be frozen now.
    private func isHindered(
        _ application: String, _ engine: HookEngine, _ machine: SimulatedMachine
    ) -> Bool {
        guard let state = engine.applications[application] else { return true }
        let votes = engine.votes.filter { $0.application == application && $0.wantsFreeze }
        // Before anything else, what could not be undone is undone.
        return state.hindrances.rest(at: machine.now) != nil || state.held.standing.isGlance
            || state.held.standing.retry != nil
            || !state.hindrances.refused.isEmpty
            || state.step.retry != nil
            || state.hindrances.idle.contains(.freeze)
            || votes.allSatisfy { isPrevented($0, engine, machine) }
    }
}

extension HookEngine {
    /// The time at which an input `timer` is due; nil for never. The machine of a test does not sleep.
    var next: Duration? { next(at: .zero, sinceBoot: .zero) }

    /// The jobs of the votes that count.
    var votes: [Job] { applications.all.values.flatMap(\.votes.counted) }

    /// The jobs of hooks whose pairs are entered, or that vote.
    fileprivate var begun: [Job] { commands.keys.compactMap { commands[$0]?.state.entered } }
}
