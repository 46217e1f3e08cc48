import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct FreezeReachTests: FreezesPrograms {}
}

/// The processes frozen with an application: its unit, or all its descendants, and no others.
extension DesktopTests.FreezeReachTests {
    /// The compositor is recognized by its X selection, since its name is unknown.
    @Test func aCompositorThatTheTerminalHasStartedGoesOn() throws {
        let hooks = try HookSession(Self.hook())
        let compositor = ProgramWindow.client(
            """
            open("\(hooks.home.path)/compositor", "w").write(str(os.getpid()))
            x.XSetSelectionOwner(d, atom("_NET_WM_CM_S0"), w, ctypes.c_ulong(0))
            x.XFlush(d)
            events()
            """)
        let terminal = try ProgramWindow(
            hooks.session, "xterm",
            ["-e", "sh", "-c", "/usr/bin/python3 -c \"$0\" & read line", compositor], package: "xterm",
            application: "XTerm")
        #expect(waitUntil { hooks.session.client.isOwned("_NET_WM_CM_S0") })
        terminal.iconify()
        #expect(try hooks.waitForMessage("frozen (").hasSuffix("XTerm frozen (2 processes)"))
        #expect(try terminal.isStopped)
        let pid = try #require(try hooks.home.lines("compositor").first)
        let state = try Program.run("ps", ["-o", "stat=", "-p", pid], package: "procps").output
        #expect(state.first?.hasPrefix("S") == true)
    }

    @Test func aSecondStartOfItsProgramThawsIt() throws {
        let (hooks, terminal) = try Self.frozenTerminal(isBusy: false)
        // The window belongs to another application.
        let second = try Program(
            "xterm", ["-class", "Other", "-e", "sleep", "1000"],
            environment: hooks.session.display.environment)
        let line = try hooks.waitForMessage("thawed")
        #expect(line.hasSuffix("a second start of its program, process \(second.pid)"), "\(line)")
        // It is awake for a while. The user keeps it so.
        let thaw = try hooks.xphase("thaw", "XTerm")
        #expect(thaw.output == ["XTerm stays thawed"], "\(thaw)")
        let status = try hooks.xphase("hooks", "status")
        #expect(status.output.contains { $0.contains("thawed by the user") }, "\(status)")
        withExtendedLifetime(terminal) {}
    }

    /// A process that a launcher has started, and whose window is closed to a tray, or opens during the freeze.
    @Test(arguments: ["message", "window", "by hand"])
    func processesStoppedWithAnApplicationAreThawedWithIt(way: String) throws {
        let hooks = try Self.clientSession()
        let number = "\(hooks.home.path)/window"
        // The second process connects by itself, and has a window of the class Game.
        let launcher = try ProgramWindow.scripted(
            hooks.session,
            """
            if os.fork(): events()
            d = ctypes.c_void_p(x.XOpenDisplay(None))
            w = ctypes.c_ulong(x.XCreateSimpleWindow(d, root, 300, 30, 200, 150, 0, 0, 0x705030))
            put("WM_CLASS", "STRING", b"game\\0Game\\0")
            if \(way != "window" ? "True" : "False"):
                x.XMapWindow(d, w)
                x.XSync(d, 0)
                while not os.path.exists("\(hooks.home.path)/go"): time.sleep(0.05)
                x.XWithdrawWindow(d, w, 0)
            x.XSync(d, 0)
            open("\(number).new", "w").write(str(w.value))
            os.rename("\(number).new", "\(number)")
            events()
            """)
        if way != "window" { #expect(try waitUntil { try hooks.xphase("phase", "Game").code == 0 }) }
        try hooks.home.write("go", "")
        let game = try #require(try hooks.home.waitForFile("window").first.flatMap { UInt($0) })
        if way != "window" { #expect(try waitUntil { try hooks.xphase("phase", "Game").code == 1 }) }
        try hooks.session.settle { launcher.iconify() }
        try hooks.waitForMessage("Alpha frozen (2 processes)")
        switch way {
        case "message":
            hooks.session.client.send("WM_PROTOCOLS", to: game)
            try hooks.waitForMessage("Alpha thawed: a message to one of its windows")
        case "window":
            hooks.session.client.map(game)
            try hooks.waitForMessage("Alpha thawed: a window of Game")
        default: #expect(try hooks.xphase("thaw", "Game").output == ["Alpha thawed"])
        }
        #expect(try waitUntil { try Self.runs(launcher) })
    }
}

extension RootTests {
    @Suite struct FreezeReachTests: FreezesPrograms {}
}

extension RootTests.FreezeReachTests {
    @Test func aUnitOfItsOwnIsFrozenAsAWhole() throws {
        let hooks = try HookSession(
            Self.hook()
                + HookSession.hook(
                    "note", "application = \"XTerm\"\nto = \"background\"",
                    shell: "echo $XPHASE_PID $XPHASE_UNIT >> log"))
        let unit = try TestGroup()
        let terminal = try unit.terminal(hooks.session, script: "sleep 1000 & sleep 1000")
        terminal.iconify()
        try hooks.waitForMessage("xphase: hook 'sleep': XTerm frozen (\(unit.name), 4 processes)")
        #expect(try waitUntil { try unit.isFrozen })
        terminal.activate()
        try hooks.waitForMessage("thawed")
        #expect(try waitUntil { try !unit.isFrozen })
        try hooks.home.waitForLines(["\(terminal.program.pid) \(unit.name)"])
        try hooks.end()
    }

    /// For example, a user admitted with xhost(1).
    @Test func aClientOfAnotherUserHasNothingFrozen() throws {
        let hooks = try Self.clientSession()
        let victim = try Program("sleep", ["1000"])
        let wrapper = ["setpriv", "--reuid", "65534", "--clear-groups"]
        let client = try ProgramWindow.scripted(hooks.session, claims: victim.pid, wrapper: wrapper)
        client.iconify()
        try hooks.waitForMessage("Alpha is not frozen: none of your processes owns its windows")
        #expect(try !client.isStopped)
        #expect(try victim.status("State").contains("S (sleeping)"))
    }

    /// Its window claims the PID inside the sandbox, which belongs to another process outside it. A sandbox with its own
    /// host name is not mistaken for another machine.
    @Test(arguments: ["", "socket.sethostname('box')"])
    func aProgramInASandboxIsFrozenAndNobodyElse(script: String) throws {
        let hooks = try Self.clientSession()
        let victim = try Program("sleep", ["1000"])
        let unshare = try Program.find("unshare", package: "util-linux")
        let number = "echo \(victim.pid - 1) > /proc/sys/kernel/ns_last_pid"
        let sandbox = try ProgramWindow(
            hooks.session, unshare,
            [
                "--user", "--map-root-user", "--pid", "--uts", "--fork", "--mount-proc", "--kill-child", "sh",
                "-c", "\(number); /usr/bin/python3 -c \"$0\" & wait",
                "import socket\n\(script)\n" + ProgramWindow.text("events()"),
            ], application: "Alpha", reports: victim.pid)
        sandbox.iconify()
        try hooks.waitForMessage("Alpha frozen (")
        #expect(try waitUntil { try Self.states(sandbox.program).contains("T") })
        #expect(try victim.status("State").contains("S (sleeping)"))
        sandbox.activate()
        try hooks.waitForMessage("Alpha thawed")
        #expect(try waitUntil { try Self.runs(sandbox) })
    }
}
