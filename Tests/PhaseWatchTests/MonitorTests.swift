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
        let signals = Own.signalMask
        let monitor = try PhaseMonitor(display.options())
        #expect(Own.signalMask == signals)
        #expect(try monitor.phase(of: .application("*")) == .active)
        #expect(try monitor.phase(of: .group("beta")) == .inactive)
        #expect(try monitor.phase(of: .scene(UInt32(alpha.id))) == .active)
        #expect(try monitor.phase(of: .application("gamma")) == nil)
        let scenes = try monitor.scenes().map { "\($0.application) \($0.phase)" }
        #expect(scenes.sorted() == ["Alpha active", "Beta inactive"])
    }

    /// Only the iterations hold the monitor.
    @Test func aMonitorGoesOnWhileSomebodyIteratesAndThrowsWhatEndsIt() async throws {
        let display = try MonitoredDisplay()
        let alpha = try display.show("Alpha", at: 0)
        let changes = try PhaseMonitor(display.options()).changes(of: .application("alpha"), initial: true)
        let logs = [Log(), Log()]
        let tasks = logs.map { consume(changes, $0) }
        let cancelled = Log()
        let task = consume(changes, cancelled)
        #expect(
            try await eventually { (logs + [cancelled]).allSatisfy { $0.all == ["Alpha →inactive start"] } })
        task.cancel()
        #expect(await task.value == nil)
        display.client.setFocus(alpha.id)
        #expect(try await eventually { logs.allSatisfy { $0.all.last == "Alpha inactive→active focus" } })
        try display.server.crash()
        for task in tasks { #expect(await task.value == .displayLost(display.server.name)) }
        #expect(cancelled.all.count == 1)
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

    @Test func aDisplayThatIsNotThereIsAnError() {
        #expect(throws: MonitorFailure.cannotOpenDisplay(":77777")) {
            try PhaseMonitor(.init(display: ":77777"))
        }
    }

    /// A monitor closes its connection to the display, whichever way it ends.
    @Test(arguments: ["close", "deinit"]) func leavesNothingBehind(_ way: String) throws {
        let display = try MonitoredDisplay()
        _ = try PhaseMonitor(display.options())
        #expect(waitUntil { Own.connections(to: display) == 1 })
        var monitor: PhaseMonitor? = try PhaseMonitor(display.options())
        #expect(waitUntil { Own.connections(to: display) == 2 })
        if way == "close" { monitor?.close() } else { monitor = nil }
        #expect(waitUntil { Own.connections(to: display) == 1 })
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

    static func connections(to display: MonitoredDisplay) -> Int {
        (0..<1024).count { descriptor in
            var address = sockaddr_un()
            var size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(Int32(descriptor), $0, &size)
                }
            }
            guard code == 0, address.sun_family == AF_UNIX else { return false }
            let path = withUnsafeBytes(of: address.sun_path) { bytes in
                String(decoding: bytes.drop { $0 == 0 }.prefix { $0 != 0 }, as: UTF8.self)
            }
            return path.hasSuffix("/X\(display.server.name.dropFirst())")
        }
    }
}
