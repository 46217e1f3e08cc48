import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// What the lines of the real program look like.
    @Suite struct Output {
        private static let keys: [String: [String]] = [
            "application": [
                "v", "seq", "time", "kind", "change", "application", "from", "to", "cause", "held", "scenes",
                "pids",
            ],
            "group": [
                "v", "seq", "time", "kind", "change", "application", "group", "from", "to", "cause", "held",
                "scenes",
                "pids",
            ],
            "scene": [
                "v", "seq", "time", "kind", "change", "application", "group", "scene", "from", "to", "cause",
                "held",
                "title", "pid", "desktop",
            ],
        ]

        @Test func jsonHasTheKeysInTheirOrderAndNumbersWithoutGaps() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let levels = ["--level", "application", "--level", "group", "--level", "scene"]
            let watch = try XPhase.start(["--json"] + levels, on: stage.display)
            for number in 1...3 {
                let text = try #require(try watch.output.next())
                let line = try Line(text)
                #expect(line.seq == number)
                #expect(line.v == 1)
                #expect(Self.keyOrder(of: text) == Self.keys[line.kind])
                let format = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/
                #expect(line.time.wholeMatch(of: format) != nil)
            }
        }

        @Test func listPrintsWhatWatchPrintsAsInitial() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"), x: 20)
            try stage.show(.init("Beta"), x: 300)
            let levels = ["--level", "application", "--level", "group", "--level", "scene"]
            let watch = try XPhase.start(["--json"] + levels, on: stage.display)
            let list = try XPhase.run(["list", "--json"], on: stage.display).output.map(Self.withoutTime)
            #expect(list.count == 6)
            for line in list { #expect(Self.withoutTime(try #require(try watch.output.next())) == line) }
        }

        @Test func textIsForPeople() throws {
            let session = try Session(.openbox)
            let text = try XPhase.start(["watch"], on: session.display)
            let marker = try #require(try text.output.next())
            #expect(marker.contains("→ inactive    start "))
            try session.open("Alpha")
            var line = ""
            while !line.contains("Alpha") { line = try #require(try text.output.next()) }
            let format = /\d\d:\d\d:\d\d\.\d{3}  Alpha +→ active +open +1 scene/
            #expect(line.wholeMatch(of: format) != nil)
        }

        @Test func colourIsForTerminalsOnlyAndNotWithNO_COLOR() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            #expect(try XPhase.run(["list"], on: stage.display).output.allSatisfy { !$0.contains("\u{1B}") })
            for (value, isColoured) in [(nil, true), ("", true), ("1", false)] as [(String?, Bool)] {
                let terminal = try Terminal()
                let list = try Program(
                    XPhase.path, ["list"],
                    environment: stage.display.environment.merging(["NO_COLOR": value]) { $1 },
                    stdout: terminal.end)
                #expect(try list.exitCode() == 0)
                let text = try terminal.text()
                #expect(text.contains("Alpha"))
                #expect(text.contains("\u{1B}[") == isColoured)
            }
        }

        @Test func listIsATree() throws {
            let stage = try Stage(.openbox)
            var properties = TestWindow.Properties("Alpha", instance: "main")
            properties.title = "hello"
            let alpha = try stage.show(properties)
            #expect(
                try XPhase.run(["list"], on: stage.display).output == [
                    "APPLICATION   PHASE   SCENES  PID  DESKTOP  TITLE",
                    "Alpha         active       1    -",
                    "  main        active       1    -",
                    "    \(alpha.name)  active            -        0  hello",
                ])
        }

        @Test func listOfNothingIsNothing() throws {
            let display = try VirtualDisplay()
            for arguments in [["list"], ["list", "nothing"], ["list", "--json"]] {
                let result = try XPhase.run(arguments, on: display)
                #expect(result.code == 0)
                #expect(result.output.isEmpty && result.errors.isEmpty)
            }
        }

        @Test func templatesAreFilledIn() throws {
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha", instance: "main"))
            let template = "{seq}\\t{{{kind}}} {application}/{group} {scene} {from}→{to} {scenes}"
            #expect(
                try XPhase.run(["list", "--format", template], on: stage.display).output == [
                    "1\t{scene} Alpha/main \(alpha.name) →active ", "2\t{group} Alpha/main  →active 1",
                    "3\t{application} Alpha/  →active 1",
                ])
        }

        @Test func applicationsAreChosenByClassThenInstanceWhateverTheCase() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha", instance: "main"), x: 20)
            try stage.show(.init("Beta", instance: "other"), x: 300)
            for (glob, names) in [("alp*", ["Alpha"]), ("OTHER", ["Beta"]), ("?lpha", ["Alpha"]), ("x*", [])]
            {
                let lines = try XPhase.run(
                    ["list", "--json", "--level", "application", glob], on: stage.display
                ).output
                #expect(try lines.map { try Line($0).application } == names)
            }
            let watch = try XPhase.start(
                ["--json", "--application", "x", "--application", "bet?"], on: stage.display)
            #expect(try Line(#require(try watch.output.next())).application == "Beta")
        }

        @Test func withoutTheInitialLinesTheFirstOneIsAChange() throws {
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            let watch = try XPhase.start(["--json", "--no-initial"], on: stage.display)
            var line: String?
            var count = 0
            // Nothing tells when it has read what was there, so that the change is made until one is seen.
            let hasTold = waitUntil {
                count += 1
                alpha.setClass("alpha", "Alpha\(count)")
                line = try? watch.output.next(within: .milliseconds(500))
                return line != nil
            }
            #expect(hasTold)
            let first = try Line(#require(line))
            #expect(first.change == "closed")
            #expect(first.cause == "regroup")
            #expect(first.seq == 1)
        }

        private static func withoutTime(_ line: String) -> String {
            line.replacing(/"time":"[^"]*"/, with: "")
        }

        /// Good for lines whose values hold no `":`.
        private static func keyOrder(of line: String) -> [String] {
            let flat = line.replacing(/\{"active".*?\}/, with: "0")
            return flat.matches(of: /"([a-z]+)":/).map { String($0.1) }
        }
    }
}
