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
    private var phases: [String: ScenePhase] = [:]
    private var lastWrite: WriteID = 0
    private var written: [WriteID: [RecordedPair]] = [:]
    private var disk: [RecordedPair] = []

    /// - Parameter restored: What an earlier process has left; nil if its record is not read yet.
    init(
        _ hooks: Hook..., limit: Int = 16, bound: Int = 4096, sharing: [String: Set<String>] = [:],
        restored: [RestoredPair]? = []
    ) {
        self.sharing = sharing
        engine = HookEngine(hooks: hooks, limit: limit, bound: bound)
        if let restored { _ = handle(.restored(restored)) }
        writes = 0
    }

    // MARK: Inputs

    /// Moves an application through phases; nil closes it.
    mutating func go(_ application: String, _ phases: ScenePhase?..., cause: Cause = .iconify) -> [String] {
        handle(.changes(phases.map { trigger(application, to: $0, cause) }))
    }

    /// Finds an application in a phase, as at the start.
    mutating func find(_ application: String, _ phase: ScenePhase) -> [String] {
        phases[application] = phase
        return handle(.changes([initial(application)]))
    }

    private func initial(_ application: String) -> HookTrigger {
        var change = Change.step(application, from: nil, to: phases[application])
        change.kind = .initial
        return HookTrigger(change: change, time: .zero)
    }

    mutating func react(to triggers: HookTrigger...) -> [String] { handle(.changes(triggers)) }

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

    mutating func freezeByHand(_ application: String, for time: Duration? = nil) -> [String] {
        handle(.freeze(initial(application), .byHand(application), for: time))
    }

    mutating func stop() -> [String] { handle(.stop) }

    mutating func restore(_ pair: RecordedPair, running part: Job.Part? = nil) -> [String] {
        var pair = pair
        pair.started = part.map {
            RecordedPair.StartedPart(part: $0, process: ProcessIdentity(pid: 7, startTicks: 7))
        }
        return handle(.restored([RestoredPair(pair, isRunning: part != nil)]))
    }

    mutating func trigger(_ application: String, to: ScenePhase?, _ cause: Cause = .iconify) -> HookTrigger {
        let from = phases[application]
        phases[application] = to
        return HookTrigger(change: .step(application, from: from, to: to, cause: cause), time: .zero)
    }

    mutating func handle(_ input: HookInput) -> [String] {
        var (inputs, words) = ([input], [String]())
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            if case .recorded(let id, failure: nil) = input, let pairs = written[id] { disk = pairs }
            for effect in engine.handle(input, at: Moment(now: now, time: .zero)) {
                if let word = take(effect) { words.append(word) }
                switch effect {
                case .record(let id, _):
                    (lastWrite, written[id], writes) = (id, engine.owed, writes + 1)
                    if !isDiskBusy { inputs.append(.recorded(id)) }
                case .application(.thaw(let job, let holds, _, _)) where failsToThaw:
                    inputs.append(.application(.notThawed(job, holds)))
                case .application(.freeze(_, let job, let holds, _)),
                    .application(.apply(_, let job, let holds, _)):
                    // Nothing is in force before it is on disk.
                    let owed = disk.filter { $0.application == job.subject.application }.flatMap(\.holds)
                    #expect(Set(holds).isSubset(of: owed), "\(job.subject.application)")
                default: break
                }
            }
            if let next = engine.next, next <= now { Issue.record("what is due at \(next) was not done") }
        }
        return words
    }

    // MARK: Answers

    /// Ends a program, or answers a question or an action with success.
    mutating func end(_ run: String, _ outcome: Outcome = .exited(0)) -> [String] {
        guard let effect = runs.removeValue(forKey: run) else { return ["\(run) does not run"] }
        switch effect {
        case .run(let id, _, _, _), .follow(let id, _, _): return handle(.ended(id, outcome, after: .zero))
        case .application(let effect): return success(of: effect).map { handle(.application($0)) } ?? []
        default: return []
        }
    }

    private func success(of effect: ApplicationEffect) -> ApplicationInput? {
        switch effect {
        case .ask(let id, let job, let builtIns, _, let fellows):
            .asked(id, findings(about: job.subject.application, builtIns, fellows))
        case .freeze(let id, _, _, _): .froze(id, .frozen("frozen"))
        case .apply(let id, _, _, _): .applied(id, ReactionAnswer())
        case .undo(let id, _, _): .undone(id, left: [], ReactionAnswer())
        case .thaw, .say: nil
        }
    }

    /// Reports the process of a program.
    mutating func start(_ run: String) -> [String] {
        guard let id = runs[run]?.run else { return ["\(run) does not run"] }
        return handle(.started(id, ProcessIdentity(pid: 7, startTicks: 7)))
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
        guard case .application(let effect)? = runs["ask \(application)"],
            case .asked(_, var findings) = success(of: effect)
        else { return ["\(application) is not asked about"] }
        (findings.found, findings.freeze, findings.companions) = (found, nil, [])
        return answer("ask \(application)") { .asked($0, findings) }
    }

    mutating func froze(_ application: String, _ result: FreezeResult) -> [String] {
        answer("freeze \(application)") { .froze($0, result) }
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
        if builtIns.contains(.slow) { findings.limits.append(.slowed(unit: unit, weights: [100, .max])) }
        if builtIns.contains(.cap) { findings.limits.append(.capped(unit: unit, quota: .max)) }
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

    private mutating func take(_ effect: HookEffect) -> String? {
        if case .end(let id) = effect { return "stop \(runs.first { $0.value.run == id }?.key ?? "?")" }
        guard let words = effect.told else { return nil }
        if effect.run != nil { runs[String(words.prefix { $0 != ":" })] = effect }
        if case .follow = effect { return "follow \(words)" }
        return words
    }
}
