import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct ClosedTests: FreezesPrograms {}
}

/// Pairs that last while an application is closed and its process lives, as with chat programs that close to the tray.
extension DesktopTests.ClosedTests {
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

    @Test func itIsFrozenUntilItsIconIsClickedAndThePairEndsWithItsProcess() throws {
        let hooks = try HookSession(
            (Self.hook(of: "\"Alpha\"") + HookSession.pair())
                .replacing("\"background\"", with: "[\"background\", \"closed\"]"))
        let (chat, panel) = try Self.chat(hooks)
        chat.close()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try waitUntil { try chat.isStopped })
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
        try hooks.end()
    }
}
