import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Recordings of `xphase record`, and their replay.
    @Suite struct RecordTests {
        private let folder: TemporaryFolder
        private var file: String { "\(folder.path)/session.jsonl" }

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Starts a recording, and waits until it has the initial state.
        private func record(
            on display: VirtualDisplay, _ arguments: [String] = [], to file: String? = nil
        ) throws -> Program {
            let file = file ?? self.file
            let program = try XPhase.start(["record", file] + arguments, on: display)
            guard waitUntil({ lineCount(of: file) >= 2 }) else { throw Failure("nothing is recorded") }
            return program
        }

        private func lineCount(of file: String) -> Int {
            (try? Program.run("cat", [file]).output.count) ?? 0
        }

        private func replay(_ arguments: [String], of file: String? = nil) throws -> [String] {
            try XPhase.replay(file ?? self.file, arguments)
        }

        /// Returns a line without the fields that depend on process scheduling.
        private static func timeless(_ line: String) -> String {
            line.replacing(/"(seq|held)":[^,]*,/, with: "").replacing(/"time":"[^"]*",/, with: "")
        }

        /// A recording and a watch run at the same time, during random changes.
        @Test(arguments: [WindowManager.none, .openbox])
        func aReplayReportsWhatAWatchReported(kind: WindowManager) throws {
            var recording: Program?
            let session = try Session(
                kind, ["--level", "application", "--level", "group", "--level", "scene"]
            ) {
                recording = try record(on: $0.display)
            }
            var random = SeededGenerator(seed: 7)
            var reported = session.initial
            var windows: [TestWindow] = []
            for step in 1...25 {
                reported += try session.settle {
                    let window = windows.randomElement(using: &random)
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0, 1:
                        windows.append(
                            session.window(.init("Name \(step % 3)"), x: Int32(step) * 10, y: Int32(step) * 5)
                        )
                        windows.last?.map()
                    case 2: window?.iconify()
                    case 3, 4: window?.activate()
                    case 5: window?.move(x: Int32.random(in: 0...300, using: &random), y: 20)
                    case 6: window?.setClass("other", "Other")
                    default:
                        window?.destroy()
                        windows.removeAll { $0 === window }
                    }
                }
            }
            try recording?.end(SIGTERM)
            let lines = try replay([
                "--json", "--settle", "250ms", "--level", "application", "--level", "group", "--level",
                "scene",
            ])
            let replayed = try lines.map { try Line($0) }.filter { !$0.isOfMarker }
            #expect(replayed.map { Self.timeless($0.json) } == reported.map { Self.timeless($0.json) })
            #expect(reported.count > 20)
            for policy in ["focus", "application", "visible"] {
                let options = ["--json", "--policy", policy, "--stepwise", "--occlusion", "100ms"]
                #expect(try replay(options) == replay(options))
            }
        }

        @Test func itEndsWholeOnAnySignal() throws {
            let (display, client, window) = try Stage.oneWindow()
            // Including real-time signals.
            for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGSTKFLT, 34, 64] {
                let file = "\(folder.path)/\(signal).jsonl"
                let recording = try record(on: display, to: file)
                let count = lineCount(of: file)
                window.unmap()
                client.sync()
                #expect(waitUntil { lineCount(of: file) > count })
                recording.send(signal)
                #expect(try recording.exitCode() == 0, "\(signal)")
                let lines = try replay(["--settle", "0", "--format", "{application} {to} {cause}"], of: file)
                #expect(lines.first == "Alpha active start", "\(signal)")
                #expect(lines.count > 1, "\(signal)")
                window.map()
                client.setFocus(window.id)
            }
        }

        @Test func aTimeLimitAndAFullDiskEndItWithWholeLines() throws {
            let (display, client, window) = try Stage.oneWindow()
            defer { withExtendedLifetime(client) {} }
            let timed = try XPhase.run(["record", file, "--for", "100ms"], on: display)
            #expect(timed.code == 0 && timed.errors == [])
            #expect(try replay(["--format", "{application}"]) == ["Alpha"])
            let piped = try XPhase.run(["record", "-", "--for", "100ms"], on: display)
            let copy = try folder.write("piped.jsonl", piped.output.joined(separator: "\n") + "\n")
            #expect(try replay(["--format", "{application}"], of: copy) == ["Alpha"])

            let reason = "No space left on device; what was written before is complete"
            try XPhase.expect(
                ["record", "/dev/full"], on: display, code: 74,
                errors: ["xphase: cannot write to '/dev/full': \(reason)"])

            let limited = "\(folder.path)/limited.jsonl"
            let stopped = try Program(
                "sh", ["-c", "ulimit -f 16; exec \"$@\"", "sh", XPhase.path, "record", limited],
                environment: display.environment)
            #expect(waitUntil { lineCount(of: limited) >= 2 })
            // The limit of 8 KB is reached soon.
            for step in 1...100 as ClosedRange<Int32> {
                window.move(x: step, y: step)
                _ = waitUntil(within: .milliseconds(20)) { lineCount(of: limited) > step }
            }
            #expect(try stopped.exitCode() == 74)
            let said = try stopped.errors.next()
            #expect(said?.contains("File too large; what was written before is complete") == true)
            let kept = try XPhase.run(["replay", limited, "--format", "{application}"], on: nil)
            #expect(kept.output.first == "Alpha" && kept.code == 65)
            #expect(kept.errors.first?.contains("it was cut off before its last line") == true)
            let refusal = "already exists: name another file, or overwrite it with --force"
            let again = try XPhase.run(["record", file], on: display)
            #expect(again.code == 64 && again.errors.first == "xphase: '\(file)' \(refusal)")
            try XPhase.expect(["record", file, "--force", "--for", "100ms"], on: display)
            #expect(try replay(["--format", "{application}"]).contains("Alpha"))
        }

        @Test func theEndOfTheServerIsItsEnd() throws {
            let (display, client, _) = try Stage.oneWindow()
            defer { withExtendedLifetime(client) {} }
            let recording = try record(on: display)
            try display.crash()
            #expect(try recording.exitCode() == 69)
            #expect(try replay(["--format", "{application}"]) == ["Alpha"])
        }

        @Test func titlesAndNamesAreReplaced() throws {
            let (display, client, window) = try Stage.oneWindow()
            window.setBytes("WM_NAME", "STRING", Array("Secret".utf8))
            client.sync()
            let recording = try record(on: display, ["--redact", "--titles"])
            try recording.end(SIGINT)
            let text = try Program.run("cat", [file]).output.joined()
            #expect(!text.contains("Alpha") && !text.contains("alpha") && !text.contains("Secret"))
            let line = try replay(["--format", "{application} {title}", "--level", "scene"]).joined()
            #expect(line.wholeMatch(of: /name-[0-9a-f]+ title-[0-9a-f]+/) != nil, "\(line)")
        }

        @Test func whatIsNoRecordingIsAFault() throws {
            let text = try folder.write("text", "hello\n")
            let missing = "\(folder.path)/missing"
            for (file, error) in [
                (text, "\(text):1: this is not a recording: 'xphase record' makes one"),
                (missing, "cannot read '\(missing)': No such file or directory"),
            ] { try XPhase.expect(["replay", file], on: nil, code: 65, errors: ["xphase: \(error)"]) }
        }
    }
}
