import Glibc
import Scenes
import TestDesktop
import Testing

@testable import X11

/// A server that does not answer.
@Suite struct StoppedServerTests {
    @Test func nothingWaitsForItAndItsAnswersComeLater() throws {
        let display = try ObservedDisplay()
        let window = TestWindow(display.client, .init("Alpha"), colour: 0)
        window.map()
        _ = try display.seen()
        window.setBytes("WM_NAME", "STRING", Array("new".utf8))
        try display.observer.noteEvents()
        display.observer.windows.readTitles()
        display.server.send(SIGSTOP)
        #expect(try !display.observer.refresh())
        #expect(display.observer.isAwaiting && display.observer.isStale)
        #expect(try !display.observer.refresh())
        display.server.send(SIGCONT)
        #expect(try waitUntil { try display.observer.refresh() })
        #expect(display.observer.desktop.windows[UInt32(window.id)]?.title == "new")
    }

    @Test func oneThatIsGrabbedIsWaitedForToo() throws {
        let display = try ObservedDisplay()
        let window = TestWindow(display.client, .init("Alpha"), colour: 0)
        window.map()
        _ = try display.seen()
        display.client.grabServer()
        // The client with the grab continues.
        window.setBytes("WM_NAME", "STRING", Array("new".utf8))
        try display.observer.noteEvents()
        display.observer.windows.readTitles()
        #expect(try !display.observer.refresh())
        // Events are not processed until the pending answers arrive.
        window.unmap()
        try display.observer.noteEvents()
        #expect(display.observer.desktop.windows[UInt32(window.id)]?.mapState == .viewable)
        display.client.releaseServer()
        #expect(try waitUntil { try display.observer.refresh() })
        let seen = try display.seen(window)
        #expect(seen?.title == "new" && seen?.mapState == .unmapped)
    }

    @Test func openingAnObserverHasALimit() throws {
        let server = try VirtualDisplay()
        let display = try Display(server.name)
        server.send(SIGSTOP)
        defer { server.send(SIGCONT) }
        #expect(throws: MonitorFailure.displaySilent(server.name)) {
            try Atoms(display, within: .milliseconds(20))
        }
    }
}

/// A server that accepts no further client.
@Suite struct FullServerTests {
    @Test func aServerWithAsManyClientsAsItAcceptsIsToldFromOneThatRefusesTheUser() throws {
        let server = try VirtualDisplay(arguments: ["-maxclients", "64"])
        var clients: [TestClient] = []
        while clients.count < 100, let client = try? TestClient(server.name) { clients.append(client) }
        #expect(throws: MonitorFailure.displayFull(server.name)) { try Display(server.name) }
        clients.removeLast()
        #expect(waitUntil { (try? Display(server.name)) != nil })
        #expect(throws: MonitorFailure.cannotOpenDisplay(":77777")) { try Display(":77777") }
    }
}
