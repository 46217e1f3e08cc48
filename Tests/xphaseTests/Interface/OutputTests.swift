import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// What the lines of the real program look like.
    @Suite struct Output {
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

        private static func withoutTime(_ line: String) -> String {
            line.replacing(/"time":"[^"]*"/, with: "")
        }
    }
}
