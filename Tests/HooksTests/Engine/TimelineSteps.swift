import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// The steps of a test. Each returns what the engine begins and reports, in words.
extension EngineTimeline {
    /// A hook has frozen A in the background.
    static var frozen: EngineTimeline { EngineTimeline(.doing("ice", .freeze)).frozen }

    /// The timeline once A has come to the background, and everything that hooks want then is done.
    var frozen: EngineTimeline {
        var timeline = self
        _ = timeline.go("A", .active, .background) + timeline.settle()
        #expect(timeline.engine.frozenApplications.contains("A"))
        return timeline
    }

    // MARK: Inputs

    /// Moves an application through phases; nil closes it.
    mutating func go(_ application: String, _ phases: ScenePhase?..., cause: Cause = .iconify) -> [String] {
        handle(.changes(phases.map { trigger(application, to: $0, cause) }))
    }

    /// Reports a subject of A. In the same phase, it has other facts, or another title.
    mutating func go(_ subject: Change.Subject, _ phases: ScenePhase?...) -> [String] {
        handle(.changes(phases.map { trigger("A", subject, to: $0) }))
    }

    /// Finds an application in a phase, as at the start.
    mutating func find(
        _ application: String, _ phase: ScenePhase, _ subject: Change.Subject? = nil
    ) -> [String] {
        handle(.changes([trigger(application, subject, to: phase).initial]))
    }

    /// Lets time pass. The engine gets the input `timer` only at the times that it names.
    mutating func wait(_ seconds: Int) -> [String] { wait(.seconds(seconds)) }

    mutating func wait(_ time: Duration) -> [String] {
        let end = machine.now + time
        var words: [String] = []
        while let next = engine.next, next <= end {
            machine.now = next
            words += handle(.timer)
        }
        machine.now = end
        return words
    }

    mutating func replace(_ hooks: Hook...) -> [String] { handle(.reload(hooks)) }

    /// Suspends the hooks with these names, and no others.
    mutating func suspend(_ names: String...) -> [String] { handle(.pauses(Pauses(of: names))) }

    mutating func sign(_ application: String, _ reason: ThawReason = .used) -> [String] {
        handle(.sign([application], because: reason))
    }

    mutating func freezeByHand(
        _ application: String, except: Set<Exception>? = nil, for time: Duration? = nil
    ) -> [String] {
        handle(.freeze(found(application), .byHand(application, except: except), for: time))
    }

    /// Returns the trigger of an application that is found in its phase.
    mutating func found(_ application: String) -> HookTrigger {
        trigger(application, to: machine.phases[application]).initial
    }

    /// Reads the record of an earlier process, of which a part may still run.
    mutating func restore(_ pairs: [UndoRecordEntry], running part: Job.Part? = nil) -> [String] {
        var pairs = pairs
        for index in pairs.indices {
            pairs[index].started = part.map { UndoRecordEntry.StartedPart(part: $0, process: Self.process) }
        }
        return handle(.restored(pairs, running: [Self.process]))
    }

    mutating func trigger(
        _ application: String, _ subject: Change.Subject? = nil, to: ScenePhase?,
        _ cause: Cause = .iconify
    ) -> HookTrigger {
        var change = Change.step(application, from: nil, to: to, cause: cause)
        if let subject { change.subject = subject }
        let from = phases.removeValue(forKey: change.subjectID)
        (phases[change.subjectID], machine.phases[application]) = (to, to)
        machine.survivors[application] = nil
        if from != nil && to != nil { change.kind = .phase }
        if from == to {
            let isTitled = if case .scene(let facts) = change.subject { facts.title != nil } else { false }
            change.kind = isTitled ? .title : .facts
        }
        (change.from, change.held) = (from, from.map { _ in .seconds(1) })
        return HookTrigger(change: change, time: machine.time)
    }

    // MARK: Answers

    /// Ends a program, or answers a question or an action with success.
    mutating func end(_ name: String, _ outcome: Outcome = .exited(0)) -> [String] {
        guard let task = take(name) else { return ["\(name) does not run"] }
        return handle(answer(of: task, outcome))
    }

    /// Answers a question or an action.
    mutating func answer(_ name: String, _ input: (RunID) -> HookInput) -> [String] {
        guard let task = take(name) else { return ["\(name) does not run"] }
        return handle(input(task.id))
    }

    private static let process = ProcessIdentity(pid: 7, startTicks: 7)

    /// Reports the process of a program.
    mutating func start(_ name: String) -> [String] {
        guard let task = tasks.first(where: { $0.name == name }) else {
            return ["\(name) does not run"]
        }
        return handle(.started(task.id, Self.process))
    }

    /// Ends and answers everything with success.
    mutating func settle() -> [String] {
        var words: [String] = []
        while let name = tasks.map(\.name).min() { words += end(name) }
        return words
    }

    /// Enters a pair of programs.
    mutating func enter(_ hook: String, _ application: String = "A") {
        #expect(go(application, .background).contains("enter \(hook) \(application)"))
        _ = end("enter \(hook) \(application)")
    }

    /// Answers a question with exceptions.
    mutating func except(_ application: String, _ found: [Exception?: String]) -> [String] {
        guard let task = take("ask \(application)") else {
            return ["\(application) is not asked about"]
        }
        var findings = Findings()
        (findings.found, findings.limits) = (found, task.holds)
        return handle(.asked(task.id, findings))
    }

    /// Answers that an application must not be touched.
    mutating func refuse(_ application: String, because reason: String) -> [String] {
        var findings = Findings()
        findings.refusal = reason
        return answer("ask \(application)") { .asked($0, findings) }
    }

    /// Answers that it has just started a program.
    mutating func postpone(_ application: String, for newcomer: String) -> [String] {
        var findings = Findings()
        findings.newcomer = newcomer
        return answer("ask \(application)") { .asked($0, findings) }
    }

    /// Answers that it cannot be muted.
    mutating func failToMute(_ application: String, _ fault: String) -> [String] {
        var findings = Findings()
        findings.faults = [ReactionWords(.mute, fault)]
        return answer("ask \(application)") { .asked($0, findings) }
    }

    mutating func froze(_ application: String, _ result: FreezeResult) -> [String] {
        answer("freeze \(application)") { .froze($0, result) }
    }

    /// Answers that the unit of A could not be given its weights back.
    mutating func failToUndo() -> [String] {
        guard let task = take("undo A") else { return ["undo A does not run"] }
        return handle(.undone(task.id, left: task.holds, ReactionAnswer()))
    }

    /// Reports the success or the failure of the last write.
    mutating func answerDisk(failure: String? = nil) -> [String] {
        handle(.recorded(wanted, failure: failure))
    }

    // MARK: Results

    /// The states of all hooks, each with its reason.
    var status: [String] {
        engine.status { _, _ in }.filter { $0.state != .paused }.map { row in
            "\(row.state)" + (row.reason.map { ": \($0)" } ?? "")
        }
    }

    var isAtRest: Bool { engine.isIdle && engine.owed.isEmpty && engine.frozenApplications.isEmpty }

    /// Whether nothing is due, now or later.
    var isAsleep: Bool { isAtRest && engine.next == nil }
}
