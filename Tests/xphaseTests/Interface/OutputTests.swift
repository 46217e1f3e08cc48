import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The format of the output of the real program.
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

        @Test func listOfNothingSaysSo() throws {
            let display = try VirtualDisplay()
            for arguments in [["list"], ["list", "--json"], ["list", "--phase", "active"]] {
                let result = try XPhase.run(arguments, on: display)
                #expect(result.code == 0)
                #expect(result.output.isEmpty)
                #expect(result.errors == ["xphase: no application is running"])
            }
        }

        @Test func aListOfNothingThatMatchesExits1() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            try stage.wait(for: "Alpha", "active")
            let unknown = try XPhase.run(["list", "Alhpa"], on: stage.display)
            #expect(unknown.code == 1 && unknown.output.isEmpty)
            #expect(unknown.errors == ["xphase: no application matches 'Alhpa': did you mean 'Alpha'?"])
            let hidden = try XPhase.run(["list", "alpha", "--phase", "background"], on: stage.display)
            #expect(hidden.code == 1 && hidden.output.isEmpty)
            #expect(
                hidden.errors == ["xphase: Alpha is running, but does not match --phase background"])
        }

        @Test func onlyThePhasesAskedForAreListedAndWatched() throws {
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            func listed(_ phases: String) throws -> [String] {
                try XPhase.run(
                    ["list", "--phase", phases, "--format", "{kind} {application}"], on: stage.display
                )
                .output
            }
            #expect(try listed("active") == ["scene Beta", "group Beta", "application Beta"])
            #expect(try listed("active,inactive").count == 6)
            let watch = try XPhase.start(
                ["watch", "--phase", "background", "--format", "{application} {to}"], on: stage.display)
            defer { watch.send(SIGTERM) }
            try stage.hide(alpha, "Alpha")
            #expect(try watch.output.next() == "Alpha background")
        }

        private static func withoutTime(_ line: String) -> String {
            line.replacing(/"time":"[^"]*"/, with: "")
        }
    }
}
