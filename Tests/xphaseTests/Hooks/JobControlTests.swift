import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// xphase as a job that an interactive shell stops and continues.
    @Suite struct JobControl {
        /// A shell with its own terminal, and a program that xphase freezes.
        private struct Job {
            let home: HookHome
            let session: Session
            let window: ProgramWindow
            let terminal: Terminal
            let shell: Program

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
            func wait(for text: String) throws {
                while let line = try terminal.output.next() { if line.contains(text) { return } }
                throw Failure("the shell ended before '\(text)'")
            }

            func xphase() throws -> pid_t {
                let children = try Program.run("pgrep", ["-P", "\(shell.pid)", "xphase"], package: "procps")
                return try #require(children.output.first.flatMap { pid_t($0) })
            }
        }

        private static let on = "xphase on xterm background --initial --do freeze"

        /// - Parameter signal: The signal sent to xphase; nil for Ctrl-Z on the terminal.
        @Test(arguments: [(on, nil), ("xphase run", SIGTTIN), ("xphase run", SIGTTOU)])
        func whatItHasFrozenGoesOnWhileItIsStopped(_ command: String, _ signal: Int32?) throws {
            let job = try Job()
            job.terminal.type("\(command)\n")
            try job.wait(for: "XTerm frozen (")
            if let signal { kill(try job.xphase(), signal) } else { job.terminal.type("\u{1a}") }
            try job.wait(for: "XTerm thawed: xphase is stopped")
            try job.wait(for: "Stopped")
            #expect(try waitUntil { try FreezeTests.runs(job.window) })
            job.terminal.type("fg\n")
            try job.wait(for: "XTerm frozen (")
            #expect(try waitUntil { try FreezeTests.isFrozen(job.window) })
            job.terminal.type("\u{3}")
            try job.wait(for: "XTerm thawed")
            #expect(try waitUntil { try FreezeTests.runs(job.window) })
        }

        @Test(arguments: [on, "xphase run"])
        func itsOwnLinesDoNotStopItInTheBackground(_ command: String) throws {
            let job = try Job()
            job.terminal.type("stty tostop; \(command) &\n")
            try job.wait(for: "XTerm frozen (")
            job.window.activate()
            try job.wait(for: "XTerm thawed: it is shown")
            #expect(try waitUntil { try FreezeTests.runs(job.window) })
            kill(try job.xphase(), SIGTERM)
            #expect(try waitUntil { try job.home.records().isEmpty })
        }
    }
}
