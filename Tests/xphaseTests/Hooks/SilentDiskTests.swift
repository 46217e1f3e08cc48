import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// A disk that does not answer, as a network file system whose server is gone. `packaging/faults/run` has every call of
    /// a session not return that touches a path.
    @Suite struct SilentDiskTests {
        private static let hook = """
            [[hook]]
            name = "late"
            application = "Alpha"
            while = "background"
            timeout = "1s"
            enter = ["silent"]
            leave = ["sh", "-c", "echo leave >> log"]

            """

        @Test func aHookWhoseProgramCannotStartInTimeHasFailed() throws {
            let hooks = try HookSession(Self.hook)
            try hooks.home.addTool("silent", "echo enter >> log")
            let window = try hooks.session.open("Alpha")
            let disk = try FileLease("\(hooks.home.path)/bin/silent")
            try hooks.session.settle { window.iconify() }
            let failure = "enter: cannot start silent: its disk, that of HOME, or one in PATH does not answer"
            try hooks.waitForMessage("xphase: hook 'late': \(failure)")
            for words in [["hooks", "status"], ["hooks", "why", "late"]] {
                let answer = try XPhase.run(
                    words, on: hooks.session.display, environment: hooks.home.environment)
                #expect(answer.output.contains { $0.contains("cannot start silent") }, "\(answer)")
            }
            withExtendedLifetime(disk) {}
            // Nothing was entered, so nothing is left.
            try hooks.session.settle { window.activate() }
            try hooks.end()
            #expect(try hooks.home.lines("log") == [])
        }

        @Test func theEndDoesNotWaitForAProgramThatCannotStart() throws {
            let hooks = try HookSession(Self.hook.replacing("1s", with: "1h"))
            try hooks.home.addTool("silent", "echo enter >> log")
            let window = try hooks.session.open("Alpha")
            let disk = try FileLease("\(hooks.home.path)/bin/silent")
            window.iconify()
            try hooks.waitForMessage("hook 'late': enter for Alpha")
            let lines = try hooks.end()
            #expect(lines.contains { $0.contains("cannot start silent") })
            withExtendedLifetime(disk) {}
            #expect(try hooks.home.lines("log") == [] && hooks.home.records().isEmpty)
        }
    }
}
