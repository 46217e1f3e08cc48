import Glibc
import TestDesktop
import Testing

@testable import Hooks
@testable import Service
@testable import System

@Suite struct PowerTests {
    typealias Supply = [String: String]

    private static func battery(_ status: String?) -> Supply {
        ["type": "Battery", "present": "1", "status": status ?? ""]
    }

    private static func mains(_ online: String) -> Supply { ["type": "Mains", "online": online] }

    @Test(
        arguments: [
            ([], .mains),
            ([mains("1")], .mains), ([mains("0")], .mains),
            ([battery("Discharging")], .battery), ([battery("Charging")], .mains),
            ([battery("Full")], .mains),
            ([battery(nil)], .mains),
            ([mains("0"), battery("Discharging")], .battery), ([battery("Discharging"), mains("1")], .mains),
            ([mains("0"), battery("Full")], .battery), ([mains("0"), battery("Unknown")], .battery),
            // Power from USB-C, which some machines do not report as mains.
            ([mains("0"), battery("Charging")], .mains),
            ([battery("Full"), battery("Discharging")], .battery),
            // The battery of a mouse, and an empty battery bay.
            ([["type": "Battery", "status": "Discharging", "scope": "Device"]], .mains),
            ([["type": "Battery", "status": "Discharging", "present": "0"]], .mains),
            ([["type": "USB", "online": "1"], battery("Discharging")], .battery),
        ] as [([Supply], Power)])
    func thePowerSupplyOfTheMachineIsKnown(supplies: [Supply], power: Power) throws {
        let folder = try TemporaryFolder()
        for (number, facts) in supplies.enumerated() {
            mkdir(folder("\(number)"), 0o755)
            for (name, value) in facts { try folder.write("\(number)/\(name)", "\(value)\n") }
        }
        #expect(Power.source(in: SystemString(folder.path)) == power)
    }

    @Test func aMachineThatShowsNothingIsOnMains() {
        #expect(Power.source(in: "/nowhere") == .mains)
    }

    /// The firmware of some batteries takes long.
    @Test func aBatteryThatDoesNotAnswerHoldsUpNothingAndIsReadAgainAfterAChange() throws {
        let battery = try Pipe()
        let source = PowerSource { [number = battery.reading] in
            var (state, answer) = (pollfd(fd: number, events: Int16(POLLIN), revents: 0), UInt8(0))
            guard poll(&state, 1, 10_000) > 0, read(number, &answer, 1) == 1 else { return .mains }
            return answer == UInt8(ascii: "b") ? .battery : .mains
        }
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        var before: [Power?] = []
        // The second time, the first reading may be older than the change.
        for _ in 1...2 { try source.follow(loop) { before.append($0) } }
        #expect(source.now == nil && before.isEmpty)
        for (text, power) in [("b", .battery), ("m", .mains)] as [(String, Power)] {
            #expect(write(battery.writing, text, 1) == 1)
            loop.setTimer(Clock.now() + .patience)
            while source.now != power, try loop.wait() == .ready {}
            #expect(source.now == power)
        }
        #expect(before == [nil, .battery])
        source.forget(loop)
        #expect(source.now == nil)
    }
}

/// A machine that is suspended during a pause.
@Suite struct PauseSleepTests {
    @Test func theTimeAsleepCounts() throws {
        var asleep = Duration.zero
        let hook = Hook(name: "a", reaction: .pair(Hook.Pair(phases: [.background], builtIns: [.mute])))
        let context = HookContext(
            environment: Environment(entries: []), display: nil, log: Log(-1) { Array($0.utf8) })
        context.sinceBoot = { Clock.sinceBoot() + asleep }
        let sink = HookSink(LoadedHooks(hook), from: nil, record: nil, context)
        sink.join(try EventLoop(display: -1, output: nil, signals: []))
        let call = #"{"method":"org.xphase.Hooks.Pause","parameters":{"milliseconds":3600000}}"#
        try sink.handle(try #require(VarlinkCall(call.utf8)))
        sink.wake()
        #expect(sink.status.map(\.state) == [.paused])
        #expect(try #require(sink.next) > Clock.now())
        asleep = .seconds(7200)
        #expect(try #require(sink.next) <= Clock.now())
        sink.wake()
        #expect(sink.status.map(\.state) == [.ready] && sink.next == nil)
    }
}
