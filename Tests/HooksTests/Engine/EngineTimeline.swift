import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// An engine with a clock and a disk. Each call returns what the engine begins and reports, in words:
/// `run sync Editor`, `check …`, `enter …`, `leave …` and `stop …` for programs, and `ask A: freeze`, `freeze A`, `thaw A`,
/// `apply A: slow` and `undo A: slow` for applications.
struct EngineTimeline {
    var engine: HookEngine
    private(set) var now = Duration.zero
    /// Whether programs, questions and actions end at once with success. Otherwise, `end` and its like end them.
    var isPrompt: Bool
    /// Whether only `answerDisk` answers writes.
    var isDiskBusy = false
    private(set) var writes = 0
    /// The applications that share processes with each application.
    var sharing: [String: Set<String>]
    /// Whether no stream is audible.
    var isSilent = false
    /// Whether nothing can be thawed.
    var failsToThaw = false
    /// What is to be ended or answered, by its words before the colon.
    private var runs: [String: HookEffect] = [:]
    private var phases: [SubjectID: ScenePhase] = [:]
    private var lastWrite: WriteID = 0

    /// - Parameter restored: What an earlier process has left; nil if its record is not read yet.
    init(
        _ hooks: Hook..., limit: Int = 16, bound: Int = 4096, isPrompt: Bool = false,
        sharing: [String: Set<String>] = [:], restored: [RestoredPair]? = []
    ) {
        (self.isPrompt, self.sharing) = (isPrompt, sharing)
        engine = HookEngine(hooks: hooks, limit: limit, bound: bound)
        if let restored { _ = handle(.restored(restored)) }
        writes = 0
    }

    /// A hook has frozen A in the background.
    static var frozen: EngineTimeline { EngineTimeline(.doing("ice", .freeze)).frozen }

    /// The timeline once A has come to the background, and everything that hooks want then is done.
    var frozen: EngineTimeline {
        var timeline = self
        timeline.freeze()
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
        handle(.changes([initial(trigger(application, subject, to: phase))]))
    }

    private func initial(_ trigger: HookTrigger) -> HookTrigger {
        var trigger = trigger
        (trigger.change.kind, trigger.change.from) = (.initial, nil)
        return trigger
    }

    /// Lets time pass. The engine gets the input `timer` only at the times that it names.
    mutating func wait(_ seconds: Int) -> [String] { wait(.seconds(seconds)) }

    mutating func wait(_ time: Duration) -> [String] {
        let end = now + time
        var words: [String] = []
        while let next = engine.next, next <= end, next > now {
            now = next
            words += handle(.timer)
        }
        now = end
        return words
    }

    mutating func replace(_ hooks: Hook...) -> [String] { handle(.reload(hooks)) }

    /// Suspends the hooks with these names, and no others.
    mutating func suspend(_ names: String...) -> [String] { handle(.suspend(Set(names))) }

    mutating func sign(_ application: String, _ reason: ThawReason = .wanted) -> [String] {
        handle(.application(.wanted([application], because: reason)))
    }

    mutating func freezeByHand(
        _ application: String, except: Set<Exception>? = nil, for time: Duration? = nil
    ) -> [String] {
        let phase = phases[SubjectID(application: application)]
        let hook = Hook.byHand(application, except: except)
        return handle(.freeze(initial(trigger(application, to: phase)), hook, for: time))
    }

    mutating func stop() -> [String] { handle(.stop) }

    /// Reads the record of an earlier process, of which a part may still run.
    mutating func restore(_ pairs: [RecordedPair], running part: Job.Part? = nil) -> [String] {
        let started = part.map { RecordedPair.StartedPart(part: $0, process: Self.process) }
        return handle(
            .restored(
                pairs.map { pair in
                    var pair = pair
                    pair.started = started
                    return RestoredPair(pair, isRunning: part != nil)
                }))
    }

    mutating func trigger(
        _ application: String, _ subject: Change.Subject? = nil, to: ScenePhase?, _ cause: Cause = .iconify
    ) -> HookTrigger {
        var change = Change.step(application, from: nil, to: to, cause: cause)
        if let subject { change.subject = subject }
        let from = phases.removeValue(forKey: change.subjectID)
        phases[change.subjectID] = to
        if from != nil && to != nil { change.kind = .phase }
        if from == to {
            let isTitled = if case .scene(let facts) = change.subject { facts.title != nil } else { false }
            change.kind = isTitled ? .title : .facts
        }
        (change.from, change.held) = (from, from.map { _ in .seconds(1) })
        return HookTrigger(change: change, time: .zero)
    }

    mutating func handle(_ input: HookInput) -> [String] {
        var (inputs, words) = ([input], [String]())
        while !inputs.isEmpty {
            for effect in engine.handle(inputs.removeFirst(), at: Moment(now: now, time: .zero)) {
                if let word = take(effect) { words.append(word) }
                if isPrompt, let answer = answer(to: effect) { inputs.append(answer) }
                switch effect {
                case .record(let id, _):
                    (lastWrite, writes) = (id, writes + 1)
                    if !isDiskBusy { inputs.append(.recorded(id)) }
                case .application(.thaw(let job, let holds, _, _)) where failsToThaw:
                    inputs.append(.application(.notThawed(job, holds)))
                default: break
                }
            }
            if let next = engine.next, next <= now { Issue.record("what is due at \(next) was not done") }
        }
        return words
    }

