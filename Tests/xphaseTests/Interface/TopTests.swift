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

    private var environment: [String: String?] {
        home.environment.merging(display.environment) { $1 }
            .merging(["PATH": XPhase.searchPath, "TMUX": nil, "LC_ALL": "C.UTF-8", "PS1": "ready> "]) { $1 }
    }

    @discardableResult
    private func tmux(_ words: String...) throws -> [String] {
        try Program.run(
            "tmux", ["-u", "-S", "\(home.path)/tmux"] + words, package: "tmux", environment: environment
        ).output
    }

    /// Waits until the screen is as it is wanted, and returns it.
    @discardableResult
    private func awaits(_ what: String, _ isWanted: ([String]) -> Bool) throws -> [String] {
        var screen: [String] = []
        _ = try waitUntil {
            screen = try tmux("capture-pane", "-p")
            return isWanted(screen)
        }
        guard isWanted(screen) else { throw Failure("\(what): the screen has \(screen)") }
        return screen
    }

    private func awaits(_ text: String) throws { try awaits(text) { $0.contains { $0.contains(text) } } }

    /// Begins with a shell, whose prompt tells when the terminal is its own again.
    private func inTerminal(_ columns: Int, _ rows: Int, _ body: () throws -> Void) throws {
        try tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", "-i")
        defer { _ = try? tmux("kill-server") }
        try awaits("ready>")
        try body()
    }

    private func type(_ keys: String...) throws {
        let result = try Program.run(
            "tmux", ["-S", "\(home.path)/tmux", "send-keys"] + keys, package: "tmux", environment: environment
        )
        #expect(result.code == 0, "\(result.errors)")
    }

    /// The number of the program within the terminal.
    private func pid() throws -> pid_t {
        let shell = try tmux("display-message", "-p", "#{pane_pid}").first ?? ""
        let children = try Program.run("pgrep", ["-P", shell, "xphase"], package: "procps").output
        return try #require(children.first.flatMap { pid_t($0) })
    }

    private func modes() throws -> [String] {
        let terminal = try tmux("display-message", "-p", "#{pane_tty}").first ?? ""
        return try Program.run("stty", ["-a", "-F", terminal], package: "coreutils").output
    }

    @Test func keysSortAndFilterAndQuitLeavesTheTerminalAsItWas() throws {
        try inTerminal(80, 12) {
            let modes = try modes()
            try type("echo before; xphase top", "Enter")
            try awaits("Alpha") { $0.contains { $0.hasPrefix("Alpha ") && $0.contains(" active ") } }
            let beta = TestWindow(client, .init("Beta"), colour: 0x20_40_60, x: 0, y: 300)
            beta.map()
            client.sync()
            try awaits("Beta") { $0.contains { $0.hasPrefix("Beta ") && $0.contains(" inactive ") } }
            #expect(try tmux("capture-pane", "-p").contains { $0.contains(" active*") })
            try type("s")
            try awaits("application*")
            try type("/")
            try type("bet")
            try awaits("a filter") {
                !$0.contains { $0.hasPrefix("Alpha") } && $0.contains { $0.contains("/bet_") }
            }
            try type("Enter")
            try awaits("  /bet")
            try type("Escape")
            try awaits("Alpha")
            try tmux("resize-window", "-x", "20", "-y", "5")
            try awaits("five rows") {
                $0.count == 5 && $0.contains { $0.hasPrefix("Alpha ") && $0.contains("active") }
            }
            try tmux("resize-window", "-x", "80", "-y", "12")
            try awaits("background")
            try type("q")
            try awaits("the shell") {
                $0.contains { $0.hasPrefix("ready>") } && !$0.contains { $0.hasPrefix("Alpha ") }
            }
            #expect(try self.modes() == modes)
        }
    }

    @Test func itLeavesTheTerminalAsItWasHoweverItEnds() throws {
        try inTerminal(80, 12) {
            let modes = try modes()
            func starts() throws {
                try type("clear; xphase top", "Enter")
                try awaits("Alpha")
            }
            func hasLeft() throws {
                try awaits("the shell") {
                    $0.contains { $0.hasPrefix("ready>") } && !$0.contains { $0.hasPrefix("Alpha ") }
                }
                #expect(try waitUntil { try self.modes() == modes })
            }
            try starts()
            kill(try pid(), SIGTERM)
            try hasLeft()
            try starts()
            try type("C-c")
            try hasLeft()
            try starts()
            try type("C-z")
            try hasLeft()
            try type("fg", "Enter")
            try awaits("Alpha")
            try type("q")
            try hasLeft()
        }
    }

    @Test func withoutATerminalItWatches() throws {
        let top = try XPhase.start(["top"], on: display, environment: home.environment)
        while let line = try top.output.next(), !line.contains("Alpha") {}
        #expect(try top.errors.next()?.contains("that of 'xphase watch'") == true)
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
