import Glibc
import TestDesktop
import Testing

/// Applications that are not frozen, and the reasons.
extension DesktopTests.FreezeTests {
    /// Only one of the two programs would be stopped.
    @Test func aProgramThatShowsAWindowOfAnotherProgramGoesOn() throws {
        let hooks = try HookSession(Self.hook("except = 'none'"))
        let terminal = try Self.terminal(hooks.session)
        let script = "echo in >'\(hooks.home.path)/guest'; exec sleep 1000"
        let guest = try Program(
            "xterm", ["-into", "\(terminal.window)", "-e", "sh", "-c", script], package: "xterm",
            environment: hooks.session.display.environment)
        _ = try hooks.home.waitForFile("guest")
        terminal.iconify()
        try hooks.waitForMessage(
            "does not freeze XTerm: it embeds a window of process \(guest.pid), which would keep running")
        #expect(try Self.runs(terminal))
    }

    /// Any client can set the state of any window.
    @Test func aShownWindowThatIsSaidToBeShadedGoesOn() throws {
        let hooks = try Self.clientSession()
        let forged =
            "put(\"_NET_WM_STATE\", \"ATOM\", [atom(\"_NET_WM_STATE_SHADED\").value])\nx.XFlush(d)\nevents()"
        let client = try ProgramWindow.scripted(hooks.session, "time.sleep(1)\n" + forged)
        let shaded = hooks.session.client.atom("_NET_WM_STATE_SHADED")
        #expect(waitUntil { client.states.contains(shaded) })
        try hooks.session.settle()
        #expect(try !client.isStopped)
        client.iconify()
        try hooks.waitForMessage("Alpha frozen (1 process)")
    }

    /// A launcher started from the terminal, which grabs the pointer and the keyboard until a key is pressed.
    @Test func nothingIsFrozenWhileAMenuOfItIsOpen() throws {
        let hooks = try HookSession(Self.hook("except = 'none'"))
        let menu = ProgramWindow.client(
            """
            while not os.path.exists("\(hooks.home.path)/go"): time.sleep(0.05)
            popup(w)
            while x.XGrabPointer(d, w, 0, 0, 1, 1, 0, 0, 0) or x.XGrabKeyboard(d, w, 0, 1, 1, 0): time.sleep(0.05)
            x.XSelectInput(d, w, ctypes.c_long(1))
            event = ctypes.create_string_buffer(192)
            while event.raw[0] != 2: x.XNextEvent(d, event)
            """)
        let terminal = try ProgramWindow(
            hooks.session, "xterm",
            ["-e", "sh", "-c", "/usr/bin/python3 -c \"$0\"; read line", menu], package: "xterm",
            application: "XTerm")
        let client = hooks.session.client
        try hooks.home.write("go", "")
        #expect(waitUntil { client.isPointerGrabbed && client.isKeyboardGrabbed })
        terminal.iconify()
        let line = try hooks.waitForMessage("does not freeze XTerm")
        #expect(line.contains(": it shows a menu or popup; checked again after 10s"))
        #expect(try Self.runs(terminal))
        // The session still works: the menu receives its keys.
        try hooks.session.display.run("xdotool key Escape")
        #expect(waitUntil { !client.isPointerGrabbed && !client.isKeyboardGrabbed })
        try hooks.waitForMessage("XTerm frozen (")
        #expect(try waitUntil { try Self.isFrozen(terminal) })
    }

    @Test func aProgramThatSomebodyElseHasStoppedIsNotFrozen() throws {
        let hooks = try HookSession("")
        // A shell would start more processes, for its startup files.
        let terminal = try ProgramWindow(
            hooks.session, "xterm", ["-e", "sleep", "1000"], package: "xterm", application: "XTerm")
        try hooks.session.settle { terminal.iconify() }
        // A terminal shows its window before it starts its program.
        let children = ["-STOP", "-P", "\(terminal.program.pid)"]
        #expect(try waitUntil { try Program.run("pkill", children, package: "procps").code == 0 })
        terminal.program.send(SIGSTOP)
        let on = try hooks.start("on", "XTerm", "background", "--initial", "--do", "freeze")
        try on.waitForError("XTerm is not frozen: its processes are already stopped, not by this xphase")
        try on.end(SIGTERM)
        #expect(try terminal.isStopped)
        terminal.program.send(SIGCONT)
    }

    // MARK: Programs that are in use outside their windows on this display

    private static func session(_ script: String) throws -> (hooks: HookSession, client: ProgramWindow) {
        let hooks = try clientSession()
        let client = try ProgramWindow.scripted(hooks.session, script)
        client.iconify()
        return (hooks, client)
    }

