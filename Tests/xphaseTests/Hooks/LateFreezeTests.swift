import Glibc
import TestDesktop
import Testing

/// Events between the check whether a program may be frozen and the freeze.
extension DesktopTests.FreezeTests {
    /// A program of this name that ends when it may, and the hook's home before that.
    private static func waiting(_ hook: String, for tool: String) throws -> (HookSession, ProgramWindow) {
        let hooks = try HookSession(hook, environment: ["PULSE_SERVER": "nowhere"]) { home, _ in
            try home.addTool(
                tool,
                """
                cd '\(home.path)'; echo >asked; while [ ! -e go ]; do sleep 0.05; done; echo '[]'; echo >answered
                """)
        }
        let terminal = try Self.terminal(hooks.session)
        terminal.iconify()
        try hooks.home.waitForFile("asked")
        return (hooks, terminal)
    }

    /// Has what is waited for come while a window is fullscreen.
    static func goOnFullscreen(_ terminal: ProgramWindow, _ hooks: HookSession) throws {
        terminal.setFullscreen(true)
        #expect(waitUntil { terminal.isFullscreen })
        try hooks.home.write("go", "")
        #expect(
            try waitUntil {
                try DesktopTests.ControlTests.hooks(hooks, "status").output.last?
                    .hasSuffix(": a window of it is fullscreen") == true
            })
    }

    private static let muting = hook("except = 'fullscreen'").replacing(
        "\"freeze\"", with: "\"freeze\", \"mute\"")

    /// While `enter` runs, or another program is asked how to undo it.
    @Test(arguments: [
        (hook("enter = ['enter']\nleave = ['true']\nexcept = 'fullscreen'"), "enter"), (muting, "pactl"),
    ])
    func exceptionsAreCheckedAgainRightBeforeTheFreeze(hook: String, tool: String) throws {
        let (hooks, terminal) = try Self.waiting(hook, for: tool)
        try Self.goOnFullscreen(terminal, hooks)
        #expect(try Self.runs(terminal))
        try hooks.end()
    }

    /// A question that is on its way, and what is about to be done.
    @Test(arguments: [(hook(), false), (muting, true)])
    func thawAllCancelsAFreezeThatIsAboutToHappen(hook: String, isReadyToFreeze: Bool) throws {
        let (hooks, terminal) = try Self.waiting(hook, for: "pactl")
        #expect(try DesktopTests.ControlTests.hooks(hooks, "thaw-all", display: false).code == 0)
        try hooks.home.write("go", "")
        if isReadyToFreeze { try hooks.home.waitForFile("answered") }
        #expect(
            try waitUntil {
                try DesktopTests.ControlTests.hooks(hooks, "status").output.last
                    == "  XTerm: excepted: thawed by 'xphase hooks thaw-all'"
            })
        try hooks.session.settle()
        #expect(try Self.runs(terminal))
        // It does not hold for the next time.
        try hooks.session.settle { terminal.activate() }
        terminal.iconify()
        #expect(try hooks.waitForMessage("XTerm").contains("XTerm frozen ("))
        try hooks.end()
    }

    /// By what X tells: nothing knows its name.
    @Test func aCompositorThatTheTerminalHasStartedGoesOn() throws {
        let hooks = try HookSession(Self.hook())
        let picom = try Program.find("picom", package: "picom")
        let copy = "\(hooks.home.path)/bin/unheard-of"
        #expect(try Program.run("cp", [picom, copy]).code == 0)
        let script = "\(copy) --config /dev/null --backend xrender & sleep 1000"
        let terminal = try ProgramWindow(
            hooks.session, "xterm", ["-e", "sh", "-c", script], package: "xterm", application: "XTerm",
            environment: ["HOME": hooks.home.path])
        #expect(waitUntil { hooks.session.client.isOwned("_NET_WM_CM_S0") })
        terminal.iconify()
        #expect(try hooks.waitForMessage("frozen").hasSuffix("XTerm frozen (3 processes)"))
        #expect(try terminal.isStopped)
        let states = try Program.run("ps", ["-eo", "comm=,stat="], package: "procps").output
        #expect(states.contains { $0.hasPrefix("unheard-of") && !$0.contains("T") })
        try hooks.end()
    }
}
