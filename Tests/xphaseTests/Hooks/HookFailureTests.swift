import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// A failing hook is reported in one line, and the monitor continues.
    @Suite struct HookFailure {
        private static func hook(_ run: String, _ keys: String = "") -> String {
            "[[hook]]\nname = \"bad\"\napplication = \"Alpha\"\nto = \"active\"\n\(keys)\nrun = \(run)\n"
                + HookSession.hook("good", "to = \"background\"", shell: "echo $XPHASE_APPLICATION >> log")
        }

        /// Opens a window, checks that the monitor continues, and returns the reports about the hook `bad`.
        private static func reported(_ run: String, _ keys: String = "") throws -> [String] {
            let hooks = try HookSession(hook(run, keys))
            let window = try hooks.session.open("Alpha")
            try hooks.waitForMessage("run for Alpha")
            try hooks.waitForMessage("hook 'bad'")
            #expect(
                try hooks.session.applications { window.iconify() } == ["Alpha active→background iconify"])
            try hooks.home.waitForLines(["Alpha"])
            let name = "xphase: hook 'bad': "
            return try hooks.end().filter { $0.hasPrefix(name) && !$0.contains("run for") }
                .map { String($0.dropFirst(name.count)) }
        }

        /// The last argument is a regular expression.
        @Test(arguments: [
            (#"["sh", "-c", "sleep 0.2; exit 1"]"#, "", #"exit 1 after (0\.[2-9]|[1-9])[0-9.]* s"#),
            (#"["sh", "-c", "kill -SEGV $$"]"#, "", #"killed by signal 11 \(Segmentation fault\) after "#),
            (#"["no-such-program", "x"]"#, "", "cannot start no-such-program: No such file or directory$"),
            (
                #"["python3", "-c", "import os, signal; os.setpgid(0, os.getpgid(os.getppid())); signal.pause()"]"#,
                "timeout = '200ms'",
                "timed out after "
            ),
        ])
        func whatBecameOfItIsReported(_ run: String, _ keys: String, _ what: String) throws {
            let reported = try Self.reported(run, keys)
            #expect(
                try reported.count == 1 && reported.first?.prefixMatch(of: Regex(what)) != nil, "\(reported)")
        }

        /// The hook may have done its work before it was killed, so `leave` runs.
        @Test func whatCannotBeWatchedIsKilledAndLeft() throws {
            let hooks = try HookSession(HookSession.pair())
            let window = try hooks.session.open("Alpha")
            let refusal = try Program(
                "strace",
                [
                    "-qq", "-p", "\(hooks.run.pid)", "-o", "/dev/null", "-e", "trace=pidfd_open", "-e",
                    "inject=pidfd_open:error=ENFILE",
                ], package: "strace")
            #expect(try waitUntil { try hooks.run.status("TracerPid").hasSuffix("\t\(refusal.pid)") })
            try hooks.session.settle { window.iconify() }
            try hooks.waitForMessage("cannot watch")
            try refusal.end()
            try hooks.session.settle { window.activate() }
            #expect(try waitUntil { try hooks.home.lines("log").last == "leave pair" })
            try hooks.end()
        }

        @Test func unlessHasATimeOfItsOwn() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "slow", "application = \"Alpha\"\nunless = [\"sleep\", \"1000\"]",
                    shell: "echo ran >> log"))
            try hooks.session.open("Alpha")
            #expect(
                try hooks.waitForMessage("timed out").hasPrefix(
                    "xphase: hook 'slow': unless: timed out after "))
            try hooks.home.waitForLines(["ran"])
            try hooks.end()
        }
    }
}
