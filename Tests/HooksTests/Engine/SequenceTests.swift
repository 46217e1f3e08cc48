import Console
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes

/// Random sequences of inputs with failures and crashes at any point.
@Suite struct SequenceTests {
    /// 1,000,000 sequences require a release build.
    private static let count =
        getenv("XPHASE_SEQUENCES").flatMap { UInt64(String(cString: $0)) } ?? 8_000
    private static let parts: UInt64 = 4

    @Test(arguments: 0..<parts) func everythingIsUndoneOnce(part: UInt64) {
        var faults = 0
        for seed in stride(from: part, to: Self.count, by: Int(Self.parts)) {
            var sequence = HookSequence(seed: seed)
            guard let fault = sequence.run() else { continue }
            var again = HookSequence(seed: seed, isLogging: true)
            _ = again.run()
            Issue.record("seed \(seed): \(fault)\n\(again.performer.log?.joined(separator: "\n") ?? "")")
            faults += 1
            if faults > 2 { return }
        }
    }
}

/// A sequence that is determined by its seed.
private struct HookSequence {
    var performer: SimulatedPerformer
    private var hooks: [Hook]
    private var suspended: Set<String> = []
    private var isRestored = false

    init(seed: UInt64, isLogging: Bool = false) {
        var random = SeededGenerator(seed: seed)
        hooks = Self.hooks(&random)
        let limit = random.next() % 4 == 0 ? 2 : 16
        performer = SimulatedPerformer(random: random, hooks: hooks, limit: limit, isLogging: isLogging)
        if performer.chance(30) {
            let names = SimulatedMachine.applications.shuffled(using: &performer.random)
            performer.machine.sharing = Set(names.prefix(performer.chance(50) ? 2 : 3))
        }
        performer.note(
            "hooks \(hooks.map(\.name)), limit \(limit), shared by \(performer.machine.sharing.sorted())")
    }

    /// Returns the first fault; nil if there is none.
    mutating func run() -> String? {
        for application in SimulatedMachine.applications where performer.chance(70) {
            _ = performer.machine.go(application, to: .allCases.randomElement(using: &performer.random))
        }
        if performer.chance(80) { restore() }
        begin(hooks)
        let count = 5 + Int(performer.random.next() % 36)
        for _ in 0..<count where performer.checks.fault == nil {
            step()
            if performer.isKilled { crash() }
        }
        // Half of the sequences end in the middle of something.
        if performer.chance(50) { rest() }
        performer.isHostile = false
        if performer.isKilled { crash() }
        if !isRestored { restore() }
        end()
        return performer.checks.fault
    }

    private mutating func restore() {
        isRestored = true
        performer.restore()
    }

    /// Reports the applications that are present when hooks are loaded.
    private mutating func begin(_ hooks: [Hook], only names: Set<String>? = nil) {
        let triggers = performer.machine.phases.sorted { $0.key < $1.key }.map { application, phase in
            var change = Change.step(application, from: nil, to: phase)
            change.kind = .initial
            return trigger(change)
        }
        performer.handle(.changes(triggers, only: names))
    }

    private func trigger(_ change: Change) -> HookTrigger {
        HookTrigger(
            change: change,
            time: Timestamp(seconds: Int(performer.machine.now.components.seconds), nanoseconds: 0))
    }

    private var application: String {
        mutating get { SimulatedMachine.applications.randomElement(using: &performer.random) ?? "A" }
    }

    private mutating func step() {
        switch performer.random.next() % 100 {
        case 0..<28: change()
        case 28..<58: performer.finishTask()
        case 58..<64: performer.submit()
        case 64..<70: performer.answerDisk()
        case 70..<82: tick()
        case 82..<84: performer.handle(.application(.wanted([application], because: .wanted)))
        case 84: performer.handle(.application(.wanted([application], because: .spokenTo("a call"))))
        case 85: call()
        case 86: performer.handle(.application(.sessionMayEnd))
        case 87..<89: reload()
        case 89..<91: suspend()
        case 91: freezeByHand()
        case 92..<94: performer.handle(.thaw(performer.chance(50) ? nil : [application]))
        case 94..<96:
            if isRestored {
                crash()
            } else if performer.chance(60) {
                performer.handle(.notRestored("busy"))
            } else {
                restore()
            }
        case 96: rest()
        default: performer.wake()
        }
    }

    /// Begins a call to an application, or ends one.
    private mutating func call() {
        let call = BusCall(sender: ":1", serial: UInt32(performer.random.next() % 2))
        performer.handle(
            .application(performer.chance(50) ? .called(application, call) : .answered(application, call)))
    }

