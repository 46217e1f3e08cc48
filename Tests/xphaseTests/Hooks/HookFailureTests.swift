import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// A failing hook is reported in one line, and the monitor continues.
    @Suite struct HookFailure {
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
