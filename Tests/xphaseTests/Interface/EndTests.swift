import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The end of a watch.
    @Suite struct End {
        @Test(arguments: [SIGINT, SIGTERM])
        func aSignalEndsItWith0(_ signal: Int32) throws {
            let session = try Session()
            session.watch.send(signal)
            #expect(try session.watch.exitCode() == 0)
            #expect(try session.watch.errors.rest().isEmpty)
        }

        @Test func aReaderThatGoesAwayEndsItWith0ThoughNothingHappens() throws {
            let session = try Session()
            session.watch.output.close()
            #expect(try session.watch.exitCode() == 0)
            #expect(try session.watch.errors.rest().isEmpty)
        }

        @Test func aReaderThatWasNeverThereEndsItWith0() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let program = try XPhase.start(["list"], on: stage.display)
            program.output.close()
            #expect(try program.exitCode() == 0)
            #expect(try program.errors.rest().isEmpty)
        }

        @Test(arguments: [
            ("watch >/dev/full", "No space left on device"), ("list >/dev/full", "No space left on device"),
            ("--help >/dev/full", "No space left on device"), ("watch >&-", "Bad file descriptor"),
            ("list >&-", "Bad file descriptor"),
        ])
        func anOutputThatFailsEndsItWith74(_ line: String, _ reason: String) throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let result = try Program.run(
                "sh", ["-c", "exec \"$0\" \(line)", XPhase.path], environment: stage.display.environment)
            #expect(result.code == 74)
            #expect(result.errors == ["xphase: cannot write to standard output: \(reason)"])
        }

        @Test func aReaderThatStopsReadingDoesNotKeepItFromEnding() throws {
            let session = try Session(.none, ["--level", "scene"], settle: "0")
            let alpha = session.window(.init("Alpha"))
            // More lines than a pipe holds.
            for _ in 1...1500 {
                alpha.map()
                alpha.unmap()
            }
            session.watch.send(SIGTERM)
            #expect(try session.watch.exitCode() == 0)
            for line in try session.watch.output.rest() { _ = try Line(line) }
        }

        @Test func aTerminalThatStopsReadingDoesNotKeepItFromEnding() throws {
            let stage = try Stage(.none)
            for number in 1...300 { stage.client.queueSmallWindow(className: "Many\(number)") }
            stage.client.sync()
            let terminal = try Terminal()
            let watch = try XPhase.start(
                ["--json", "--level", "scene"], on: stage.display, stdout: terminal.end)
            // xphase has filled the terminal, and sleeps. It blocks its signals once it watches.
            #expect(
                try waitUntil {
                    try watch.status("SigBlk").hasSuffix("4002") && watch.status("wchan").contains("poll")
                })
            watch.send(SIGTERM)
            #expect(try watch.exitCode() == 0)
        }
    }
}
