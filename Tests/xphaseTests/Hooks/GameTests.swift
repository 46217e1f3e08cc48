import TestDesktop
import Testing

extension DesktopTests {
    /// A game that is frozen without the focus.
    @Suite struct GameTests {
        /// Returns a hook that freezes an application whenever it does not have the focus.
        private static func withoutFocus(_ application: String) -> String {
            """
            [[hook]]
            name = "pause"
            application = "\(application)"
            while = ["inactive", "background"]
            do = "freeze"

            """
        }

        @Test(arguments: [WindowManager.openbox, .i3], [false, true])
        func aGameIsFrozenWheneverItLosesTheFocus(manager: WindowManager, isFullscreen: Bool) throws {
            let hooks = try HookSession(Self.withoutFocus("Game"), manager: manager, settle: "100ms")
            let terminal = try ProgramWindow.terminal(hooks.session)
            // i3 does not activate windows covered by a fullscreen window on the same workspace.
            if isFullscreen && manager == .i3 { terminal.move(toDesktop: 1) }
            let game = try ProgramWindow(
                hooks.session, "xterm", ["-class", "Game", "-e", "sleep", "1000"], application: "Game")
            if isFullscreen {
                game.setFullscreen(true)
                #expect(waitUntil { game.isFullscreen })
            }
            for round in 1...3 {
                terminal.activate()
                #expect(try waitUntil { try game.isStopped }, "it runs in round \(round)")
                game.activate()
                #expect(try waitUntil { try !game.isStopped }, "it is stopped in round \(round)")
                #expect(waitUntil { hooks.session.client.focus != terminal.window })
            }
            try hooks.end()
            #expect(try !game.isStopped)
        }

        /// The client that has grabbed the pointer may be the one that would be stopped.
        @Test func nothingThatIsSeenIsFrozenWhileThePointerIsGrabbed() throws {
            let hooks = try HookSession(Self.withoutFocus("XTerm"))
            let other = try hooks.session.open("Alpha")
            let terminal = try ProgramWindow.terminal(hooks.session)
            try hooks.session.settle { terminal.activate() }
            hooks.session.client.grabPointer()
            other.activate()
            try hooks.waitForMessage(
                "does not freeze XTerm: a program has grabbed the pointer or the keyboard")
            #expect(try !terminal.isStopped)
            try hooks.end()
        }
    }
}
