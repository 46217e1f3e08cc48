import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// What `xphase record` writes, and `xphase replay` tells of it.
    @Suite struct RecordTests {
        private let folder: TemporaryFolder
        private var file: String { "\(folder.path)/session.jsonl" }

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Starts it, and waits for its first look.
        private func record(
            on display: VirtualDisplay, _ arguments: [String] = [], to file: String? = nil
        ) throws -> Program {
            let file = file ?? self.file
            let program = try XPhase.start(["record", file] + arguments, on: display)
            guard waitUntil({ lineCount(of: file) >= 2 }) else { throw Failure("nothing is recorded") }
            return program
        }

        private func lineCount(of file: String) -> Int {
            (try? Program.run("wc", ["-l", file]).output.first.flatMap {
                Int($0.split(separator: " ").first ?? "")
            }) ?? 0
        }

        private func replay(_ arguments: [String], of file: String? = nil) throws -> [String] {
            let result = try XPhase.run(["replay", file ?? self.file] + arguments, on: nil)
            #expect(result.code == 0 && result.errors == [])
            return result.output
        }

        /// A line without what depends on when a process was scheduled.
        private static func timeless(_ line: String) -> String {
            line.replacing(/"(seq|held)":[^,]*,/, with: "").replacing(/"time":"[^"]*",/, with: "")
        }

        /// Beside each other, whatever happens.
        @Test(arguments: [WindowManager.none, .openbox, .i3])
        func aReplayTellsWhatAWatchTold(kind: WindowManager) throws {
            var recording: Program?
            let session = try Session(
                kind, ["--level", "application", "--level", "group", "--level", "scene"]
            ) {
                recording = try record(on: $0.display)
            }
            var random = SeededGenerator(seed: 7)
            var told = session.initial
            var windows: [TestWindow] = []
            for step in 1...25 {
                told += try session.settle {
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
            #expect(replayed.map { Self.timeless($0.json) } == told.map { Self.timeless($0.json) })
            #expect(told.count > 20)
            for policy in ["focus", "application", "visible"] {
                let options = ["--json", "--policy", policy, "--stepwise", "--occlusion", "100ms"]
                #expect(try replay(options) == replay(options))
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM])
        func itEndsWholeOnAnySignal(signal: Int32) throws {
            let (display, client, window) = try Stage.oneWindow()
            let recording = try record(on: display)
            let count = lineCount(of: file)
            window.unmap()
            client.sync()
            #expect(waitUntil { lineCount(of: file) > count })
            recording.send(signal)
            #expect(try recording.exitCode() == 0)
            let lines = try replay(["--settle", "0", "--format", "{application} {to} {cause}"])
            #expect(lines.first == "Alpha active start")
            #expect(lines.count > 1)
        }

        /// It is stopped by its time, by the end of the server, and by a disk that takes no more.
        @Test func itEndsWholeOtherwise() throws {
            let (display, client, _) = try Stage.oneWindow()
            defer { withExtendedLifetime(client) {} }
            let timed = try XPhase.run(["record", file, "--for", "100ms"], on: display)
            #expect(timed.code == 0 && timed.errors == [])
            #expect(try replay(["--format", "{application}"]) == ["Alpha"])

            let full = try XPhase.run(["record", "/dev/full"], on: display)
            #expect(full.code == 74)
            #expect(
                full.errors == [
                    "xphase: cannot write to '/dev/full': No space left on device; what was written before is whole"
                ])

            let limited = "\(folder.path)/limited.jsonl"
            let stopped = try Program.run(
                "sh", ["-c", "ulimit -f 0; exec \"$@\"", "sh", XPhase.path, "record", limited],
                environment: display.environment)
            #expect(stopped.code == 74)
            #expect(stopped.errors.first?.contains("File too large") == true)

            let again = try XPhase.run(["record", file], on: display)
            #expect(again.code == 64)
            #expect(again.errors.first == "xphase: '\(file)' exists already: name another file, or remove it")
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
            #expect(text.contains("\"title-1\""))
            #expect(
                try replay(["--format", "{application} {title}", "--level", "scene"]) == ["name-2 title-1"])
        }

        /// A window that is iconified for half a second.
        private static let iconified = """
            {"xphase-recording":1,"xphase":"0.1.0","server":"X 1","extensions":[],"managers":[""],"screens":1,\
            "time":[1795377922,0],"redacted":false,"titles":false,"idle":null}
            {"t":0,"screens":[{"n":0,"bounds":[0,0,640,480],"manager":{"check":99,"name":"openbox"},\
            "clients":[0,0,7]}],"windows":[{"id":7,"new":1,"place":[0,0,9,9],"map":2,"state":1,"top":7,\
            "class":"Alpha"}],"focus":[1,7]}
            {"t":1000000000,"windows":[{"id":7,"map":0,"state":3}],"focus":[0]}
            {"t":1500000000,"windows":[{"id":7,"map":2,"state":1}],"focus":[1,7]}
            {"t":2000000000,"end":true}

            """

        private static let hooks = """
            [[hook]]
            name = "at once"
            application = "Alpha"
            to = "background"
            run = ["touch", "/nonexistent/ran"]

            [[hook]]
            name = "a pair"
            application = "Alpha"
            while = "background"
            after = "300ms"
            unless = ["true"]
            enter = ["true"]
            leave = ["true"]

            [[hook]]
            name = "too long"
            application = "Alpha"
            while = "background"
            after = "1h"
            enter = ["true"]
            leave = ["true"]
            """

        /// Nothing runs, and what is told has its time.
        @Test func itTellsWhatHooksWouldHaveDone() throws {
            let file = try folder.write("made.jsonl", Self.iconified)
            let home = try HookHome(Self.hooks)
            let options = ["--config", home.configurationFile, "--no-initial"]
            let text = try replay(options, of: file).map { String($0.dropFirst(14)) }
            let hidden = "for Alpha, active → background, iconify"
            #expect(
                text.filter { $0.hasPrefix("hook") } == [
                    "hook 'at once': matched by Alpha, active → background, iconify",
                    "hook 'a pair': matched by Alpha, active → background, iconify",
                    "hook 'too long': matched by Alpha, active → background, iconify",
                    "hook 'at once': would run touch /nonexistent/ran \(hidden)",
                    "hook 'a pair': would ask first: true",
                    "hook 'a pair': would run true \(hidden)",
                    "hook 'too long': not run for Alpha: background did not last for 1h",
                    "hook 'a pair': would run true for Alpha, background → active, deiconify",
                ])
            let json = try replay(options + ["--json"], of: file).filter { $0.contains("\"hook\"") }
            #expect(json.count == 7)
            let why = try XPhase.run(
                ["hooks", "why", "a pair", "--replay", file, "--config", home.configurationFile, "--json"],
                on: nil)
            #expect(why.output == [json[1], json[6]])
            let unknown = try XPhase.run(
                ["hooks", "why", "b", "--replay", file, "--config", home.configurationFile], on: nil)
            #expect(unknown.code == 64)
            #expect(
                unknown.errors == [
                    "xphase: no hook of '\(home.configurationFile)' is called 'b'; there are 'at once', 'a pair', 'too long'"
                ])
        }

        @Test func whatIsNoRecordingIsAFault() throws {
            let text = try folder.write("text", "hello\n")
            let result = try XPhase.run(["replay", text], on: nil)
            #expect(result.code == 65)
            #expect(result.errors == ["xphase: \(text):1: this is no recording: 'xphase record' makes one"])
            let missing = try XPhase.run(["replay", "/nonexistent"], on: nil)
            #expect(missing.code == 65)
            #expect(missing.errors == ["xphase: cannot read '/nonexistent': No such file or directory"])
            // What was before the place where it was cut off is told.
            let (display, client, _) = try Stage.oneWindow()
            defer { withExtendedLifetime(client) {} }
            try record(on: display).end(SIGKILL)
            let cut = try XPhase.run(["replay", file, "--format", "{application}"], on: nil)
            #expect(cut.code == 65)
            #expect(cut.output == ["Alpha"])
            #expect(cut.errors.first?.contains("it was cut off before its last line") == true)
        }
    }
}
