import CXPipeline
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Whether the user is idle, according to SYNC alarms.
struct IdleTests {
    private let display: ObservedDisplay
    private static let second = SessionOptions(states: [], idle: .seconds(1))

    init() throws {
        display = try ObservedDisplay()
        try display.run("xdotool", ["key", "a"])
        display.observer.follow(Self.second)
    }

    /// Waits until an event of the server reports that the user is idle.
    private func waitUntilIdle() throws {
        let observer = display.observer
        let end = ContinuousClock.now + .seconds(20)
        while try !observer.refreshNow().session.isIdle {
            if !observer.display.hasQueuedEvents { try observer.display.wait(until: end) }
            try observer.noteEvents()
        }
    }

    private func isIdle() throws -> Bool { try display.seen().session.isIdle }

    @Test func oneWhoTouchesNothingIsIdleUntilTheNextKey() throws {
        for _ in 1...2 {
            try waitUntilIdle()
            try display.run("xdotool", ["key", "a"])
            #expect(try !isIdle())
        }
    }

    @Test func resettingTheSaverLooksLikeAReturn() throws {
        try waitUntilIdle()
        try display.run("xset", ["s", "reset"])
        #expect(try !isIdle())
    }

    @Test func anotherLimitHoldsAtOnce() throws {
        try waitUntilIdle()
        display.observer.follow(SessionOptions(states: [], idle: .seconds(3600)))
        #expect(try !isIdle())
        display.observer.follow(Self.second)
        #expect(try isIdle())
        display.observer.follow(SessionOptions(states: []))
        #expect(try !isIdle())
    }

    @Test func nothingIsAskedAndNothingComesInBetween() throws {
        try waitUntilIdle()
        let connection = display.observer.display.connection
        let before = cxp_request_count(connection)
        try display.run("xdotool", ["key", "a"])
        try display.run("xdotool", ["key", "b"])
        try display.run("xdotool", ["mousemove", "20", "20"])
        display.client.sync()
        var types: [UInt8] = []
        try display.observer.display.drain { types.append($0.type) }
        // One alarm for the user's return.
        #expect(types.filter { $0 == UInt8(CXP_ALARM_NOTIFY) }.count == 1)
        #expect(cxp_request_count(connection) == before)
    }

    /// The second limit exceeds 32 bits in milliseconds.
    @Test(arguments: [Duration.seconds(1), .seconds(60 * 86_400)])
    func theServerHasAnAlarmForEachDirection(_ limit: Duration) throws {
        display.observer.follow(SessionOptions(states: [], idle: limit))
        _ = try display.seen()
        let alarms = try #require(display.observer.session.idleAlarms)
        let client = display.client
        let counter = try #require(client.counter("IDLETIME"))
        let milliseconds = limit.components.seconds * 1000
        #expect(client.alarm(alarms.rise) == Alarm(counter: counter, limit: milliseconds, rises: true))
        #expect(client.alarm(alarms.fall) == Alarm(counter: counter, limit: milliseconds, rises: false))
        display.observer.follow(SessionOptions(states: []))
        cxp_send(display.observer.display.connection)
        #expect(waitUntil { client.alarm(alarms.rise) == nil && client.alarm(alarms.fall) == nil })
    }

    /// Returns the IDLETIME counter of a ListSystemCounters reply that claims `count` counters.
    private func counter(count: UInt32, _ bytes: [UInt8]) -> UInt32? {
        let length = UInt32(bytes.count / 4)
        let words: [UInt32] = [1, length, count] + Array(repeating: 0, count: 5)
        let reply =
            words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } } + bytes
        return reply.withUnsafeBytes { Reply(start: $0.baseAddress).counter(named: "IDLETIME") }
    }

    private func entry(_ id: UInt8, _ name: String, length: UInt8? = nil) -> [UInt8] {
        let head: [UInt8] = [id, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, length ?? UInt8(name.utf8.count), 0]
        let bytes = head + Array(name.utf8)
        return bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    @Test func theCounterIsFoundByItsName() {
        let list = entry(7, "SERVERTIME") + entry(8, "DEVICEIDLETIME 2") + entry(9, "IDLETIME")
        #expect(counter(count: 3, list) == 9)
        #expect(counter(count: 2, list) == nil)
        #expect(counter(count: 0, []) == nil)
    }
}
