import Glibc
import TestDesktop
import Testing

@testable import PhaseWatch

/// A watcher that gets more events than it can evaluate.
@Suite struct StormTests {
    private let display: MonitoredDisplay
    private let watcher: PhaseWatcher
    private let alpha: TestWindow

    init() throws {
        display = try MonitoredDisplay()
        watcher = try PhaseWatcher(display.options())
        alpha = try display.show("Alpha", at: 0)
        _ = try watcher.update()
    }

    /// Updates the watcher until it has evaluated one more event.
    private func evaluate() throws {
        let last = watcher.lastUpdate
        for width in (100...300) where watcher.lastUpdate == last {
            alpha.resize(width: UInt32(width), height: 50)
            display.client.sync()
            _ = try watcher.update()
        }
    }

    @Test func aStormIsEvaluatedAtMostEveryFiveMillisecondsAndItsEndIsTrue() throws {
        var times = [watcher.lastUpdate]
        for width in 1...300 {
            alpha.resize(width: UInt32(width), height: 50)
            display.client.sync()
            _ = try watcher.update()
            if times.last != watcher.lastUpdate { times.append(watcher.lastUpdate) }
        }
        #expect(times.count > 2)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(5) })
        let isTrue = try waitUntil {
            _ = try watcher.update()
            return watcher.observer.desktop.windows.facts(of: UInt32(alpha.id))?.geometry?.width == 300
        }
        #expect(isTrue)
    }

    /// Contract, section 2: a destroyed window is believed at once.
    @Test func theEndOfAWindowIsReadAtOnceInAStorm() throws {
        let beta = try display.show("Beta", at: 1)
        let isReported = try waitUntil {
            _ = try watcher.update()
            return watcher.present.contains { $0.application == "Beta" }
        }
        #expect(isReported)
        try evaluate()
        beta.destroy()
        display.client.sync()
        let events = try watcher.update()
        #expect(watcher.observer.isAwaiting || !events.isEmpty)
    }

    /// What is frozen must be thawed at the first sign.
    @Test func signsDoNotWaitInAStorm() throws {
        watcher.details = [.signs]
        try evaluate()
        alpha.resize(width: 310, height: 50)
        display.client.sync()
        let last = watcher.lastUpdate
        _ = try watcher.update()
        #expect(watcher.observer.isAwaiting || watcher.lastUpdate != last)
    }
}
