import Glibc
import TestDesktop
import Testing

/// Programs that remain stopped after a thaw, and programs under a debugger.
extension DesktopTests.FreezeTests {
    /// A program that was started from a shell, and reads its terminal.
    @Test func whatReadsATerminalThatItsShellHasIsReportedAsStopped() throws {
        let hooks = try HookSession(Self.hook().replacing("XTerm", with: "Alpha"))
        let terminal = try Terminal()
        let environment = hooks.session.display.environment.merging(["ENV": nil, "PS1": "$ "]) { $1 }
        let shell = try Program("sh", ["-i"], environment: environment, terminal: terminal)
        try hooks.home.write("client.py", ProgramWindow.text("while os.read(0, 1): pass"))
        terminal.type("/usr/bin/python3 '\(hooks.home.path)/client.py'\n")
        var reader: pid_t?
        _ = try waitUntil {
            reader = try shell.children().first.flatMap { pid_t($0.filter(\.isNumber)) }
            return reader != nil
        }
        let pid = try #require(reader)
        let window = try ProgramWindow(hooks.session, of: shell, application: "Alpha", reports: pid)
        window.iconify()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        // The shell has noticed the stop, and has taken the terminal back.
        while let line = try terminal.output.next(), !line.contains("Stopped") {}
        window.activate()
        try hooks.waitForMessage("Alpha thawed: ")
        #expect(
            try hooks.waitForMessage("Alpha is still stopped: ")
                .hasSuffix(
                    ": process \(pid) (python3), in the background of its shell: type fg there"
                ))
        try hooks.end()
    }

    /// gdb cannot attach to processes of other users or, with Yama, to any but its own children, unless run by root.
    @Test(.enabled(if: geteuid() == 0)) func whatADebuggerHasIsNotFrozenAndReportedAsStopped() throws {
        let (hooks, terminal) = try Self.frozenTerminal(isBusy: false)
        let keyboard = try Pipe()
        let gdb = try Program(
            "gdb", ["-q", "-nx", "-p", "\(terminal.program.pid)"], package: "gdb",
            environment: ["DEBUGINFOD_URLS": ""], stdin: keyboard.reading)
        #expect(try waitUntil { try terminal.program.status("State").contains("tracing stop") })
        terminal.activate()
        try hooks.waitForMessage("XTerm thawed: it is shown")
        let line = try hooks.waitForMessage("XTerm is still stopped: ")
        let process = "process \(terminal.program.pid)"
        #expect(line.hasSuffix(": \(process) (xterm), by the debugger gdb (process \(gdb.pid))"))
        let on = try XPhase.start(
            ["on", "XTerm", "background", "--initial", "--do", "freeze"], on: hooks.session.display,
            environment: hooks.home.environment)
        terminal.iconify()
        try on.waitForError(
            "XTerm is not frozen: process \(gdb.pid) debugs \(process), which could not be thawed")
        try on.end(SIGTERM)
        try gdb.end()
        #expect(try waitUntil { try Self.runs(terminal) })
        try hooks.end()
    }
}
