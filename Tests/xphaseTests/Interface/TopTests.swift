import Glibc
import TestDesktop
import Testing

/// `xphase top` in a real terminal in tmux.
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
        #expect(try terminal.tmux("capture-pane", "-p").contains { $0.contains(" today*") })
        for heading in ["since*", "cpu*", "memory*", "hooks*", "application*", "phase*", "today*"] {
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
                // A truncated row has its mark in the last column.
                && $0[1].count == 20 && $0[1].last == "…"
        }
        try terminal.tmux("resize-window", "-x", "80", "-y", "12")
        try terminal.waitForScreen("  hooks")
        try terminal.type("q")
        try terminal.waitForScreen("the shell") {
            $0.contains { $0.hasPrefix("ready>") } && !$0.contains { $0.hasPrefix("Alpha ") }
        }
        #expect(try terminal.modes() == modes)
    }

    @Test func onlyWhatIsNamedIsShown() throws {
        let terminal = try TmuxTerminal(home, display, columns: 80, rows: 12)
        let beta = TestWindow(client, .init("Beta"), colour: 0x20_40_60, x: 0, y: 300)
        beta.map()
        client.sync()
        try terminal.type("xphase top be\\*,gamma", "Enter")
        try terminal.waitForScreen("Beta alone") { lines in
            lines.contains { $0.hasPrefix("Beta ") } && lines[0].hasSuffix("  1 application")
        }
    }

    @Test func aServerThatHangsDoesNotStopIt() throws {
        let terminal = try TmuxTerminal(home, display, columns: 80, rows: 12)
        try terminal.type("xphase top", "Enter")
        try terminal.waitForScreen("Alpha") { $0.contains { $0.hasPrefix("Alpha ") } }
        display.send(SIGSTOP)
        defer { display.send(SIGCONT) }
        try terminal.type("Down", "e")
        try terminal.waitForScreen("no answer within 4s")
        try terminal.type("q")
        try terminal.waitForScreen("the shell") { $0.contains { $0.hasPrefix("ready>") } }
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
        // C-s does not stop the output, so `q` can still end xphase.
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

    /// The chosen row is always visible, and keeps its application in every sort order.
    @Test func arrowsChooseARow() throws {
        for number in 1...8 {
            TestWindow(client, .init("N\(number)"), colour: 0x20_40_60, x: 0, y: 300).map()
        }
        client.sync()
        let terminal = try TmuxTerminal(home, display, columns: 80, rows: 7)
        try terminal.type("xphase top", "Enter")
        try terminal.waitForScreen("9 applications")
        func waitForChoice(_ name: String?) throws {
            try terminal.waitForScreen("\(name ?? "no") choice", escapes: true) { lines in
                lines.first { $0.isReversed }?.names.first { $0 == "Alpha" || $0.hasPrefix("N") } == name
            }
        }
        try terminal.type("Down", "Down")
        try waitForChoice("N1")
        try terminal.type("PageDown")
        try waitForChoice("N5")
        try terminal.type("Down", "Down", "Down", "Down")
        try waitForChoice("N8")
        try terminal.type("PageUp", "k")
        try waitForChoice("N3")
        try terminal.type("s")
        try waitForChoice("N3")
        try terminal.type("Escape")
        try waitForChoice(nil)
    }

    /// The usage includes all descendants, here that of `sh`.
    @Test func theProcessorTimeAndTheMemoryOfEachApplicationAreShown() throws {
        let busy = try Program(
            "xterm", ["-class", "Busy", "-e", "sh", "-c", "while :; do :; done"], package: "xterm",
            environment: home.environment.merging(display.environment) { $1 })
        let terminal = try TmuxTerminal(home, display, columns: 100, rows: 7)
        try terminal.type("xphase top", "Enter")
        func use(_ lines: [String]) -> (share: Int, megabytes: Int)? {
            guard let line = lines.first(where: { $0.hasPrefix("Busy ") }) else { return nil }
            let words = line.names
            guard let mark = words.firstIndex(of: "%"), mark + 1 < words.count,
                let share = Int(words[mark - 1]),
                let size = Int(words[mark + 1])
            else { return nil }
            return (share, size)
        }
        try terminal.waitForScreen("a busy program") {
            use($0).map { $0.share > 5 && $0.megabytes > 2 } ?? false
        }
        // Alpha is idle.
        let screen = try terminal.waitForScreen("Alpha")
        #expect(!screen.contains { $0.hasPrefix("Alpha ") && $0.contains(" 9") && $0.contains(" 9 %") })
        busy.send(SIGTERM)
    }

    @Test func keysActOnTheChosenApplication() throws {
        let hooks = try Program(
            XPhase.path, ["run"], environment: home.environment.merging(display.environment) { $1 })
        let window = try Program(
            "xterm", ["-class", "Chosen [1]", "-e", "sleep", "600"], package: "xterm",
            environment: home.environment.merging(display.environment) { $1 })
        // The service may see the window later than `top` does.
        while let line = try hooks.output.next(), !line.contains("Chosen [1]") {}
        let terminal = try TmuxTerminal(home, display, columns: 100, rows: 20)
        try terminal.type("xphase top", "Enter")
        try terminal.waitForScreen("Chosen [1]")
        try terminal.type("f")
        try terminal.waitForScreen("choose a row first")
        try terminal.type("/")
        try terminal.type("chos")
        try terminal.type("Enter", "Down")
        try terminal.type("f")
        try terminal.waitForScreen("Chosen [1] frozen")
        try terminal.waitForScreen("in the column of hooks") {
            $0.contains { $0.hasPrefix("Chosen ") && $0.hasSuffix("  frozen") }
        }
        #expect(try window.status("State").contains("T"))
        // Keys do not act on a row that a filter hides.
        try terminal.type("/")
        try terminal.type("Escape")
        try terminal.type("/")
        try terminal.type("nothing", "Enter")
        try terminal.type("t")
        try terminal.waitForScreen("choose a row first")
        try terminal.type("/")
        try terminal.type("Escape")
        try terminal.waitForScreen("Chosen [1]")
        try terminal.type("e")
        try terminal.waitForScreen("WM_CLASS")
        try terminal.type("Escape")
        try terminal.waitForScreen("application ")
        try terminal.type("t")
        try terminal.waitForScreen("thawed") { !$0.contains { $0.hasSuffix("  frozen") } }
        #expect(try waitUntil { try !window.status("State").contains("T") })
        try terminal.type("q")
        window.send(SIGTERM)
        hooks.send(SIGTERM)
        #expect(try hooks.exitCode() == 0)
    }

    @Test func withoutATerminalItNamesTheWatch() throws {
        let top = try XPhase.run(["top"], on: display, environment: home.environment)
        #expect(top.code == 64 && top.errors.first?.contains("use 'xphase watch'") == true)
        let terminal = try Terminal()
        let dumb = try XPhase.start(
            ["top"], on: display, environment: home.environment.merging(["TERM": nil]) { $1 },
            terminal: terminal)
        #expect(try dumb.exitCode() == 64)
    }
}

extension String {
    fileprivate var isReversed: Bool { contains("[7m") || contains(";7m") }

    /// The words of the line, without escape sequences.
    fileprivate var names: [String] {
        split { $0 == " " || $0 == "\u{1B}" }.map { word in
            let rest = word.first == "[" ? word.drop { $0 != "m" }.dropFirst() : word
            return String(rest)
        }
    }
}
