import Glibc
import TestDesktop
import Testing

/// Memory that the kernel reclaims slowly.
extension DesktopTests.SlowTests {
    /// Simulates a slow kernel: opening memory.current, which is read first, takes a minute.
    private static func slowMemory(_ hooks: HookSession, _ unit: TestUnit) throws -> Program {
        let slowness = try Program(
            "strace",
            [
                "-f", "-qq", "-p", "\(hooks.run.pid)", "-P", "\(unit.path)/memory.current", "-e",
                "trace=openat", "-e", "inject=openat:delay_enter=60s",
            ], package: "strace")
        #expect(try waitUntil { try hooks.run.status("TracerPid").hasSuffix("\t\(slowness.pid)") })
        return slowness
    }

    /// Returns the PID of the process that makes the kernel reclaim memory.
    private static func reclaimer(_ hooks: HookSession) throws -> Substring? {
        try Program.run("ps", ["--ppid", "\(hooks.run.pid)", "-o", "pid=,args="], package: "procps")
            .output.first { $0.hasSuffix("---react") }?.split(separator: " ").first
    }

    /// Returns whether the process stays in a single system call.
    private static func standsStill(_ process: Substring) throws -> Bool {
        func call() throws -> [String] { try Program.run("cat", ["/proc/\(process)/syscall"]).output }
        let first = try call()
        for _ in 1...5 {
            usleep(40_000)
            if try call() != first { return false }
        }
        return first.first?.hasPrefix("running") == false
    }

    /// The window manager ignores the request, so there is a sign of use but no phase change.
    @Test func memoryIsNotTakenBackAnyLongerFromWhatIsWanted() throws {
        var unit: TestUnit?
        let hook = Self.hook("reclaim", "except = \"none\"").replacing(
            "\"reclaim\"", with: "[\"freeze\", \"reclaim\"]")
        let hooks = try HookSession(hook) { home, _ in unit = try TestUnit(home) }
        let group = try #require(unit)
        let terminal = try group.terminal(hooks.session)
        let slowness = try Self.slowMemory(hooks, group)
        terminal.iconify()
        #expect(try waitUntil { try group.isFrozen && Self.reclaimer(hooks) != nil })
        let reclaimer = try #require(try Self.reclaimer(hooks))
        #expect(try waitUntil { try Self.standsStill(reclaimer) })
        hooks.session.manager?.send(SIGSTOP)
        terminal.activate()
        #expect(try hooks.waitForMessage("XTerm").contains("XTerm frozen ("))
        #expect(
            try hooks.waitForMessage("XTerm").hasSuffix("XTerm thawed: it is shown, focused or activated")
        )
        // SIGTERM is pending until strace lets the process continue.
        #expect(
            try waitUntil {
                try Program.run("cat", ["/proc/\(reclaimer)/status"]).output
                    .contains { $0.hasPrefix("ShdPnd:") && $0.hasSuffix("4000") }
            })
        #expect(
            try DesktopTests.ControlTests.hooks(hooks, "status").output.last?.contains("XTerm: entered")
                == true)
        hooks.session.manager?.send(SIGCONT)
        try slowness.end()
        try hooks.end()
        try group.end(terminal)
    }
}
