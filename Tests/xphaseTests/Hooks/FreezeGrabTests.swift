import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct FreezeGrabTests: FreezesPrograms {}
}

/// X server grabs of a frozen program, and events sent to it.
extension DesktopTests.FreezeGrabTests {
    /// To stop them takes longer than the X server has for its answer after each.
    @Test func manyThatAreHiddenAtOnceAreFrozenTogether() throws {
        let names = (1...10).map { "App\($0)" }
        let hooks = try HookSession(
            Self.hook(of: "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"))
        let programs = try names.map { name in
            try ProgramWindow(
                hooks.session, "xterm", ["-class", name, "-e", "sleep", "1000"], package: "xterm",
                application: name)
        }
        hooks.session.client.switchDesktop(1)
        #expect(try waitUntil { try programs.allSatisfy(Self.isFrozen) })
        hooks.session.client.switchDesktop(0)
        #expect(try waitUntil { try programs.allSatisfy(Self.runs) })
        #expect(try !hooks.end().contains { $0.contains("did not answer") })
    }

    /// The client holds the grab most of the time, so sooner or later it is stopped while holding it.
    @Test func aFreezeWithinAServerGrabIsUndoneAtOnce() throws {
        let hooks = try Self.clientSession()
        let grabs = """
            while True:
                time.sleep(0.0001)
                if os.path.exists("\(hooks.home.path)/grab"):
                    x.XGrabServer(d)
                    x.XSync(d, 0)
                    time.sleep(0.05)
                    x.XUngrabServer(d)
                    x.XSync(d, 0)
            """
        let client = try ProgramWindow.scripted(hooks.session, grabs)
        let grab = "\(hooks.home.path)/grab"
        let silence =
            "Alpha thawed: the X server did not answer: the program may have grabbed it"
        for _ in 1...50 {
            try hooks.home.write("grab", "")
            client.iconify()
            var line = ""
            repeat {
                line = try hooks.waitForMessage("Alpha ")
            } while !line.contains("frozen (") && !line.hasSuffix(silence)
            unlink(grab)
            if line.hasSuffix(silence) { break }
            client.activate()
            try hooks.waitForMessage("Alpha thawed")
            try hooks.session.settle()
        }
        #expect(hooks.reported.last?.hasSuffix(silence) == true)
        #expect(try !client.isStopped)
        // Other clients continue.
        hooks.session.client.sync()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try client.isStopped)
    }

    /// The server holds back all keys until the client calls XAllowEvents.
    @Test func aKeyThatAFrozenProgramHasGrabbedThawsIt() throws {
        let grab = """
            code = x.XKeysymToKeycode(d, ctypes.c_ulong(0xFFC6))  # F9
            x.XGrabKey(d, code, 1 << 15, root, 0, 1, 0)
            event = ctypes.create_string_buffer(192)
            while True:
                x.XNextEvent(d, event)
                if event.raw[0] == 2:
                    x.XAllowEvents(d, 3, ctypes.c_ulong(0))
                    x.XFlush(d)
            """
        let (hooks, client) = try Self.frozenClient(grab)
        // The client has not grabbed this key, and stays frozen.
        try hooks.session.display.run("xdotool key F8")
        #expect(try client.isStopped)
        try hooks.session.display.run("xdotool key F9")
        try hooks.waitForMessage("Alpha thawed: a message to one of its windows")
        #expect(try waitUntil { try !client.isStopped })
        #expect(waitUntil { !hooks.session.client.isKeyboardGrabbed })
    }

    /// i3 sends WM_DELETE_WINDOW to the client, or closes its connection with XKillClient.
    @Test(arguments: ["kill", "kill client"])
    func aWindowThatI3ClosesWithoutShowingItIsThawed(command: String) throws {
        let hooks = try Self.clientSession(.i3)
        let protocols = "put(\"WM_PROTOCOLS\", \"ATOM\", [atom(\"WM_DELETE_WINDOW\").value])\n"
        let closes = """
            event = ctypes.create_string_buffer(192)
            while True:
                x.XNextEvent(d, event)
                if event.raw[0] == 33: break
            x.XCloseDisplay(d)
            """
        let client = try ProgramWindow.scripted(hooks.session, protocols + "x.XFlush(d)\n" + closes)
        try hooks.session.manager?.i3("[class=Alpha] move workspace 5")
        try hooks.waitForMessage("Alpha frozen (1 process)")
        try hooks.session.manager?.i3("[class=Alpha] \(command)")
        try hooks.waitForMessage("Alpha thawed")
        _ = try client.program.exitCode()
    }

    /// Broadcasts are not addressed to a single client.
    @Test func aMessageToTheRootWindowThawsNobody() throws {
        let (hooks, client) = try Self.frozenClient(
            "x.XSelectInput(d, root, ctypes.c_long(1 << 22 | 1 << 19 | 1 << 17))\nx.XFlush(d)\nevents()")
        hooks.session.client.request("_NET_STARTUP_INFO", window: hooks.session.client.root, [1])
        try hooks.session.settle()
        #expect(try client.isStopped)
        // The connection that listens for events is closed when the freeze ends.
        let held = try hooks.run.descriptors().count
        client.activate()
        try hooks.waitForMessage("Alpha thawed")
        #expect(try waitUntil { try hooks.run.descriptors().count < held })
    }

    // MARK: Closed to the tray

    /// Starts a program that only hides when it is closed. A click on its icon in the panel shows it again.
    private static func chat(_ hooks: HookSession) throws -> (program: ProgramWindow, panel: TestWindow) {
        var properties = TestWindow.Properties("Panel")
        properties.type = "DOCK"
        let panel = hooks.session.window(properties, x: 300, y: 300)
        panel.map()
        let chat = try ProgramWindow.scripted(
            hooks.session,
            """
            put("WM_PROTOCOLS", "ATOM", [atom("WM_DELETE_WINDOW").value])
            icon = ctypes.c_ulong(x.XCreateSimpleWindow(d, root, 0, 0, 40, 40, 0, 0, 0xff0000))
            x.XSelectInput(d, icon, ctypes.c_long(4))
            x.XReparentWindow(d, icon, ctypes.c_ulong(\(panel.id)), 0, 0)
            x.XMapWindow(d, icon)
            x.XFlush(d)
            event = ctypes.create_string_buffer(192)
            while True:
                x.XNextEvent(d, event)
                kind = ctypes.c_int.from_buffer(event, 0).value
                target = ctypes.c_ulong.from_buffer(event, 32).value
                if kind == 33 and target == w.value:
                    x.XWithdrawWindow(d, w, 0)
                elif kind == 4:
                    x.XMapWindow(d, w)
                x.XFlush(d)
            """)
        return (chat, panel)
    }

    @Test func aProgramInTheTrayIsFrozenAgainByAChangedHookAndByOneThatBegins() throws {
        let hook = Self.hook("initial = true", of: "\"Alpha\"").replacing(
            "\"background\"", with: "[\"background\", \"closed\"]")
        let hooks = try HookSession(hook)
        let (chat, _) = try Self.chat(hooks)
        chat.close()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        try hooks.home.configure(hook + "except = \"fullscreen\"\n")
        try hooks.waitForMessage("Alpha thawed: its hook has changed")
        try hooks.waitForMessage("Alpha frozen (1 process)")
        try hooks.home.configure("")
        try hooks.waitForMessage("Alpha thawed: its hook has changed")
        let on = try hooks.start("on", "Alpha", "background,closed", "--initial", "--do", "freeze")
        try on.waitForError("xphase: hook 'on': Alpha frozen (1 process)")
        #expect(try waitUntil { try chat.isStopped })
        chat.program.send(SIGKILL)
        try on.waitForError("xphase: hook 'on': Alpha thawed")
    }

    @Test func aProgramInTheTrayIsFrozenUntilItsIconIsClickedAndThePairEndsWithItsProcess() throws {
        let hooks = try HookSession(
            (Self.hook(of: "\"Alpha\"") + HookSession.pair())
                .replacing("\"background\"", with: "[\"background\", \"closed\"]"))
        let (chat, panel) = try Self.chat(hooks)
        chat.close()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try waitUntil { try chat.isStopped })
        #expect(try hooks.xphase("hooks").output.contains("  matches now: Alpha (closed)"))
        try hooks.home.waitForLines(["enter pair"])
        try hooks.session.display.run("xdotool mousemove --window \(panel.id) 5 5 click 1")
        try hooks.waitForMessage("Alpha thawed: a message to one of its windows")
        #expect(try waitUntil { try Self.runs(chat) })
        #expect(try waitUntil { try hooks.session.settle().contains { $0.application == "Alpha" } })
        try hooks.home.waitForLines(["enter pair", "leave pair"])
        chat.close()
        #expect(try waitUntil { try chat.isStopped })
        #expect(try hooks.session.settle().contains { $0.application == "Alpha" && $0.to == nil })
        try hooks.home.waitForLines(["enter pair", "leave pair", "enter pair"])
        chat.program.send(SIGKILL)
        try hooks.home.waitForLines(["enter pair", "leave pair", "enter pair", "leave pair"])
    }
}
