import Glibc
import TestDesktop
import Testing

/// What is thawed and stays stopped all the same, and what a debugger has.
extension DesktopTests.FreezeTests {
    /// What was typed in a shell, and a window that names it.
    @Test(arguments: [false, true])
    func whatReadsATerminalThatItsShellHasIsReportedAsStopped(_ byThawAll: Bool) throws {
        let hooks = try HookSession(Self.hook().replacing("XTerm", with: "Alpha"))
        let terminal = try Terminal()
        let shell = try Program("sh", ["-i"], environment: ["ENV": nil, "PS1": "$ "], terminal: terminal)
        terminal.type("cat\n")
        var cat: pid_t?
        _ = try waitUntil {
            let children = try Program.run("pgrep", ["-P", "\(shell.pid)", "cat"], package: "procps").output
            cat = children.first.flatMap { pid_t($0) }
            return cat != nil
        }
        let window = hooks.session.window(.init("Alpha"))
        window.setOwner(ofThisProcess: true, process: try #require(cat))
        try hooks.session.settle { window.map() }
        window.iconify()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        // The shell has seen that, and has the terminal.
        while let line = try terminal.output.next(), !line.contains("Stopped") {}
        let cause = "process \(try #require(cat)) (cat), since its shell has the terminal: type fg there"
        if byThawAll {
            let result = try XPhase.run(["hooks", "thaw-all"], on: nil, environment: hooks.home.environment)
            #expect(result.output == ["Alpha thawed (hook 'sleep')"])
            #expect(result.errors == ["xphase: still stopped: \(cause)"])
        } else {
            window.map()
        }
        try hooks.waitForMessage("Alpha thawed: ")
        #expect(try hooks.waitForMessage("Alpha is still stopped: ").hasSuffix(": \(cause)"))
        try hooks.end()
    }

    /// gdb attaches to no process of others, and where Yama is, to none that it has not started, unless root runs it.
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
        let refusal = try on.errors.next()
        #expect(
            refusal
                == "xphase: hook 'on': XTerm is not frozen: process \(gdb.pid) debugs \(process), which could not be thawed"
        )
        try on.end(SIGTERM)
        try gdb.end()
        #expect(try waitUntil { try Self.runs(terminal) })
        try hooks.end()
    }
}
