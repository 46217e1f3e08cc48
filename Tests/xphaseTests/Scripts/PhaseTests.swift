import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Answers of `xphase phase`.
    @Suite struct PhaseCommand {
        private static func answer(_ arguments: String..., on stage: Stage) throws -> [String] {
            let result = try XPhase.run(["phase"] + arguments, on: stage.display)
            #expect(result.code == 0)
            #expect(result.errors.isEmpty)
            return result.output
        }

        @Test func itIsTheWordForWhatCanBeSeen() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let beta = try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            #expect(try Self.answer("Alpha", on: stage) == ["inactive"])
            beta.iconify()
            #expect(try waitUntil { try Self.answer("Beta", on: stage) == ["background"] })
        }

        /// As `xphase run` does.
        @Test func theConfigurationDecides() throws {
            let home = try HookHome("policy = 'visible'")
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            func lines(_ words: String...) throws -> [String] {
                let result = try XPhase.run(words, on: stage.display, environment: home.environment)
                #expect(result.code == 0 && result.errors.isEmpty)
                return result.output
            }
            #expect(try lines("phase", "Alpha") == ["active"])
            let format = ["--level", "application", "--format", "{application} {to}"]
            #expect(
                try lines("list", format[0], format[1], format[2], format[3]) == [
                    "Alpha active", "Beta active",
                ])
            #expect(try lines("wait", "Alpha", "active").isEmpty)
            #expect(try lines("explain", "Alpha").first?.contains("active") == true)
            let watch = try XPhase.start(["watch"] + format, on: stage.display, environment: home.environment)
            #expect(try watch.output.next() == "Alpha active")
            watch.send(SIGTERM)
            #expect(try watch.exitCode() == 0)
            try home.configure("policy = 'none'")
            #expect(
                try XPhase.run(["phase", "Alpha"], on: stage.display, environment: home.environment).code
                    == 78)
        }

        @Test func quietlyOnlyTheExitCodeReportsThatNoneIsThere() throws {
            let (stage, _) = try Stage.active(.init("Alpha"))
            #expect(try Self.answer("--quiet", "Alpha", on: stage) == ["active"])
            let absent = try XPhase.run(["phase", "--quiet", "Beta"], on: stage.display)
            #expect(absent.code == 1 && absent.output.isEmpty && absent.errors.isEmpty)
        }

        @Test func ofSeveralItIsTheGreatest() throws {
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            try stage.hide(alpha, "Alpha")
            let beta = try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            #expect(try Self.answer("*", on: stage) == ["active"])
            try stage.hide(beta, "Beta")
            #expect(try Self.answer("*", on: stage) == ["background"])
        }
    }
}
