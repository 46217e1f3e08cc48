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
        for seed in stride(from: part, to: Self.count, by: Int(Self.parts)) {
            var sequence = EngineTimeline(seed: seed)
            sequence.run()
            guard let fault = sequence.checks.fault else { continue }
            var again = EngineTimeline(seed: seed, isLogging: true)
            again.run()
            let log = again.log?.joined(separator: "\n") ?? ""
            Issue.record("seed \(seed): \(fault)\n\(log)")
            return
        }
    }
}

/// A sequence that is determined by its seed.
extension EngineTimeline {
    fileprivate init(seed: UInt64, isLogging: Bool = false) {
        var random = SeededGenerator(seed: seed)
        let hooks = Self.hooks(&random)
        self.init(random: random, hooks: hooks, limit: random.next() % 4 == 0 ? 2 : 16, isLogging: isLogging)
        if chance(30) {
            let names = SimulatedMachine.applications.shuffled(using: &self.random)
            let shared = Set(names.prefix(chance(50) ? 2 : 3))
            for name in shared { machine.sharing[name] = shared.subtracting([name]) }
        }
        note(
            "hooks \(hooks.map(\.name)), limit \(engine.commands.limit), shared by \(machine.sharing.keys.sorted())"
        )
    }

    fileprivate mutating func run() {
        for application in SimulatedMachine.applications where chance(70) {
            _ = trigger(application, to: .allCases.randomElement(using: &random))
        }
        if chance(80) { restore() }
        find()
        for _ in 0..<(5 + random.next() % 36) where checks.fault == nil {
            step()
            if isKilled { crash() }
        }
        // Half of the sequences end in the middle of something.
        if chance(50) { rest() }
        end()
    }

    private mutating func step() {
        switch random.next() % 100 {
        case 0..<26: change()
        case 26: endSurvivor()
        case 27..<30: changeSession()
        case 30..<58: finishTask()
        case 58..<64: submit()
        case 64..<70: finishDisk()
        case 70..<82: tick()
        case 82..<84: handle(.sign([application], because: .used))
        case 84: handle(.sign([application], because: .spokenTo("a call")))
        case 85:
            let call = BusCall(sender: ":1", serial: UInt32(random.next() % 2))
            handle(chance(50) ? .called(application, call) : .answered(application, call))
        case 86: handle(.sessionMayEnd)
        case 87..<89: reload()
        case 89..<91:
            let names = chance(40) ? [] : engine.hooks.map(\.name).filter { _ in chance(50) }
            handle(.pauses(Pauses(of: names)))
        case 91: freezeByHand()
        case 92..<94: handle(.thaw(chance(50) ? nil : [application]))
        case 94..<96:
            if engine.out.record.isRead {
                crash()
            } else if chance(60) {
                handle(.notRestored("busy"))
            } else {
                restore()
            }
        case 96:
            rest()
            isHostile = true
        default: wake()
        }
    }

    private var application: String {
        mutating get { SimulatedMachine.applications.randomElement(using: &random) ?? "A" }
    }

    /// Reports the applications that are present when hooks are loaded.
    private mutating func find(only names: Set<String>? = nil) {
        let present = SimulatedMachine.applications.filter { machine.phases[$0] != nil }
        // A reload finds the session by itself.
        let states = SessionChange.plain.filter { $0.begins && machine.session.contains($0.limit) }
        let session = names == nil ? states : []
        let found = HookTrigger.of(
            session.map { .notice(.session($0)) }, numbers: [], for: [], isStart: true, at: machine.time)
        handle(.changes(present.map { self.found($0) } + found, only: names))
    }

    /// Begins or ends states of the session at one time.
    private mutating func changeSession() {
        var triggers: [HookTrigger] = []
        repeat {
            guard let change = SessionChange.plain.randomElement(using: &random),
                change.begins != machine.session.contains(change.limit)
            else { continue }
            machine.session.formSymmetricDifference([change.limit])
            triggers.append(HookTrigger(.session(change), time: machine.time))
        } while chance(50)
        handle(.changes(triggers))
    }

