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

        @Test func aListOfNothingSaysSoAndOneOfNothingThatMatchesExits1() throws {
            let stage = try Stage(.openbox)
            for arguments in [["list"], ["list", "--json"], ["list", "--phase", "active"]] {
                try XPhase.expect(
                    arguments, on: stage.display, errors: ["xphase: no application is running"])
            }
            try stage.show(.init("Alpha"))
            try stage.wait(for: "Alpha", "active")
            try XPhase.expect(
                ["list", "Alhpa"], on: stage.display, code: 1,
                errors: ["xphase: no application matches 'Alhpa': did you mean 'Alpha'?"])
            try XPhase.expect(
                ["list", "alpha", "--phase", "background"], on: stage.display, code: 1,
                errors: ["xphase: Alpha is running, but does not match --phase background"])
        }

        @Test func onlyThePhasesAskedForAreWatched() throws {
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            try stage.wait(for: "Alpha", "active")
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
