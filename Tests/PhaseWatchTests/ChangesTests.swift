import PhaseWatch
import TestDesktop
import Testing

/// Asynchronous sequences of the changes of a real display.
@Suite(.serialized) struct ChangesTests {
    private let display: MonitoredDisplay
    private let alpha: TestWindow
    private let monitor: PhaseMonitor

    init() throws {
        display = try MonitoredDisplay()
        alpha = try display.show("Alpha", at: 0)
        monitor = try PhaseMonitor(display.options())
    }

    @Test func beginWithThePresentUnlessAskedOtherwise() async throws {
        var whole = monitor.changes(of: .application("alpha")).makeAsyncIterator()
        var later = monitor.changes(of: .application("alpha"), initial: false).makeAsyncIterator()
        #expect(try await whole.next()?.text == "Alpha →inactive start")
        display.client.setFocus(alpha.id)
        let changes = [try await whole.next()?.text, try await later.next()?.text]
        #expect(changes == ["Alpha inactive→active focus", "Alpha inactive→active focus"])
    }

    @Test func areForSeveralConsumersAtOnce() async throws {
        let logs = [Log(), Log(), Log()]
        let tasks = logs.map { consume(monitor.changes(of: .application("*")), $0) }
        #expect(try await eventually { logs.allSatisfy { $0.all == ["Alpha →inactive start"] } })
        display.client.setFocus(alpha.id)
        alpha.destroy()
        let ends = ["Alpha active→background close", "Alpha inactive→background close"]
        #expect(
            try await eventually {
                logs.allSatisfy {
                    $0.all.last == "Alpha background→ close" && ends.contains($0.all.dropLast().last ?? "")
                }
            })
        monitor.close()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func endWithTheirTask() async throws {
        let log = Log()
        let task = consume(monitor.changes(of: .all), log)
        #expect(try await eventually { log.all.count == 3 })
        task.cancel()
        #expect(await task.value == nil)
    }

    /// Only the iteration holds the monitor.
    @Test func goOnWhileSomebodyIterates() async throws {
        let log = Log()
        let task = consume(try PhaseMonitor(display.options()).changes(of: .application("alpha")), log)
        #expect(try await eventually { log.all == ["Alpha →inactive start"] })
        display.client.setFocus(alpha.id)
        #expect(try await eventually { log.all.last == "Alpha inactive→active focus" })
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test func throwWhatEndedTheMonitor() async throws {
        let logs = [Log(), Log()]
        let tasks = logs.map { consume(monitor.changes(of: .application("alpha")), $0) }
        #expect(try await eventually { logs.allSatisfy { !$0.all.isEmpty } })
        try display.server.crash()
        for task in tasks { #expect(await task.value == .displayLost(display.server.name)) }
        await #expect(throws: PhaseMonitor.Failure.displayLost(display.server.name)) {
            for try await _ in monitor.changes(of: .all) {}
        }
    }

    @Test func keepTheLatestForAConsumerThatLags() async throws {
        var changes = monitor.changes(of: .application("alpha")).makeAsyncIterator()
        let log = Log()
        let observation = monitor.onChange(of: .application("alpha")) { log.add("\($0.text)→\($1.text)") }
        for (focus, count) in [(alpha.id, 1), (display.client.root, 2), (alpha.id, 3)] {
            display.client.setFocus(focus)
            #expect(try await eventually { log.all.count == count })
        }
        #expect(try await changes.next()?.text == "Alpha →active focus")
        withExtendedLifetime(observation) {}
    }

    @Test func ofTheOwnProcessAreThoseOfItsWindowsTogether() async throws {
        alpha.setOwner(ofThisProcess: true)
        let monitor = try PhaseMonitor(display.options())
        var changes = monitor.changes(of: .ownProcess).makeAsyncIterator()
        #expect(try await changes.next()?.text == "Alpha →inactive start")
        let beta = try display.show("Beta", at: 1, isOwn: true)
        display.client.setFocus(beta.id)
        let change = try await changes.next()
        #expect(change?.from == .inactive && change?.to == .active)
        alpha.destroy()
        beta.destroy()
        #expect(try await changes.next()?.to == .background)
        #expect(try await changes.next()?.kind == .closed)
    }

    private func consume(_ changes: PhaseMonitor.Changes, _ log: Log) -> Task<PhaseMonitor.Failure?, Never> {
        Task {
            do throws(PhaseMonitor.Failure) {
                for try await change in changes { log.add(change.text) }
                return nil
            } catch {
                return error
            }
        }
    }
}
