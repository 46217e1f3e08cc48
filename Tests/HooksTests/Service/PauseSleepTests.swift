import System
import Testing

@testable import Hooks
@testable import Service

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
