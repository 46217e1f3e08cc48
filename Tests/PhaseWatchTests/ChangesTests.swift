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

    @Test func beginWithThePresentIfAskedFor() async throws {
        var whole = monitor.changes(of: .application("alpha"), initial: true).makeAsyncIterator()
        var later = monitor.changes(of: .application("alpha")).makeAsyncIterator()
        #expect(try await whole.next()?.text == "Alpha →inactive start")
        display.client.setFocus(alpha.id)
        let changes = [try await whole.next()?.text, try await later.next()?.text]
        #expect(changes == ["Alpha inactive→active focus", "Alpha inactive→active focus"])
    }

    /// Only the iteration holds the monitor.
    @Test func goOnWhileSomebodyIterates() async throws {
        let log = Log()
        let task = consume(
            try PhaseMonitor(display.options()).changes(of: .application("alpha"), initial: true), log)
        #expect(try await eventually { log.all == ["Alpha →inactive start"] })
        display.client.setFocus(alpha.id)
        #expect(try await eventually { log.all.last == "Alpha inactive→active focus" })
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test func throwWhatEndedTheMonitor() async throws {
        let logs = [Log(), Log()]
        let tasks = logs.map { consume(monitor.changes(of: .application("alpha"), initial: true), $0) }
        #expect(try await eventually { logs.allSatisfy { !$0.all.isEmpty } })
        try display.server.crash()
        for task in tasks { #expect(await task.value == .displayLost(display.server.name)) }
        await #expect(throws: MonitorFailure.displayLost(display.server.name)) {
            for try await _ in monitor.changes(of: .all) {}
        }
    }

    private func consume(_ changes: PhaseMonitor.Changes, _ log: Log) -> Task<MonitorFailure?, Never> {
        Task {
            do throws(MonitorFailure) {
                for try await change in changes { log.add(change.text) }
                return nil
            } catch {
                return error
            }
        }
    }
}
