import Glibc
import TestDesktop
import Testing

/// Recordings of `xphase record`, and their replay.
struct RecordTests {
    /// Starts a recording in the home of a stage, and waits until it has the initial state.
    private static func record(
        on stage: Stage, _ options: String = "", to name: String = "a"
    ) throws -> Program {
        let program = try stage.start("record \(stage.home.path)/\(name) \(options)")
        try #require(try waitUntil { try stage.home.lines(name).count >= 2 })
        return program
    }

    private static func replay(_ options: String, of name: String = "a", on stage: Stage) throws -> [String] {
        try stage.output("replay \(stage.home.path)/\(name) \(options)")
    }

    /// A recording and a watch run at the same time.
    @Test(arguments: [WindowManager.none, .openbox])
    func aReplayReportsWhatAWatchReported(kind: WindowManager) throws {
        let levels = "--level application --level group --level scene"
        var recording: (stage: Stage, program: Program)?
        let session = try Session(kind, XPhase.words(levels)) { recording = ($0, try Self.record(on: $0)) }
        var reported = session.initial
        let windows = try ["Alpha", "Beta", "Alpha"].enumerated().map { number, name in
            let window = session.window(.init(name), x: 100 * Int32(number), y: 50)
            reported += try session.settle { window.map() }
            return window
        }
        for act in [
            { $0.iconify() }, { $0.activate() }, { $0.move(x: 300, y: 20) },
            { $0.setClass("other", "Other") }, { $0.iconify() }, { $0.destroy() },
        ] as [(TestWindow) -> Void] {
            for window in windows { reported += try session.settle { act(window) } }
        }
        let (stage, program) = try #require(recording)
        try program.end(SIGTERM)
        /// The fields that do not depend on process scheduling.
        func timeless(_ lines: [Line]) -> [String] {
            lines.filter { !$0.isOfMarker }.map {
                $0.json.replacing(/"(seq|held)":[^,]*,/, with: "").replacing(/"time":"[^"]*",/, with: "")
            }
        }
        let replayed = try Self.replay("--json --settle 250ms \(levels)", on: stage).map { try Line($0) }
        #expect(timeless(replayed) == timeless(reported) && reported.count > 20)
        for policy in ["focus", "application", "visible"] {
            let options = "--json --policy \(policy) --stepwise --occlusion 100ms"
            #expect(try Self.replay(options, on: stage) == Self.replay(options, on: stage))
        }
    }

    /// The watch reads nothing of the monitors but that.
    @Test func aReplayReportsTheMonitorsThatWerePluggedInAndOut() throws {
        var recording: (stage: Stage, program: Program)?
        let session = try Session(.none, []) { recording = ($0, try Self.record(on: $0)) }
        var reported: [Line] = []
        for layout in ["--setmonitor left 320/80x480/120+0+0 screen", "--delmonitor left"] {
            reported += try session.settle { try session.display.run("xrandr \(layout)") }
        }
        let (stage, program) = try #require(recording)
        try program.end(SIGTERM)
        #expect(reported.map(\.notice) == ["monitors", "monitors"])
        #expect(reported.map(\.text) == ["the monitors are left now", "the monitors are screen now"])
        let replayed = try Self.replay("--json", on: stage).map { try Line($0) }
        #expect(replayed.filter { $0.kind == "notice" }.map(\.text) == reported.map(\.text))
    }

