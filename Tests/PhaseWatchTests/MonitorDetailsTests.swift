import Glibc
import PhaseWatch
import TestDesktop
import Testing

/// The details that monitors of a real display read on request.
@Suite(.serialized) struct MonitorDetailsTests {
    private let display: MonitoredDisplay
    private let alpha: TestWindow

    init() throws {
        display = try MonitoredDisplay()
        alpha = try display.show("Alpha", at: 0, isOwn: true)
        alpha.setTitle("stop")
    }

    private func facts(_ monitor: PhaseMonitor) throws -> Change.SceneFacts? {
        try monitor.scenes(of: .scene(UInt32(alpha.id))).first?.facts
    }

    @Test func areNothingToWhoDoesNotAsk() throws {
        let monitor = try PhaseMonitor(display.options())
        #expect(try facts(monitor)?.pid == getpid())
        #expect(try facts(monitor)?.title == nil && facts(monitor)?.process == nil)
        let watcher = try PhaseWatcher(display.options())
        #expect(try watcher.update().count == 3)
        // The new title does not wake the watcher.
        alpha.setTitle("new")
        #expect(try watcher.update().isEmpty && watcher.timeout == -1)
    }

    @Test func areTheTitleAndTheProcessOfWhoDoes() throws {
        let monitor = try PhaseMonitor(display.options { $0.details = [.titles, .processes] })
        #expect(try facts(monitor)?.title == "stop")
        let process = try #require(try facts(monitor)?.process)
        let path = try #require(try Program.run("readlink", ["/proc/\(getpid())/exe"]).output.first)
        #expect(path.hasSuffix("/\(process)"))
        alpha.setTitle("play")
        #expect(try waitUntil { try facts(monitor)?.title == "play" })
    }
}
