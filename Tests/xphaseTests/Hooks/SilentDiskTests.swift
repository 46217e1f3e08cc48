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

        /// Without a runtime directory, the sockets of the services are in the home directory, too.
        @Test func aThawDoesNotWaitForTheHomeDirectoryAndSaysWhatToDo() throws {
            let hooks = try HookSession(Self.hook)
            // The directories are searched, or made, by their paths. strace ends only after the delays.
            let fault = ["-e", "trace=mkdir,openat", "-e", "inject=mkdir,openat:delay_enter=10s"]
            let places = ["runtime", "state"].flatMap { ["-P", "\(hooks.home.path)/\($0)/xphase"] }
            let thaw = try Program(
                "strace",
                ["-f", "-qq", "-o", "/dev/null"] + fault + places + [XPhase.path, "thaw", "--all"],
                package: "strace", environment: hooks.home.environment)
            // strace complains, too.
            let lines = try thaw.errors.rest().filter { $0.hasPrefix("xphase: ") }
            let first = "xphase: the directory of the sockets does not answer: type kill "
            #expect(lines.first?.hasPrefix(first) == true, "\(lines)")
            #expect(lines.first?.contains(" \(hooks.run.pid)") == true, "\(lines)")
            #expect(lines.last?.contains(" frozen is not known: type xphase thaw --all") == true, "\(lines)")
            #expect(try thaw.exitCode() == 71)
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
