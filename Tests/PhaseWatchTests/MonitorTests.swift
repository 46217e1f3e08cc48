import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

/// Monitors of a real display, as one program uses them.
@Suite(.serialized) struct MonitorTests {
    @Test func readsThePresentAsSoonAsItIsThere() throws {
        let display = try MonitoredDisplay()
        let alpha = try display.show("Alpha", at: 0)
        _ = try display.show("Beta", at: 1)
        display.client.setFocus(alpha.id)
        let status = SystemString("/proc/thread-self/status")
        func blockedSignals() -> Substring? {
            status.contents()?.split(separator: "\n").first { $0.hasPrefix("SigBlk") }
        }
        let blocked = try #require(blockedSignals())
        let monitor = try PhaseMonitor(display.options())
        #expect(blockedSignals() == blocked)
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

    /// A new title does not wake a watcher that does not read titles.
    @Test func detailsAreReadForThoseWhoAsk() throws {
        let display = try MonitoredDisplay()
        let alpha = try display.show("Alpha", at: 0, isOwn: true)
        alpha.setTitle("stop")
        func facts(_ monitor: PhaseMonitor) throws -> Change.SceneFacts {
            try #require(try monitor.scenes(of: .scene(UInt32(alpha.id))).first?.facts)
        }
        let plain = try facts(PhaseMonitor(display.options()))
        #expect(plain.pid == getpid() && plain.title == nil && plain.process == nil)
        let watcher = try PhaseWatcher(display.options())
        #expect(try watcher.update().count == 3)
        let monitor = try PhaseMonitor(display.options { $0.details = [.titles, .processes] })
        let process = try #require(try facts(monitor).process)
        let path = try Program.run("readlink", ["/proc/\(getpid())/exe"]).output.first
        #expect(try path?.hasSuffix("/\(process)") == true && facts(monitor).title == "stop")
        alpha.setTitle("play")
        #expect(try waitUntil { try facts(monitor).title == "play" })
        #expect(try watcher.update().isEmpty && watcher.timeout == -1)
    }

    @Test func aDisplayThatIsNotThereIsAnError() {
        #expect(throws: MonitorFailure.cannotOpenDisplay(":77777")) {
            try PhaseMonitor(.init(display: ":77777"))
        }
    }

    /// A monitor closes its connection to the display, whichever way it ends.
    @Test(arguments: ["close", "deinit"]) func leavesNothingBehind(_ way: String) throws {
        let display = try MonitoredDisplay()
        func connections() -> Int {
            let sockets = SystemString("/proc/net/unix").contents(limit: 1 << 20) ?? ""
            return sockets.split(separator: "\n").count {
                $0.hasSuffix("/X\(display.server.name.dropFirst())")
            }
        }
        let before = connections()
        var monitor: PhaseMonitor? = try PhaseMonitor(display.options())
        #expect(before > 1 && connections() == before + 1)
        if way == "close" { monitor?.close() } else { monitor = nil }
        #expect(waitUntil { connections() == before })
        withExtendedLifetime(monitor) {}
    }
}
