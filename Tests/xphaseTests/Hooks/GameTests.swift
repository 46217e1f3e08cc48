import TestDesktop
import Testing

extension DesktopTests {
    /// A game that is frozen without the focus, and applications that are frozen while a game has it.
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
            try hooks.waitForMessage("not run for XTerm: a program has grabbed the pointer or the keyboard")
            #expect(try !terminal.isStopped)
            try hooks.end()
        }

        @Test func othersSleepWhileItIsActive() throws {
            let hooks = try HookSession(
                """
                [[mode]]
                name = "game"
                application = "Alpha"
                while = "active"
                others = ["XTerm"]
                do = "freeze"
                """)
            let terminal = try ProgramWindow.terminal(hooks.session)
            func status() throws -> [String] { try ControlTests.hooks(hooks, "status").output }
            #expect(try status().first == "game: is off: no application is in the phases of its mode")
            let game = try hooks.session.open("Alpha")
            try hooks.session.settle { game.activate() }
            try hooks.waitForMessage("hook 'game': XTerm frozen (")
            terminal.activate()
            try hooks.waitForMessage("XTerm thawed")
            #expect(try waitUntil { try status().first?.contains("is off") == true })
            game.activate()
            try hooks.waitForMessage("hook 'game': XTerm frozen (")
            try hooks.session.settle { game.destroy() }
            try hooks.waitForMessage("XTerm thawed")
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
            let list = try ControlTests.hooks(hooks, "list")
            #expect(list.output.contains("  while Alpha is active, on others: XTerm"), "\(list.output)")
            try hooks.end()
        }
    }
}
