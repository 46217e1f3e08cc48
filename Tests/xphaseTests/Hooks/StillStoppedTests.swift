import Glibc
import TestDesktop
import Testing

/// Programs under a debugger.
extension DesktopTests.FreezeTests {
    /// A debugger cannot attach to processes of other users or, with Yama, to any but its own children, unless run by
    /// root.
    @Test(.enabled(if: geteuid() == 0)) func whatADebuggerHasIsNotFrozenAndReportedAsStopped() throws {
        let (hooks, terminal) = try Self.frozenTerminal(isBusy: false)
        // PTRACE_ATTACH, as gdb does.
        let attach =
            "import ctypes, sys, time; ctypes.CDLL(None).ptrace(16, int(sys.argv[1]), 0, 0); time.sleep(1000)"
        let debugger = try Program("/usr/bin/python3", ["-c", attach, "\(terminal.program.pid)"])
        #expect(try waitUntil { try terminal.program.status("State").contains("tracing stop") })
        terminal.activate()
        try hooks.waitForMessage("XTerm thawed: it is shown")
        let line = try hooks.waitForMessage("XTerm is still stopped: ")
        let process = "process \(terminal.program.pid)"
        #expect(line.hasSuffix(": \(process) (xterm), by the debugger python3 (process \(debugger.pid))"))
        let on = try hooks.start("on", "XTerm", "background", "--initial", "--do", "freeze")
        terminal.iconify()
        try on.waitForError(
            "XTerm is not frozen: process \(debugger.pid) debugs \(process), which could not be thawed")
        try on.end(SIGTERM)
        try debugger.end()
        #expect(try waitUntil { try Self.runs(terminal) })
        try hooks.end()
    }
}
