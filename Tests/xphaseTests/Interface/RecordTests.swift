import Glibc
import TestDesktop
import Testing

/// Recordings of `xphase record`, and their replay.
@Suite struct RecordTests {
    private let folder: TemporaryFolder
    private var file: String { folder("session.jsonl") }

    init() throws { folder = try TemporaryFolder() }

    /// Starts a recording, and waits until it has the initial state.
    private func record(on stage: Stage, _ options: String = "", to file: String? = nil) throws -> Program {
        let program = try stage.start("record \(file ?? self.file) \(options)")
        guard waitUntil({ lineCount(of: file) >= 2 }) else { throw Failure("nothing is recorded") }
        return program
    }

    private func lineCount(of file: String? = nil) -> Int {
        (try? Program.run("cat", [file ?? self.file]).output.count) ?? 0
    }

    private func replay(_ options: String, of file: String? = nil) throws -> [String] {
        let result = try XPhase.run(["replay", file ?? self.file] + XPhase.words(options), on: nil)
        #expect(result.code == 0 && result.errors == [])
        return result.output
    }

    /// A recording and a watch run at the same time.
    @Test(arguments: [WindowManager.none, .openbox])
    func aReplayReportsWhatAWatchReported(kind: WindowManager) throws {
        let levels = "--level application --level group --level scene"
        var recording: Program?
        let session = try Session(kind, XPhase.words(levels)) { recording = try record(on: $0) }
        var reported = session.initial
        let windows = try ["Alpha", "Beta", "Alpha"].enumerated().map { number, name in
            let window = session.window(.init(name), x: 100 * Int32(number), y: 50)
            reported += try session.settle { window.map() }
            return window
        }
        for act in [
            { $0.iconify() }, { $0.activate() }, { $0.move(x: 300, y: 20) },
            { $0.setClass("other", "Other") },
            { $0.iconify() }, { $0.destroy() },
        ] as [(TestWindow) -> Void] {
            for window in windows { reported += try session.settle { act(window) } }
        }
        try recording?.end(SIGTERM)
        /// The fields that do not depend on process scheduling.
        func timeless(_ lines: [Line]) -> [String] {
            lines.filter { !$0.isOfMarker }.map {
                $0.json.replacing(/"(seq|held)":[^,]*,/, with: "").replacing(/"time":"[^"]*",/, with: "")
            }
        }
        let replayed = try replay("--json --settle 250ms \(levels)").map { try Line($0) }
        #expect(timeless(replayed) == timeless(reported))
        #expect(reported.count > 20)
        for policy in ["focus", "application", "visible"] {
            let options = "--json --policy \(policy) --stepwise --occlusion 100ms"
            #expect(try replay(options) == replay(options))
        }
    }

    /// Including real-time signals.
    @Test func itEndsWholeOnAnySignalAndWithItsServer() throws {
        let (stage, window) = try Stage.alpha(.none)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGSTKFLT, 34, 64, 0] {
            let file = folder("\(signal).jsonl")
            let recording = try record(on: stage, to: file)
            let count = lineCount(of: file)
            window.unmap()
            stage.client.sync()
            #expect(waitUntil { lineCount(of: file) > count })
            if signal == 0 { try stage.display.crash() } else { recording.send(signal) }
            #expect(try recording.exitCode() == (signal == 0 ? 69 : 0), "\(signal)")
            let lines = try replay("--settle 0 --format {application}:{to}:{cause}", of: file)
            #expect(lines.first == "Alpha:active:start" && lines.count > 1, "\(signal)")
            guard signal != 0 else { return }
            window.map()
            stage.client.setFocus(window.id)
        }
    }

    /// A recording of hours, made of a short one, is read as fast as it can be.
    @Test func aTimeLimitEndsItAndAReplayTakesNoTime() throws {
        let (stage, _) = try Stage.alpha(.none)
        try stage.expect("record \(file) --for 100ms")
        let recorded = try stage.output("record - --for 100ms").joined(separator: "\n") + "\n"
        let hours = try folder.write("hours", recorded.replacing(/"at":(\d+)/) { "\($0.0)000000" })
        _ = try Program.run("gzip", ["-k", hours], package: "gzip")
        for file in [file, hours, "\(hours).gz"] {
            #expect(try replay("--format {application}", of: file) == ["Alpha"])
        }
        let piped = try Program.run(
            "sh", ["-c", "xphase replay - --format {application} <\(hours)"], environment: stage.environment)
        #expect(piped.output == ["Alpha"] && piped.errors.isEmpty)
        let refused = try stage.run("record \(file)")
        let refusal = "already exists: name another file, or overwrite it with --force"
        #expect(refused.code == 64 && refused.errors.first == "xphase: '\(file)' \(refusal)")
        try stage.expect("record \(file) --force --for 100ms")
        #expect(try replay("--format {application}").contains("Alpha"))
    }

    @Test func aFullDiskEndsItWithWholeLines() throws {
        let (stage, window) = try Stage.alpha(.none)
        let reason = "No space left on device; what was written before is complete"
        try stage.expect(
            "record /dev/full", code: 74, errors: ["xphase: cannot write to '/dev/full': \(reason)"])
        let limited = try Program(
            "sh", ["-c", "ulimit -f 16; exec xphase record \(file)"], environment: stage.environment)
        #expect(waitUntil { lineCount() >= 2 })
        // The limit of 8 KB is reached soon.
        for step in 1...100 as ClosedRange<Int32> {
            window.move(x: step, y: step)
            _ = waitUntil(within: .milliseconds(20)) { lineCount() > step }
        }
        #expect(try limited.exitCode() == 74)
        let said = try limited.errors.next()
        #expect(said?.contains("File too large; what was written before is complete") == true)
        let kept = try stage.run("replay \(file) --format {application}")
        #expect(kept.output.first == "Alpha" && kept.code == 65)
        #expect(kept.errors.first?.contains("it was cut off before its last line") == true)
    }

    @Test func titlesAndNamesAreReplaced() throws {
        let (stage, window) = try Stage.alpha(.none)
        window.setBytes("WM_NAME", "STRING", Array("Secret".utf8))
        stage.client.sync()
        try record(on: stage, "--redact --titles").end(SIGINT)
        let text = try Program.run("cat", [file]).output.joined()
        #expect(["Alpha", "alpha", "Secret"].allSatisfy { !text.contains($0) })
        let line = try replay("--format {application}:{title} --level scene").joined()
        #expect(line.wholeMatch(of: /name-[0-9a-f]+:title-[0-9a-f]+/) != nil, "\(line)")
    }

    @Test func whatIsNoRecordingIsAFault() throws {
        let (text, missing) = (try folder.write("text", "hello\n"), folder("missing"))
        for (file, error) in [
            (text, "\(text):1: this is not a recording: 'xphase record' makes one"),
            (missing, "cannot read '\(missing)': No such file or directory"),
        ] { try XPhase.expect(["replay", file], on: nil, code: 65, errors: ["xphase: \(error)"]) }
    }
}
