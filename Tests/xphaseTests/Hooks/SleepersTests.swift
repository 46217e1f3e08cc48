import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Frozen applications that are woken periodically.
    @Suite struct SleepersTests {
        @Test func whatSleepsIsWokenAndSleepsAgain() throws {
            let wake = "except = \"none\"\nwake = { every = \"1s\", for = \"300ms\" }"
            let hooks = try HookSession(FreezeTests.hook(wake))
            let script = "while :; do echo >> '\(hooks.home.path)/XTerm'; sleep 0.02; done"
            let terminal = try ProgramWindow(
                hooks.session, "xterm", ["-e", "sh", "-c", script], package: "xterm", application: "XTerm")
            func ticks() throws -> Int { try hooks.home.lines("XTerm").count }
            terminal.iconify()
            try hooks.waitForMessage("frozen (")
            for _ in 1...3 {
                #expect(try waitUntil { try FreezeTests.isFrozen(terminal) })
                let count = try ticks()
                #expect(try waitUntil { try ticks() > count })
            }
            #expect(
                try waitUntil {
                    try hooks.xphase("hooks", "status").output.contains {
                        $0.hasSuffix(": awake for 300ms")
                    }
                })
            try hooks.session.settle { terminal.activate() }
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            // Wake-ups are not reported, and a visible application is not frozen.
            let reported = try hooks.end()
            #expect(reported.count { $0.contains("frozen (") } == 1, "\(reported)")
            #expect(reported.count { $0.contains("thawed") } <= 1)
        }
    }
}
