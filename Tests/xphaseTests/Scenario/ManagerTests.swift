import TestDesktop
import Testing

extension DesktopTests {
    /// Window managers that die or restart.
    @Suite struct Managers {
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
