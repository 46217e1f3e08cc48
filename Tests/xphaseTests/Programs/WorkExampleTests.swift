import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// A program that the library keeps from being frozen while it saves.
    @Suite struct WorkExampleTests {
        /// The example saves to a pipe: it works until the test reads.
        @Test func aProgramInTheBackgroundIsFrozenOnceItHasSaved() throws {
            let hooks = try HookSession(
                DesktopTests.FreezeTests.hook("after = \"2s\"").replacing("XTerm", with: "OwnPhases"))
            let pipe = "\(hooks.home.path)/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let example = try ProgramWindow(
                hooks.session, try Program.example("XPHASE_EXAMPLE"), [pipe], application: "OwnPhases",
                environment: hooks.home.environment)
            example.iconify()
            let line = try hooks.waitForMessage("not run for OwnPhases")
            #expect(line.contains("OwnPhases: it is busy: saving; checked again every "))
            let status = try XPhase.run(
                ["hooks", "status"], on: hooks.session.display, environment: hooks.home.environment)
            #expect(status.output.contains { $0.contains("it is busy: saving") }, "\(status)")
            #expect(try DesktopTests.FreezeTests.runs(example))
            #expect(try Program.run("cat", [pipe]).output == ["saved"])
            try hooks.waitForMessage("OwnPhases frozen (")
            #expect(try DesktopTests.FreezeTests.isFrozen(example))
            try hooks.end()
        }

        /// Nothing but the service's socket is used: without a service, the directory of the sockets is not made.
        @Test func withoutAServiceTheWorkIsJustDone() throws {
            let session = try Session(.openbox)
            let home = try HookHome()
            let file = "\(home.path)/saved"
            let example = try ProgramWindow(
                session, try Program.example("XPHASE_EXAMPLE"), [file], application: "OwnPhases",
                environment: home.environment)
            example.iconify()
            #expect(try waitUntil { try Program.run("cat", [file]).output == ["saved"] })
            #expect(access("\(home.path)/runtime/xphase", F_OK) == -1)
        }
    }
}
