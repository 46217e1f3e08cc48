import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// xphase as a job of an interactive shell with its own terminal, and a program that it freezes.
    @Suite struct JobControl {
        private let home: HookHome
        private let session: Session
        private let window: ProgramWindow
        private let terminal: Terminal
        private let shell: Program

        init() throws {
            terminal = try Terminal()
            home = try HookHome(FreezeTests.hook("initial = true"))
            session = try Session(.openbox)
            window = try ProgramWindow.terminal(session)
            window.iconify()
            try session.settle()
            let environment = home.environment.merging(session.display.environment) { $1 }
            shell = try Program(
                "sh", ["-i"], environment: environment.merging(["ENV": nil, "PS1": "$ "]) { $1 },
                terminal: terminal)
        }

        /// Reads the terminal until a line contains the text.
        private func wait(for text: String) throws {
            while let line = try terminal.output.next() { if line.contains(text) { return } }
            throw Failure("the shell ended before '\(text)'")
        }

        private func xphase() throws -> pid_t {
            let children = try Program.run("pgrep", ["-P", "\(shell.pid)", "xphase"], package: "procps")
            return try #require(children.output.first.flatMap { pid_t($0) })
        }

        private static let on = "xphase on xterm background --initial --do freeze"

        /// - Parameter signal: The signal sent to xphase; nil for Ctrl-Z on the terminal.
        @Test(arguments: [(on, nil), ("xphase run", SIGTTIN), ("xphase run", SIGTTOU)])
        func frozenProgramsGoOnWhileXphaseIsStopped(_ command: String, _ signal: Int32?) throws {
            terminal.type("\(command)\n")
            try wait(for: "XTerm frozen (")
            if let signal { kill(try xphase(), signal) } else { terminal.type("\u{1a}") }
            try wait(for: "XTerm thawed: xphase is stopped")
            try wait(for: "Stopped")
            #expect(try waitUntil { try FreezeTests.runs(window) })
            terminal.type("fg\n")
            try wait(for: "xphase: continued")
            try wait(for: "XTerm frozen (")
            #expect(try waitUntil { try FreezeTests.isFrozen(window) })
            terminal.type("\u{3}")
            try wait(for: "XTerm thawed")
            #expect(try waitUntil { try FreezeTests.runs(window) })
        }

        @Test(arguments: [on, "xphase run"])
        func linesToItsTerminalDoNotStopXphaseInTheBackground(_ command: String) throws {
            terminal.type("stty tostop; \(command) &\n")
            try wait(for: "XTerm frozen (")
            window.activate()
            try wait(for: "XTerm thawed: it is shown")
            #expect(try waitUntil { try FreezeTests.runs(window) })
            kill(try xphase(), SIGTERM)
            #expect(try waitUntil { try home.records().isEmpty })
        }
    }
}
