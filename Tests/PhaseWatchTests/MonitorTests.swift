import Glibc
import PhaseWatch
import TestDesktop
import Testing

/// Monitors of a real display, as one program uses them.
@Suite(.serialized) struct MonitorTests {
    @Test func readsThePresentAsSoonAsItIsThere() throws {
        let display = try MonitoredDisplay()
        let alpha = try display.show("Alpha", at: 0)
        _ = try display.show("Beta", at: 1)
        display.client.setFocus(alpha.id)
        let monitor = try PhaseMonitor(display.options())
        #expect(try monitor.phase(of: .application("alpha")) == .active)
        #expect(try monitor.phase(of: .application("b*")) == .inactive)
        #expect(try monitor.phase(of: .application("*")) == .active)
        #expect(try monitor.phase(of: .group("beta")) == .inactive)
        #expect(try monitor.phase(of: .scene(UInt32(alpha.id))) == .active)
        #expect(try monitor.phase(of: .application("gamma")) == nil)
        #expect(
            try monitor.scenes(of: .application("*")).map { "\($0.application) \($0.phase)" }.sorted() == [
                "Alpha active", "Beta inactive",
            ])
        #expect(try monitor.scenes().count == 2)
    }

    /// Only the iteration holds the monitor.
    @Test func aMonitorGoesOnWhileSomebodyIterates() async throws {
        let display = try MonitoredDisplay()
        let alpha = try display.show("Alpha", at: 0)
        let log = Log()
        let task = consume(
            try PhaseMonitor(display.options()).changes(of: .application("alpha"), initial: true), log)
        #expect(try await eventually { log.all == ["Alpha →inactive start"] })
        display.client.setFocus(alpha.id)
        #expect(try await eventually { log.all.last == "Alpha inactive→active focus" })
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test func iterationsThrowWhatEndedTheMonitor() async throws {
        let display = try MonitoredDisplay()
        _ = try display.show("Alpha", at: 0)
        let monitor = try PhaseMonitor(display.options())
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

    @Test func theOwnProcessIsItsWindowsWhateverTheyAreCalled() throws {
        let display = try MonitoredDisplay(.openbox)
        let monitor = try PhaseMonitor(display.options())
        let log = Log()
        let observation = try monitor.onChange(of: .ownProcess, initial: true) {
            log.add("\($0.text)→\($1.text)")
        }
        let one = try display.show("One", at: 0, isOwn: true)
        one.activate()
        var expected = ["nothing→nothing", "nothing→active"]
        #expect(log.wait(for: expected) == expected)
        let two = try display.show("Two", at: 1, isOwn: true)
        two.activate()
        let other = try display.show("Other", at: 2)
        other.activate()
        expected += ["active→inactive"]
        #expect(log.wait(for: expected) == expected)
        two.activate()
        expected += ["inactive→active"]
        #expect(log.wait(for: expected) == expected)
        // The inactive window is iconified first. Nothing changes until a slow window manager iconifies the other one.
        one.iconify()
        two.iconify()
        expected += ["active→background"]
        #expect(log.wait(for: expected) == expected)
        #expect(try monitor.phase(of: .ownProcess) == .background)
        #expect(try monitor.scenes(of: .ownProcess).map(\.phase) == [.background, .background])
        one.destroy()
        two.destroy()
        expected += ["background→nothing"]
        #expect(log.wait(for: expected) == expected)
        withExtendedLifetime(observation) {}
    }

    @Test func aDisplayThatIsNotThereIsAnError() {
        #expect(throws: MonitorFailure.cannotOpenDisplay(":77777")) {
            try PhaseMonitor(.init(display: ":77777"))
        }
    }

    @Test func takesNoSignals() throws {
        let display = try MonitoredDisplay()
        let before = Own.signalMask
        let monitor = try PhaseMonitor(display.options())
        #expect(Own.signalMask == before)
        withExtendedLifetime(monitor) {}
    }
}

/// The state of this process.
private enum Own {
    /// Whether this thread blocks each of the signals that end programs.
    static var signalMask: [Bool] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return [SIGINT, SIGTERM, SIGPIPE, SIGHUP].map { sigismember(&mask, $0) == 1 }
    }
}
