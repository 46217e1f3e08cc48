import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Signals, failing outputs and slow readers of `xphase on`.
    @Suite struct OnEnd {
        private static let initially = ["on", "*", "active", "--initial", "--"]

        private static func stage() throws -> Stage { try Stage.active(.init("Alpha")).0 }

        /// The child is in the same process group, so both receive the signal.
        private static let script = """
            trap 'echo parent; exit' INT
            sh -c 'trap "echo child; exit" INT; echo ready; while :; do sleep 0.05; done'
            """

        @Test func controlCOnATerminalReachesTheCommandAndItsChildren() throws {
            let stage = try Self.stage()
            let terminal = try Terminal()
            let on = try XPhase.start(
                Self.initially + ["sh", "-c", Self.script], on: stage.display, terminal: terminal)
            var lines: [String] = []
            while lines.last?.contains("ready") != true {
                lines.append(try #require(try terminal.output.next()))
            }
            terminal.type("\u{3}")
            #expect(try on.exitCode() == 0)
            let rest = try terminal.text()
            // Compared as bytes, since "\r\n" is one Character.
            #expect(rest.utf8.contains("child\r\n".utf8) && rest.utf8.contains("parent\r".utf8))
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func aSignalReachesTheCommandAndItsChildren(_ signal: Int32) throws {
            let stage = try Self.stage()
            let script = Self.script.replacing(" INT", with: signal == SIGINT ? " INT" : " TERM")
            let on = try XPhase.start(Self.initially + ["sh", "-c", script], on: stage.display)
            #expect(try on.output.next() == "ready")
            on.send(signal)
            // Shells report programs ended by a signal.
            #expect(try on.output.rest().filter { $0 != "Terminated" } == ["child", "parent"])
            #expect(try on.exitCode() == 0)
        }

        @Test func anOutputThatFailsIsItsEnd() throws {
            let stage = try Self.stage()
            let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
            defer { close(full) }
            let on = try XPhase.start(
                Self.initially + ["echo", "lost"], on: stage.display, stdout: full)
            #expect(try on.exitCode() == 74)
            #expect(
                try on.errors.rest().last
                    == "xphase: cannot write to standard output: No space left on device")
        }

        @Test func aReaderThatStopsReadingDoesNotKeepItFromRunning() throws {
            let stage = try Self.stage()
            let folder = try TemporaryFolder()
            let pipe = try FullPipe()
            let script = "echo lost; echo $XPHASE_TO >>\(folder.path)/ran"
            let on = try XPhase.start(
                Self.initially + ["sh", "-c", script], on: stage.display, stdout: pipe.writing,
                stderr: pipe.writing)
            for number in 1...3 {
                let isDone = try waitUntil {
                    try Program.run("cat", ["\(folder.path)/ran"]).output.count == number
                }
                #expect(isDone)
                try stage.show(.init("Next\(number)"), x: 30 * Int32(number))
            }
            on.send(SIGTERM)
            #expect(try on.exitCode() == 0)
        }
    }
}
