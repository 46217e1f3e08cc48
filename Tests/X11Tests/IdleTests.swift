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

    /// A program that asks may know of an inhibitor. A key may come before its answer.
    @Test func whoIsAskedAboutIsIdleOnceThatIsConfirmed() throws {
        let session = display.observer.session
        display.observer.follow(SessionOptions(states: [], idle: .seconds(3600)))
        _ = try display.seen()
        let alarms = try #require(session.idleAlarms)
        session.asksBeforeIdle = true
        let steps: [(event: UInt32?, isAwaited: Bool, isIdle: Bool)] = [
            (nil, false, false), (alarms.rise, true, false), (alarms.rise, true, false),
            (alarms.fall, false, false), (nil, false, false), (alarms.rise, true, false), (nil, false, true),
            (alarms.rise, false, true), (nil, false, true), (alarms.fall, false, false),
            (nil, false, false),
        ]
        for (number, step) in steps.enumerated() {
            // Without an event, it is confirmed.
            if let alarm = step.event {
                display.observer.note(DisplayEvent(.alarm, of: alarm))
            } else {
                session.confirmIdle()
            }
            #expect(try isIdle() == step.isIdle, "step \(number)")
            #expect(session.awaitsIdle == step.isAwaited, "step \(number)")
        }
    }

    @Test func aFirstReadingAsksWhetherAUserIsIdleWhoTouchesNothing() throws {
        let window = TestWindow(display.client, .init("Alpha"), colour: 0)
        window.map()
        #expect(waitUntil { window.isOnScreen })
        display.client.setFocus(window.id)
        func asked(_ isIdle: Bool, _ options: SessionOptions = Self.second) throws -> [String?] {
            let late = try DesktopObserver(Display(display.server.name), host: .here)
            late.follow(options)
            var asked: [String?] = []
            try late.refreshNow { active in
                asked.append(active?.name)
                return isIdle
            }
            #expect(late.desktop.session.isIdle == (isIdle && !asked.isEmpty))
            #expect(late.session.awaitsIdle == (!isIdle && !asked.isEmpty))
            return asked
        }
        try waitUntilIdle()
        #expect(try asked(true) == ["Alpha"])
        #expect(try asked(false) == ["Alpha"])
        #expect(try asked(true, SessionOptions(states: [], idle: .seconds(3600))) == [])
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
    @Test(arguments: [Duration.zero, .seconds(1), .seconds(60 * 86_400)])
    func theServerHasAnAlarmForEachDirection(_ limit: Duration) throws {
        display.observer.follow(SessionOptions(states: [], idle: limit))
        _ = try display.seen()
        let alarms = try #require(display.observer.session.idleAlarms)
        let client = display.client
        let counter = try #require(client.counter("IDLETIME"))
        // An alarm at 0 would never fire.
        let milliseconds = max(1, limit.components.seconds * 1000)
        #expect(client.alarm(alarms.rise) == Alarm(counter: counter, limit: milliseconds, rises: true))
        #expect(client.alarm(alarms.fall) == Alarm(counter: counter, limit: milliseconds, rises: false))
        display.observer.follow(SessionOptions(states: []))
        display.observer.display.send()
        #expect(!display.observer.session.reportsIdle)
        #expect(waitUntil { client.alarm(alarms.rise) == nil && client.alarm(alarms.fall) == nil })
    }
}