    private mutating func take(_ effect: HookEffect) -> String? {
        if case .end(let id) = effect { return "stop \(runs.first { $0.value.run == id }?.key ?? "?")" }
        guard let words = effect.told else { return nil }
        if !isPrompt && effect.run != nil { runs[String(words.prefix { $0 != ":" })] = effect }
        if case .follow = effect { return "follow \(words)" }
        return words
    }

    // MARK: Answers

    /// Ends a program, or answers a question or an action with success.
    mutating func end(_ run: String, _ outcome: Outcome = .exited(0)) -> [String] {
        guard let effect = runs.removeValue(forKey: run) else { return ["\(run) does not run"] }
        return answer(to: effect, outcome).map { handle($0) } ?? []
    }

    private func answer(to effect: HookEffect, _ outcome: Outcome = .exited(0)) -> HookInput? {
        switch effect {
        case .run(let id, _, _, _), .follow(let id, _, _): .ended(id, outcome, after: .zero)
        case .application(.ask(let id, let job, let builtIns, _, let fellows)):
            .application(.asked(id, findings(about: job.subject.application, builtIns, fellows)))
        case .application(.freeze(let id, _, _, _)): .application(.froze(id, .frozen("frozen")))
        case .application(.apply(let id, _, _, _)): .application(.applied(id, ReactionAnswer()))
        case .application(.undo(let id, _, _)): .application(.undone(id, left: [], ReactionAnswer()))
        default: nil
        }
    }

    private static let process = ProcessIdentity(pid: 7, startTicks: 7)

    /// Reports the process of a program.
    mutating func start(_ run: String) -> [String] {
        guard let id = runs[run]?.run else { return ["\(run) does not run"] }
        return handle(.started(id, Self.process))
    }

    /// Ends and answers everything with success.
    mutating func settle() -> [String] {
        var words: [String] = []
        while let run = runs.keys.min() { words += end(run) }
        return words
    }

    /// Enters a pair of programs.
    mutating func enter(_ hook: String, _ application: String = "A") {
        #expect(go(application, .background).contains("enter \(hook) \(application)"))
        _ = end("enter \(hook) \(application)")
    }

    /// Brings an application to the background and does everything that hooks want then.
    mutating func freeze(_ application: String = "A") {
        _ = go(application, .active, .background)
        _ = settle()
        #expect(engine.frozenApplications.contains(application))
    }

    mutating func answer(_ run: String, _ input: (RunID) -> ApplicationInput) -> [String] {
        guard let id = runs.removeValue(forKey: run)?.run else { return ["\(run) does not run"] }
        return handle(.application(input(id)))
    }

    /// Answers a question with exceptions.
    mutating func except(_ application: String, _ found: [Exception?: String]) -> [String] {
        guard let effect = runs["ask \(application)"],
            case .application(.asked(_, var findings))? = answer(to: effect)
        else { return ["\(application) is not asked about"] }
        (findings.found, findings.freeze, findings.companions) = (found, nil, [])
        return answer("ask \(application)") { .asked($0, findings) }
    }

    /// Answers that an application must not be touched.
    mutating func refuse(_ application: String, because reason: String) -> [String] {
        var findings = Findings()
        findings.refusal = reason
        return answer("ask \(application)") { .asked($0, findings) }
    }

    mutating func froze(_ application: String, _ result: FreezeResult) -> [String] {
        answer("freeze \(application)") { .froze($0, result) }
    }

    /// Answers that the unit of A could not be given its weights back.
    mutating func failToUndo() -> [String] {
        let slowed = Hold.limited(unit: "A.scope", by: .slow, former: [100, .max])
        return answer("undo A") { .undone($0, left: [slowed], ReactionAnswer()) }
    }

    /// Reports the success or the failure of the last write.
    mutating func answerDisk(failure: String? = nil) -> [String] {
        handle(.recorded(lastWrite, failure: failure))
    }

    private func findings(
        about application: String, _ builtIns: Set<BuiltIn>, _ fellows: Set<String>
    ) -> Findings {
        var findings = Findings()
        findings.companions = sharing[application] ?? []
        if let other = findings.companions.subtracting(fellows).min() {
            findings.companions = [other]
            return findings
        }
        if builtIns.contains(.freeze) { findings.freeze = .stopped(1) }
        let unit = "\(application).scope"
        for builtIn in [BuiltIn.slow, .cap] where builtIns.contains(builtIn) {
            let former = builtIn == .slow ? [100, UInt64.max] : [.max]
            findings.limits.append(.limited(unit: unit, by: builtIn, former: former))
        }
        if builtIns.contains(.mute) && !isSilent {
            let process = ProcessIdentity(pid: 1, startTicks: 1)
            findings.limits.append(.muted(MutedStream(index: 1, process: process, memory: nil)))
        }
        return findings
    }

    // MARK: Results

    /// The states of all hooks, each with its reason.
    var status: [String] {
        engine.status(own: { _ in nil }, describe: { _, _ in }).map { row in
            "\(row.state)" + (row.reason.map { ": \($0)" } ?? "")
        }
    }

    var isAtRest: Bool { engine.isIdle && engine.owed.isEmpty && engine.frozenApplications.isEmpty }

    /// Whether nothing is due, now or later.
    var isAsleep: Bool { isAtRest && engine.next == nil }
}