    private mutating func freezeByHand() {
        let name = application
        guard let phase = performer.machine.phases[name] else { return }
        var change = Change.step(name, from: nil, to: phase)
        change.kind = .initial
        let time = performer.chance(50) ? nil : Duration.seconds(Int(performer.random.next() % 100))
        performer.handle(.freeze(trigger(change), Hook.byHand(name), for: time))
    }

    private mutating func change() {
        var triggers: [HookTrigger] = []
        repeat {
            let application = application
            let phase =
                performer.chance(10) ? nil : ScenePhase.allCases.randomElement(using: &performer.random)
            if phase == performer.machine.phases[application] { continue }
            triggers.append(trigger(performer.machine.go(application, to: phase)))
        } while performer.chance(20)
        performer.handle(.changes(triggers))
    }

    /// Keeps the clock, advances it, or jumps over a sleep of the machine.
    private mutating func tick() {
        switch performer.random.next() % 4 {
        case 0: break
        case 1: performer.machine.now += .seconds(Int(performer.random.next() % 5))
        case 2: performer.machine.now += .seconds(Int(performer.random.next() % 1_000))
        default: performer.machine.now = max(performer.machine.now, performer.engine.next ?? .zero)
        }
        performer.wake()
    }

    private mutating func reload() {
        let former = Set(hooks)
        hooks = Self.hooks(&performer.random)
        performer.handle(.reload(hooks))
        let new = hooks.filter { !former.contains($0) }
        begin(new, only: Set(new.map(\.name)))
    }

    private mutating func suspend() {
        suspended = []
        if performer.chance(60) { suspended = Set(hooks.map(\.name).filter { _ in performer.chance(50) }) }
        performer.handle(.suspend(suspended))
    }

    private mutating func crash() {
        if performer.chance(50) { hooks = Self.hooks(&performer.random) }
        (isRestored, suspended) = (false, [])
        performer.crash(hooks: hooks)
        if performer.chance(70) { restore() }
        begin(hooks)
    }

    // MARK: Rest

    private mutating func rest() {
        performer.note("rest")
        performer.isHostile = false
        if performer.isKilled { crash() }
        if !isRestored { restore() }
        performer.answerAll()
        performer.wake()
        performer.answerAll()
        performer.checks.checkRest(performer.machine, performer.engine, suspended: suspended)
        performer.isHostile = true
    }

    /// Stops the engine and checks that nothing remains in force.
    private mutating func end() {
        performer.isHostile = false
        performer.handle(.stop)
        performer.answerAll()
        // A retried `leave` may have failed again just before.
        for _ in 1...3 {
            performer.machine.now += .seconds(1_000)
            performer.wake()
            performer.answerAll()
        }
        if let remains = performer.machine.remains { performer.checks.fail("after stop, \(remains)") }
        if !performer.machine.disk.isEmpty { performer.checks.fail("after stop, something is owed") }
        if !performer.engine.isIdle { performer.checks.fail("after stop, something runs") }
    }

    // MARK: Hooks

    private static func hooks(_ random: inout SeededGenerator) -> [Hook] {
        let count = 1 + Int(random.next() % 4)
        return pool.shuffled(using: &random).prefix(count).map { hook in
            var hook = hook
            hook.condition.initial = random.next() % 2 == 0
            hook.after = .seconds([0, 0, 3, 15].randomElement(using: &random) ?? 0)
            if random.next() % 5 == 0 { hook.unless = .arguments(["false"]) }
            return hook
        }
    }

    private static let pool: [Hook] = {
        func pair(_ name: String, _ builtIns: Set<BuiltIn>, except: Set<Exception>? = nil) -> Hook {
            var hook = Hook.pair(name)
            if !builtIns.isEmpty {
                hook.reaction = .pair(Hook.Pair(phases: [.background], builtIns: builtIns, except: except))
            }
            hook.condition.to = []
            return hook
        }
        var nap = pair("nap", [.freeze])
        nap.wake = Wake(interval: .seconds(30), duration: .seconds(5))
        var doze = pair("doze", [.freeze])
        doze.wake = Wake(interval: .seconds(90), duration: .seconds(10))
        var (first, second) = (Hook.run("10-first"), pair("20-second", []))
        (first.origin, second.origin) = (.directory, .directory)
        return [
            .run("sync"), .pair("calm"), .pair("wide", while: [.inactive, .background]), first, second,
            pair("ice", [.freeze]), nap, doze, pair("frost", [.freeze], except: []),
            pair("slow", [.slow]), pair("crawl", [.slow, .mute]), pair("mute", [.mute]),
            pair("all", [.freeze, .slow, .mute], except: [.audio]),
            pair("both", [.freeze, .slow]),
        ]
    }()
}
