import TestDesktop
import Testing

extension DesktopTests {
    /// Window managers that die, restart, or lie.
    @Suite struct Managers {
        @Test func deadIdsInTheClientListAreSkipped() throws {
            let session = try Session(.none)
            let lying = try LyingManager(session)
            let alpha = session.window(.init("Alpha"), x: 20)
            let beta = session.window(.init("Beta"), x: 300)
            try session.settle {
                lying.list([0x7777777, alpha.id, 1, beta.id, 0x7777778, session.client.root])
                lying.map(alpha)
                lying.map(beta)
            }
            #expect(try session.list(["--level", "application"]).map(\.application) == ["Alpha", "Beta"])
        }

        /// The task bar has WM_STATE and no window type, and IceWM does not list it.
        @Test func theTaskBarOfIceWMIsNoApplication() throws {
            let display = try VirtualDisplay()
            let icewm = try Stage.icewm(on: display)
            #expect(try XPhase.run(["list"], on: display).output == [])
            try icewm.end()
        }

        @Test func theListIsNotBelievedOfAManagerThatIsDead() throws {
            let session = try Session(.none)
            let lying = try LyingManager(session)
            let alpha = session.window(.init("Alpha"))
            #expect(try session.applications { lying.map(alpha) }.isEmpty)
            #expect(try session.list().isEmpty)
            let lines = try session.reported(until: "no window manager; every mapped window counts") {
                lying.die()
            }
            #expect(lines.map(\.description).contains("Alpha →inactive open"))
            #expect(try session.phase(of: alpha) == "inactive")
        }

        @Test func oneThatIsKilledAndComesBackChangesNoPhase() throws {
            let session = try Session(.openbox)
            let manager = try #require(session.manager)
            try session.open("Beta", x: 300)
            let alpha = try session.open("Alpha", x: 20)
            try session.settle { alpha.iconify() }

            let lines = try session.reported(until: "Openbox took over; phases were read again") {
                try manager.end()
                try manager.start(session.client)
            }
            #expect(lines.first?.text == "Openbox went away; phases are frozen")
            let changes = lines.filter { $0.kind != "notice" && $0.application != "Probe" }
            // The new manager focuses no window at first.
            #expect(changes.allSatisfy { $0.from != "background" && $0.to != "background" })
            #expect(try session.phase(of: alpha) == "background")
        }

        @Test func withoutASuccessorEveryMappedWindowCountsAfterAWhile() throws {
            let session = try Session(.openbox)
            let manager = try #require(session.manager)
            let alpha = try session.open("Alpha")
            try session.settle { alpha.iconify() }
            let lines = try session.reported(until: "no window manager; every mapped window counts") {
                try manager.end()
            }
            #expect(lines.map(\.kind).prefix(2) == ["notice", "notice"])
            // The server maps the windows that a dead manager had hidden.
            #expect(session.wait(for: alpha, onScreen: true))
            #expect(try session.phase(of: alpha) == "inactive")
        }
    }
}

/// A client that manages the screen and can publish false lists.
private final class LyingManager {
    private var client: TestClient?
    /// The marker of the session. The list contains it, since it would not be reported otherwise.
    private let marker: UInt

    init(_ session: Session) throws {
        let client = try TestClient(session.display.name)
        marker = session.marker.id
        client.manage()
        let check = TestWindow(client, .init(), colour: 0)
        check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        self.client = client
        list([])
    }

    func list(_ windows: [UInt]) {
        client?.setRoot("_NET_CLIENT_LIST", "WINDOW", windows + [marker])
    }

    func map(_ window: TestWindow) {
        client?.map(window)
    }

    /// Closes the connection; the properties stay on the root window.
    func die() {
        client = nil
    }
}

extension Session {
    /// Performs an action, and reads lines until a notice with this text.
    func reported(until text: String, _ action: () throws -> Void) throws -> [Line] {
        try action()
        var lines: [Line] = []
        while lines.last?.text != text {
            guard let line = try watch.output.next() else { throw Failure("xphase ended") }
            let next = try Line(line)
            if !next.isOfMarker { lines.append(next) }
        }
        return lines + (try settle())
    }
}
