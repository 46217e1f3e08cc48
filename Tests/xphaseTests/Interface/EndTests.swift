import Glibc
import TestDesktop
import Testing

/// The end of a watch, and what its output has to do with it.
struct EndTests {
    @Test(arguments: ["SIGINT", "SIGTERM", "no reader"])
    func itEndsWith0ThoughNothingHappens(_ cause: String) throws {
        let (stage, _) = try Stage.alpha(.none)
        let watch = try stage.start("watch")
        _ = try watch.output.next()
        if cause == "no reader" {
            watch.output.close()
        } else {
            watch.send(cause == "SIGINT" ? SIGINT : SIGTERM)
        }
        #expect(try watch.exitCode() == 0)
        #expect(try watch.errors.rest().isEmpty)
    }

    @Test(arguments: [
        ("watch >/dev/full", "No space left on device"), ("list >/dev/full", "No space left on device"),
        ("--help >/dev/full", "No space left on device"), ("watch >&-", "Bad file descriptor"),
        ("list >&-", "Bad file descriptor"),
    ])
    func anOutputThatFailsEndsItWith74(_ line: String, _ reason: String) throws {
        let (stage, _) = try Stage.alpha(.none)
        let result = try Program.run("sh", ["-c", "exec xphase \(line)"], environment: stage.environment)
        #expect(result.code == 74)
        #expect(result.errors == ["xphase: cannot write to standard output: \(reason)"])
    }

    @Test(arguments: [false, true])
    func aReaderThatStopsReadingDoesNotKeepItFromEnding(isTerminal: Bool) throws {
        let stage = try Stage(.none)
        for number in 1...300 { stage.client.queueSmallWindow(className: "Many\(number)") }
        stage.client.sync()
        let (terminal, pipe) = (try Terminal(), try FullPipe())
        let watch = try stage.start("--json --level scene", stdout: isTerminal ? terminal.end : pipe.writing)
        // xphase has filled the terminal, and sleeps. It blocks its signals once it watches.
        #expect(
            try waitUntil {
                try watch.status("SigBlk").hasSuffix("4002") && watch.status("wchan").contains("poll")
            })
        watch.send(SIGTERM)
        #expect(try watch.exitCode() == 0)
    }
}
