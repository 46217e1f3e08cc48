import Glibc
import TestDesktop
import Testing

struct StormTests {
    /// More than 300,000 queued events take 6 MB, and 100 MB in the queue of Xlib. Both must be freed.
    @Test func whatAStormTakesInMemoryIsGivenBack() throws {
        let session = try Session(.none)
        let windows = (1...50).map { session.window(.init("Storm\($0)"), width: 4, height: 4) }
        for window in windows { window.map() }
        // The first storm allocates the memory that is needed only once.
        try storm(over: windows, in: session, rounds: 10)
        let before = try session.watch.residentKilobytes()
        try storm(over: windows, in: session, rounds: 2000)
        #expect(try session.watch.residentKilobytes() < before + 4096)
        #expect(try session.list(["--level", "scene"]).count { $0.to != nil } == windows.count)
    }

    /// Repeatedly unmaps and maps windows while xphase is stopped.
    private func storm(over windows: [TestWindow], in session: Session, rounds: Int) throws {
        session.watch.send(SIGSTOP)
        for _ in 1...rounds {
            for window in windows { window.queueRemap() }
        }
        session.client.sync()
        session.watch.send(SIGCONT)
        try session.settle()
    }

    @Test func tenThousandWindowsAreAllTracked() throws {
        let display = try VirtualDisplay(arguments: ["-maxclients", "512"])
        let client = try TestClient(display.name)
        for number in 1...10_000 { client.queueSmallWindow(className: "Many\(number % 100)") }
        client.sync()
        let list = try XPhase.run(["list", "--json"], on: display).output.map { try Line($0) }
        #expect(list.count { $0.kind == "scene" } == 10_000)
        #expect(list.count { $0.kind == "application" } == 100)
    }
}
