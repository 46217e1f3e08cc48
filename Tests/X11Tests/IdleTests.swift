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
        let before = display.requestCount
        try display.run("xdotool", ["key", "a"])
        try display.run("xdotool", ["key", "b"])
        try display.run("xdotool", ["mousemove", "20", "20"])
        display.client.sync()
        var alarms = 0
        try display.observer.display.drain { if case .alarm = $0.kind { alarms += 1 } }
        // One alarm for the user's return.
        #expect(alarms == 1)
        #expect(display.requestCount == before)
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
        display.observer.display.send()
        #expect(waitUntil { client.alarm(alarms.rise) == nil && client.alarm(alarms.fall) == nil })
    }
}
