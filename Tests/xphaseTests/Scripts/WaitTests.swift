import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The conditions and exit codes of `xphase wait`.
    @Suite struct WaitCommand {
        /// A timeout that never expires in a test.
        private static let timeout = ["--timeout", "10m"]

        /// Starts `xphase wait`, and returns once it waits.
        private static func start(
            _ application: String, _ phases: String, _ options: [String] = [], on stage: Stage
        ) throws -> Program {
            let program = try XPhase.start(
                ["wait", application, phases] + timeout + options, on: stage.display)
            // While it reads the initial state, its timer is the 5 s limit for the server.
            try program.waitForTimer(ofAtLeast: 60)
            return program
        }

        private static func expect(_ program: Program, _ code: Int32, _ errors: String...) throws {
            #expect(try program.exitCode() == code)
            #expect(try program.errors.rest() == errors)
            #expect(try program.output.rest().isEmpty)
        }

        @Test(arguments: ["active", "active,background", "background,active", "inactive,active,active"])
        func whereItIsSoItEndsAtOnce(_ phases: String) throws {
            let (stage, _) = try Stage.active(.init("Alpha", instance: "part"))
            for glob in ["alpha", "al*", "PART"] {
                let result = try XPhase.run(["wait", glob, phases], on: stage.display)
                #expect(result.code == 0 && result.output.isEmpty && result.errors.isEmpty)
            }
        }

        @Test(arguments: ["background", "inactive,background"])
        func itWaitsForAPhase(_ phases: String) throws {
            let (stage, alpha) = try Stage.active(.init("Alpha"))
            let wait = try Self.start("alpha", phases, on: stage)
            alpha.iconify()
            try Self.expect(wait, 0)
        }

        @Test func itWaitsForAnApplicationThatIsNotThereYet() throws {
            let stage = try Stage(.openbox)
            let wait = try Self.start("alpha", "active", ["--appear"], on: stage)
            try stage.show(.init("Beta"), x: 300)
            try stage.show(.init("Alpha"))
            try Self.expect(wait, 0)
            let gone = try XPhase.run(
                ["wait", "--appear", "gamma", "active", "--timeout", "100ms"], on: stage.display)
            #expect(gone.code == 124)
            #expect(gone.errors == ["xphase: 'gamma' has not appeared: timed out"])
        }

        @Test func whereItClosesFirstItExits1() throws {
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            let wait = try Self.start("al*", "active", on: stage)
            alpha.destroy()
            try Self.expect(wait, 1, "xphase: 'al*' closed before it was active")
        }

        /// It passes through the background while it closes, which does not count.
        @Test func whatClosesWasNotInTheBackground() throws {
            let (stage, alpha) = try Stage.active(.init("Alpha"))
            let wait = try Self.start("alpha", "background", on: stage)
            alpha.destroy()
            try Self.expect(wait, 1, "xphase: 'alpha' closed before it was background")
        }

        @Test func whatGetsAnotherNameDoesNotComeToTheBackground() throws {
            let (stage, alpha) = try Stage.active(.init("Alpha"))
            let wait = try Self.start("alpha", "background,inactive", on: stage)
            alpha.setClass("beta", "Beta")
            try Self.expect(wait, 1, "xphase: 'alpha' closed before it was inactive or background")
        }

        @Test(arguments: ["0", "1ms", "300ms"])
        func whenTheTimeIsOverItExits124(_ time: String) throws {
            let (stage, _) = try Stage.active(.init("Alpha"))
            let late = try XPhase.run(
                ["wait", "alpha", "background", "--timeout", time], on: stage.display)
            #expect(late.code == 124)
            #expect(late.output.isEmpty)
            #expect(late.errors == ["xphase: 'alpha' is still active: timed out"])
            let inTime = try XPhase.run(["wait", "alpha", "active", "--timeout", time], on: stage.display)
            #expect(inTime.code == 0)
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func aSignalIsNoSuccess(_ signal: Int32) throws {
            let (stage, _) = try Stage.active(.init("Alpha"))
            let wait = try Self.start("alpha", "background", on: stage)
            wait.send(signal)
            try Self.expect(wait, 128 + signal)
        }
    }
}