    /// Including real-time signals, and the end of the server.
    @Test func aRecordingEndsWholeOnAnySignal() throws {
        let (stage, window) = try Stage.alpha(.none)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGSTKFLT, 34, 64, 0] {
            let recording = try Self.record(on: stage, to: "\(signal)")
            let count = try stage.home.lines("\(signal)").count
            window.unmap()
            stage.client.sync()
            #expect(try waitUntil { try stage.home.lines("\(signal)").count > count })
            if signal == 0 { try stage.display.crash() } else { recording.send(signal) }
            #expect(try recording.exitCode() == (signal == 0 ? 69 : 0), "\(signal)")
            let format = "--settle 0 --format {application}:{to}:{cause}"
            let lines = try Self.replay(format, of: "\(signal)", on: stage)
            #expect(lines.first == "Alpha:active:start" && lines.count > 1, "\(signal)")
            guard signal != 0 else { return }
            window.map()
            stage.client.setFocus(window.id)
        }
    }

    /// A recording of hours, made of a short one, is read as fast as it can be.
    @Test func aTimeLimitEndsARecordingAndAReplayTakesNoTime() throws {
        let (stage, _) = try Stage.alpha(.none)
        let file = "\(stage.home.path)/a"
        try stage.expect("record \(file) --for 100ms")
        let recorded = try stage.output("record - --for 100ms").joined(separator: "\n") + "\n"
        try stage.home.write("hours", recorded.replacing(/"at":(\d+)/) { "\($0.0)000000" })
        _ = try Program.run("gzip", ["-k", "\(stage.home.path)/hours"], package: "gzip")
        for name in ["a", "hours", "hours.gz"] {
            #expect(try Self.replay("--format {application}", of: name, on: stage) == ["Alpha"])
        }
        let piped = try Program.run(
            "sh", ["-c", "for f in hours hours.gz; do xphase replay - --format {application} <~/$f; done"],
            environment: stage.environment)
        #expect(piped.output == ["Alpha", "Alpha"] && piped.errors.isEmpty)
        let refused = try stage.run("record \(file)")
        let refusal = "already exists: name another file, or overwrite it with --force"
        #expect(refused.code == 64 && refused.errors.first == "xphase: '\(file)' \(refusal)")
        try stage.expect("record \(file) --force --for 100ms")
        #expect(try Self.replay("--format {application}", on: stage) == ["Alpha"])
    }

    @Test func theLengthOfARecordingCountsFromItsFirstReading() throws {
        let (stage, _) = try Stage.alpha(.none)
        let line = try ProxyDisplay(stage.display, holding: "Alpha")
        let file = "\(stage.home.path)/a"
        let recording = try stage.start("record \(file) --for 1ms --display \(line.name)")
        try line.waitUntilItHolds()
        #expect(try recording.comesToRest())
        line.release()
        #expect(try recording.exitCode() == 0)
        #expect(try Self.replay("--format {application}", on: stage) == ["Alpha"])
    }

    @Test func aRecordingOfADisplayThatDoesNotAnswerEnds() throws {
        let (stage, _) = try Stage.alpha(.none)
        let line = try ProxyDisplay(stage.display, holding: "Alpha")
        let recording = try stage.run("record \(stage.home.path)/a --for 1ms --display \(line.name)")
        #expect(recording.code == 69, "\(recording)")
        #expect(recording.errors.count == 1 && recording.errors[0].contains("'\(line.name)'"), "\(recording)")
    }

    @Test func aFullDiskEndsARecordingWithWholeLines() throws {
        let (stage, window) = try Stage.alpha(.none)
        let reason = "No space left on device; what was written before is complete"
        try stage.expect(
            "record /dev/full", code: 74, errors: ["xphase: cannot write to '/dev/full': \(reason)"])
        let limited = try Program(
            "sh", ["-c", "ulimit -f 16; exec xphase record ~/a"], environment: stage.environment)
        #expect(try waitUntil { try stage.home.lines("a").count >= 2 })
        // The limit of 8 KB is reached soon.
        for step in 1...100 as ClosedRange<Int32> {
            window.move(x: step, y: step)
            _ = try waitUntil(within: .milliseconds(20)) { try stage.home.lines("a").count > step }
        }
        #expect(try limited.exitCode() == 74)
        let said = try limited.errors.next()
        #expect(said?.contains("File too large; what was written before is complete") == true)
        let kept = try stage.run("replay \(stage.home.path)/a --format {application}")
        #expect(kept.output.first == "Alpha" && kept.code == 65)
        #expect(kept.errors.first?.contains("it was cut off before its last line") == true)
    }

    @Test func titlesAndNamesAreReplaced() throws {
        let (stage, window) = try Stage.alpha(.none)
        window.setBytes("WM_NAME", "STRING", Array("Secret".utf8))
        stage.client.sync()
        try Self.record(on: stage, "--redact --titles").end(SIGINT)
        let text = try stage.home.lines("a").joined()
        #expect(["Alpha", "alpha", "Secret"].allSatisfy { !text.contains($0) })
        let line = try Self.replay("--format {application}:{title} --level scene", on: stage).joined()
        #expect(line.wholeMatch(of: /name-[0-9a-f]+:title-[0-9a-f]+/) != nil, "\(line)")
    }

    @Test func aFileThatIsNoRecordingIsAFault() throws {
        let home = try HookHome()
        try home.write("text", "hello\n")
        let (text, missing) = ("\(home.path)/text", "\(home.path)/missing")
        for (file, error) in [
            (text, "\(text):1: this is not a recording: 'xphase record' makes one"),
            (missing, "cannot read '\(missing)': No such file or directory"),
        ] { try home.expect("replay \(file)", code: 65, errors: ["xphase: \(error)"]) }
    }
}