    private mutating func freezeByHand() {
        let name = application
        if machine.phases[name] == nil { return }
        _ = freezeByHand(name, for: chance(50) ? nil : .seconds(Int(random.next() % 100)))
    }

    private mutating func change() {
        var triggers: [HookTrigger] = []
        repeat {
            let application = application
            let phase = chance(15) ? nil : ScenePhase.allCases.randomElement(using: &random)
            if phase == machine.phases[application] { continue }
            // It may be closed to the tray, or its windows may get another name.
            let isRenamed = chance(20)
            var trigger = trigger(application, to: phase, isRenamed ? .regroup : .iconify)
            if phase == nil && !isRenamed && chance(50) {
                trigger.isSurvived = true
                machine.survivors[application] = trigger
            }
            triggers.append(trigger)
        } while chance(20)
        handle(.changes(triggers))
    }

    /// Ends the last process of an application without windows.
    private mutating func endSurvivor() {
        guard var trigger = machine.survivors.removeValue(forKey: application) else { return }
        trigger.isSurvived = false
        handle(.changes([trigger], only: Set(engine.hooks.filter(\.lastsClosed).map(\.name))))
    }

    /// Keeps the clock, advances it, or jumps over a sleep of the machine.
    private mutating func tick() {
        switch random.next() % 4 {
        case 0: break
        case 1: machine.now += .seconds(Int(random.next() % 5))
        case 2: machine.now += .seconds(Int(random.next() % 1_000))
        default: machine.now = max(machine.now, engine.next ?? .zero)
        }
        wake()
    }

    private mutating func reload() {
        let former = Set(engine.hooks)
        handle(.reload(Self.hooks(&random)))
        find(only: Set(engine.hooks.filter { !former.contains($0) }.map(\.name)))
    }

    private mutating func crash() {
        kill(andStart: chance(50) ? Self.hooks(&random) : engine.hooks)
        if chance(70) { restore() }
        find()
    }

    // MARK: Rest

    /// Does everything that is due, without failures, and checks the state then.
    private mutating func rest() {
        note("rest")
        calm()
        answerAll()
        wake()
        answerAll()
        checks.checkRest(machine, engine)
    }

    private mutating func calm() {
        isHostile = false
        if isKilled { crash() }
        if engine.out.record.isRead { return }
        restore()
    }

    /// Stops the engine and checks that nothing remains in force.
    private mutating func end() {
        calm()
        handle(.stop)
        if chance(50) { change() }
        answerAll()
        // A retried `leave` may have failed again just before.
        for _ in 1...3 {
            machine.now += .seconds(1_000)
            wake()
            answerAll()
        }
        if let remains = machine.remains { checks.fail("after stop, \(remains)") }
        if !machine.disk.isEmpty { checks.fail("after stop, something is owed") }
        if !engine.isIdle { checks.fail("after stop, something runs") }
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
        let (first, second) = (Hook.run("hooks.d/10"), Hook.pair("hooks.d/20"))
        let nap = Wake(interval: .seconds(30), duration: .seconds(5))
        let doze = Wake(interval: .seconds(90), duration: .seconds(10))
        return [
            .run("sync"), .pair("calm"), .pair("wide", while: [.inactive, .background]), first, second,
            .run("every").all, .pair("quiet").all, .pair("busy", while: [.active]).all, .pair("tray").closed,
            .pair("vault").on(.lock), .pair("guard").on(.lock, .displayOff, .idle), .run("note").on(.away),
            .doing("ice", .freeze), .doing("frost", .freeze, except: []),
            .doing("nap", .freeze, wake: nap), .doing("doze", .freeze, wake: doze),
            .doing("game", .freeze, while: [.inactive, .background], except: []),
            .doing("asleep", .freeze).closed, .doing("hidden", .freeze, .mute, while: []).closed,
            .doing("slow", .slow), .doing("crawl", .slow, .mute), .doing("mute", .mute),
            .doing("soft", .mute, while: [.inactive, .background]), .doing("cap", .cap),
            .doing("tight", .cap, .slow, while: [.inactive, .background], cap: "20%"),
            .doing("all", .freeze, .slow, .mute, except: [.audio]), .doing("both", .freeze, .slow),
        ]
    }()
}