    /// One process may have windows on two displays, as Emacs does.
    @Test func aProgramThatIsConnectedToAnotherDisplayGoesOn() throws {
        let other = try VirtualDisplay()
        let (hooks, client) = try Self.session("x.XOpenDisplay(b\"\(other.name)\")\nevents()")
        let reason = "process \(client.program.pid) is also connected to display \(other.name)"
        try hooks.waitForMessage(reason)
        let status = try DesktopTests.ControlTests.states(hooks).last
        #expect(status?.contains(": Alpha: excepted until ") == true && status?.hasSuffix(reason) == true)
        #expect(try !client.isStopped)
    }

    /// `emacsclient -t` makes Emacs open the terminal in which it was typed.
    @Test func aProgramThatIsUsedInATerminalToo() throws {
        let terminal = try Terminal()
        let shell = try Program("sh", ["-c", "sleep 1000"], terminal: terminal)
        let (hooks, client) = try Self.session(
            "f = os.open(\"\(terminal.path)\", os.O_RDWR | os.O_NOCTTY)\nevents()")
        try hooks.waitForMessage(
            "process \(client.program.pid) has opened a terminal that other programs use")
        #expect(try !client.isStopped)
        // The other user of the terminal has exited.
        try shell.end()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try client.isStopped)
    }

    /// A player, which would block once the terminal no longer reads what it writes.
    @Test func aTerminalGoesOnWhileAProgramOnItShowsAWindow() throws {
        let hooks = try HookSession(Self.hook("except = 'none'"))
        let terminal = try ProgramWindow(
            hooks.session, "xterm",
            ["-e", "sh", "-c", "/usr/bin/python3 -c \"$0\" & read line", ProgramWindow.text("events()")],
            package: "xterm", application: "XTerm")
        #expect(try waitUntil { try hooks.xphase("phase", "Alpha").code == 0 })
        terminal.iconify()
        let line = try hooks.waitForMessage("does not freeze XTerm: process ")
        #expect(line.contains("(python3) has a window and runs on its terminal"))
        #expect(try Self.runs(terminal))
    }

    /// A launcher hides as soon as its program begins, and the program shows its window later.
    @Test func anApplicationThatHasJustStartedAProgramGoesOn() throws {
        let (hooks, launcher) = try Self.session(
            """
            import subprocess, threading, time
            def start():
                while True:
                    subprocess.Popen(["sleep", "5"])
                    time.sleep(1)
            threading.Thread(target=start, daemon=True).start()
            events()
            """)
        try hooks.waitForMessage("does not freeze Alpha yet: it has just started sleep")
        #expect(try Self.runs(launcher))
        let status = try DesktopTests.ControlTests.states(hooks).last
        #expect(status?.contains(": Alpha: excepted until ") == true, "\(status ?? "")")
        let later =
            "Alpha will be frozen within 30s: it has just started sleep (--except none freezes it at once)"
        #expect(try hooks.xphase("freeze", "Alpha").output == [later])
        #expect(try hooks.xphase("freeze", "Alpha", "--toggle").output == ["Alpha stays thawed"])
        #expect(try hooks.xphase("freeze", "Alpha").output == [later])
        #expect(try hooks.xphase("freeze", "Alpha", "--except", "none").output == ["Alpha frozen"])
        #expect(try hooks.xphase("freeze", "Alpha", "--toggle").output == ["Alpha thawed"])
    }
}

extension RootTests {
    @Suite struct FreezeRefusalTests: FreezesPrograms {}
}

extension RootTests.FreezeRefusalTests {
    /// As a password manager does. Without the right to inspect every process, root is a user like any other.
    @Test func aProgramThatHidesItsFilesGoesOn() throws {
        let home = try HookHome(Self.hook("except = 'none'\ninitial = true", of: "\"Alpha\""))
        let session = try Session(.openbox)
        let client = try ProgramWindow.scripted(session, "ctypes.CDLL(None).prctl(4, 0)\nevents()")
        let environment = home.environment.merging(session.display.environment) { $1 }
        let words = ["--bounding-set", "-sys_ptrace", XPhase.path]
        let service = try Program("setpriv", words + ["run"], environment: environment)
        let reason =
            "process \(client.program.pid) (python3) hides its files from you, so xphase could not see who"
        try session.settle { client.iconify() }
        try service.waitForError("does not freeze Alpha: \(reason) calls it")
        let check = try Program.run("setpriv", words + ["hooks", "check"], environment: environment)
        #expect(check.code == 0)
        #expect(check.errors == ["xphase: hook 'sleep': Alpha is not frozen: \(reason) calls it"])
        try service.end(SIGTERM)
        #expect(try !client.isStopped)
    }

    /// A debugger cannot attach to processes of other users or, with Yama, to any but its own children, unless run by
    /// root.
    @Test func aProgramInADebuggerIsNotFrozenAndReportedAsStopped() throws {
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
    }
}
