import Glibc
import TestDesktop
import Testing

/// A real terminal with a shell for `xphase top`, in tmux, which captures the screen and types keys.
final class TmuxTerminal {
    private let home: HookHome
    private let environment: [String: String?]

    /// Starts a shell, whose prompt shows when it has the terminal again.
    init(_ home: HookHome, _ display: VirtualDisplay, columns: Int = 80, rows: Int = 12) throws {
        self.home = home
        environment = home.environment.merging(display.environment) { $1 }
            .merging(["TMUX": nil, "LC_ALL": "C.UTF-8", "PS1": "ready> "]) { $1 }
        try tmux(["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", "-i"])
        try waitForScreen("ready>")
    }

    deinit { _ = try? tmux(["kill-server"]) }

    @discardableResult func tmux(_ words: [String]) throws -> [String] {
        let result = try Program.run(
            "tmux", ["-u", "-S", "\(home.path)/tmux"] + words, package: "tmux", environment: environment)
        guard result.code == 0 else { throw Failure("tmux \(words): \(result.errors)") }
        return result.output
    }

    func type(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    /// Waits until the screen satisfies a predicate, and returns it.
    @discardableResult
    func waitForScreen(
        _ what: String, escapes: Bool = false, _ isWanted: ([String]) -> Bool
    ) throws -> [String] {
        var screen: [String] = []
        _ = try waitUntil {
            screen = try tmux(["capture-pane", "-p"] + (escapes ? ["-e"] : []))
            return isWanted(screen)
        }
        guard isWanted(screen) else { throw Failure("\(what): the screen has \(screen)") }
        return screen
    }

    @discardableResult func waitForScreen(_ text: String) throws -> [String] {
        try waitForScreen(text) { $0.contains { $0.contains(text) } }
    }

    /// Waits for the row of an application that has all these texts.
    func waitForRow(_ name: String, _ texts: String...) throws {
        try waitForScreen("\(name): \(texts)") {
            $0.contains { line in line.hasPrefix("\(name) ") && texts.allSatisfy { line.contains($0) } }
        }
    }

    /// Returns the PID of xphase in the terminal.
    func pid() throws -> pid_t {
        let shell = try tmux(["display-message", "-p", "#{pane_pid}"]).first ?? ""
        let children = try Program.run("pgrep", ["-P", shell, "xphase"], package: "procps").output
        return try #require(children.first.flatMap { pid_t($0) })
    }

    func modes() throws -> [String] {
        let terminal = try tmux(["display-message", "-p", "#{pane_tty}"]).first ?? ""
        return try Program.run("stty", ["-a", "-F", terminal], package: "coreutils").output
    }
}
