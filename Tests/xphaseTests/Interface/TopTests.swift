import Glibc
import TestDesktop
import Testing

/// `xphase top` in a real terminal: tmux shows what is on it, and types.
struct TopTests {
    private let home: HookHome
    private let display: VirtualDisplay
    private let client: TestClient
    private let alpha: TestWindow

    init() throws {
        home = try HookHome()
        (display, client, alpha) = try Stage.oneWindow()
    }

    @Test func keysSortAndFilterAndQuitLeavesTheTerminalAsItWas() throws {
        let terminal = try TmuxTerminal(home, display, columns: 80, rows: 12)
        let modes = try terminal.modes()
        try terminal.type("echo before; xphase top", "Enter")
        try terminal.waitForScreen("Alpha") {
            $0.contains { $0.hasPrefix("Alpha ") && $0.contains(" active ") }
        }
        let beta = TestWindow(client, .init("Beta"), colour: 0x20_40_60, x: 0, y: 300)
        beta.map()
        client.sync()
        try terminal.waitForScreen("Beta") {
            $0.contains { $0.hasPrefix("Beta ") && $0.contains(" inactive ") }
        }
        #expect(try terminal.tmux("capture-pane", "-p").contains { $0.contains(" active*") })
        for heading in ["application*", "phase*", "since*", "active*", "application*"] {
            try terminal.type("s")
            try terminal.waitForScreen(heading)
        }
        try terminal.type("/")
        try terminal.type("bet")
        try terminal.waitForScreen("a filter") {
            !$0.contains { $0.hasPrefix("Alpha") } && $0.contains { $0.contains("/bet_") }
        }
        try terminal.type("Enter")
        try terminal.waitForScreen("  /bet")
        try terminal.type("Escape")
        try terminal.waitForScreen("Alpha")
        try terminal.tmux("resize-window", "-x", "20", "-y", "5")
        try terminal.waitForScreen("five rows") {
            $0.count == 5 && $0.contains { $0.hasPrefix("Alpha ") && $0.contains("active") }
                // A row that is cut has its mark in the last column.
                && $0[1].count == 20 && $0[1].last == "…"
        }
        try terminal.tmux("resize-window", "-x", "80", "-y", "12")
        try terminal.waitForScreen("background")
        try terminal.type("q")
        try terminal.waitForScreen("the shell") {
            $0.contains { $0.hasPrefix("ready>") } && !$0.contains { $0.hasPrefix("Alpha ") }
        }
        #expect(try terminal.modes() == modes)
    }

    @Test func itLeavesTheTerminalAsItWasHoweverItEnds() throws {
        let terminal = try TmuxTerminal(home, display, columns: 80, rows: 12)
        let modes = try terminal.modes()
        func starts() throws {
            try terminal.type("clear; xphase top", "Enter")
            try terminal.waitForScreen("Alpha")
        }
        func hasLeft() throws {
            try terminal.waitForScreen("the shell") {
                $0.contains { $0.hasPrefix("ready>") } && !$0.contains { $0.hasPrefix("Alpha ") }
            }
            #expect(try waitUntil { try terminal.modes() == modes })
        }
        try starts()
        kill(try terminal.pid(), SIGTERM)
        try hasLeft()
        try starts()
        try terminal.type("C-c")
        try hasLeft()
        try starts()
        // It stops no output, and so not the end of it.
        try terminal.type("C-s", "q")
        try hasLeft()
        try starts()
        try terminal.type("C-z")
        try hasLeft()
        try terminal.type("fg", "Enter")
        try terminal.waitForScreen("Alpha")
        try terminal.type("q")
        try hasLeft()
    }

    @Test func arrowsScroll() throws {
        let windows = (1...8).map { number in
            TestWindow(client, .init("N\(number)"), colour: 0x20_40_60, x: 0, y: 300)
        }
        for window in windows { window.map() }
        client.sync()
        let terminal = try TmuxTerminal(home, display, columns: 80, rows: 7)
        try terminal.type("xphase top", "Enter")
        try terminal.waitForScreen("  9 applications")
        try terminal.type("s")
        func waitForScreen(_ names: String...) throws {
            try terminal.waitForScreen("\(names)") {
                $0.dropFirst(3).map { $0.split(separator: " ").first.map { String($0) } ?? "" } == names
            }
        }
        try waitForScreen("Alpha", "N1", "N2", "N3")
        try terminal.type("Down")
        try waitForScreen("N1", "N2", "N3", "N4")
        try terminal.type("End")
        try waitForScreen("N5", "N6", "N7", "N8")
        try terminal.type("Down", "Up")
        try waitForScreen("N4", "N5", "N6", "N7")
        try terminal.type("PageUp")
        try waitForScreen("Alpha", "N1", "N2", "N3")
    }

    /// Between changes nothing wakes it but the next minute of its clock.
    @Test func nothingElseWakesItThanTheNextMinute() throws {
        // Of another display: its times are not those of this one.
        let (day, moment) = try (date("+%F"), date("-u", "+%FT%T.000000Z"))
        let head = "\"run\":1,\"time\":\"\(moment)\",\"clock\":1.000"
        try home.writeJournal(
            day,
            "{\"kind\":\"start\",\(head),\"v\":1,\"display\":\":other\"}\n{\"kind\":\"stop\",\(head)}\n")
        let terminal = try TmuxTerminal(home, display, columns: 80, rows: 12)
        try terminal.type("xphase top", "Enter")
        try terminal.waitForScreen("times since ")
        try terminal.waitForScreen("Alpha")
        let pid = try terminal.pid()
        func wakeUps() throws -> [String] {
            try Program.run("grep", ["^voluntary_ctxt_switches", "/proc/\(pid)/status"]).output
        }
        func timer() throws -> [Int] {
            let texts = try Program.run("sh", ["-c", "grep -h ^it_value /proc/\(pid)/fdinfo/*"]).output
            return texts.compactMap { $0.split { !$0.isNumber }.first.flatMap { Int($0) } }.filter(
                (1...60).contains)
        }
        // It has drawn what there is, and asked the hooks.
        #expect(
            try waitUntil {
                let before = try wakeUps()
                poll(nil, 0, 1500)
                return try before == wakeUps()
            })
        #expect(
            try waitUntil {
                let (seconds, left) = try (Int(date("+%-S")) ?? 0, timer())
                return left.contains { [59, 60].contains(seconds + $0) }
            })
    }

    private func date(_ arguments: String...) throws -> String {
        try Program.run("date", arguments, package: "coreutils").output.first ?? ""
    }

    @Test func withoutATerminalItWatches() throws {
        let top = try XPhase.start(["top"], on: display, environment: home.environment)
        while let line = try top.output.next(), !line.contains("Alpha") {}
        #expect(try top.errors.next()?.contains("the lines of 'xphase watch' follow") == true)
        top.send(SIGTERM)
        #expect(try top.exitCode() == 0)
        let terminal = try Terminal()
        let dumb = try XPhase.start(
            ["top"], on: display, environment: home.environment.merging(["TERM": nil]) { $1 },
            terminal: terminal)
        while let line = try terminal.output.next(), !line.contains("Alpha") {}
        dumb.send(SIGTERM)
        #expect(try dumb.exitCode() == 0)
    }
}
