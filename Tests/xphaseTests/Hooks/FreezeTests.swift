import Glibc
import TestDesktop
import Testing

/// A suite about frozen programs.
protocol FreezesPrograms {}

extension FreezesPrograms {
    /// - Parameters:
    ///   - keys: Further lines of the hook.
    ///   - applications: A TOML value.
    static func hook(_ keys: String = "", of applications: String = "\"XTerm\"") -> String {
        "[[hook]]\nname = \"sleep\"\napplication = \(applications)\nwhile = \"background\"\ndo = [\"freeze\"]\n\(keys)\n"
    }

    /// Starts a service that freezes the client of `ProgramWindow.scripted`.
    static func clientSession(_ manager: WindowManager = .openbox) throws -> HookSession {
        try HookSession(hook("except = 'none'", of: "\"Alpha\""), manager: manager)
    }

    /// Returns such a client, frozen.
    static func frozenClient(_ script: String) throws -> (hooks: HookSession, client: ProgramWindow) {
        let hooks = try clientSession()
        let client = try ProgramWindow.scripted(hooks.session, script)
        client.iconify()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try client.isStopped)
        return (hooks, client)
    }

    /// Starts a terminal whose shell continuously starts processes, each of which starts another one. None of them ends
    /// by itself: one that is not stopped is seen to run. The shell ends the oldest. None executes another program, which
    /// would postpone a freeze.
    static func terminal(_ session: Session) throws -> ProgramWindow {
        let script = """
            exec 3<> <(:)
            while :; do
                (trap 'kill $!; exit' TERM; (read -ru 3) & wait) &
                set -- "$@" $!
                (($# < 20)) || { kill $1; wait $1; shift; }
                read -rt 0.01 -u 3
            done
            """
        return try ProgramWindow(
            session, "xterm", ["-e", "bash", "-c", script], package: "xterm", application: "XTerm")
    }

    /// Returns such a terminal, or an idle one, frozen by a hook.
    static func frozenTerminal(
        isBusy: Bool = true, journal: Bool = false
    ) throws -> (hooks: HookSession, terminal: ProgramWindow) {
        let hooks = try HookSession("journal = \(journal)\n" + hook())
        let terminal = try isBusy ? terminal(hooks.session) : ProgramWindow.terminal(hooks.session)
        terminal.iconify()
        try hooks.waitForMessage("frozen (")
        return (hooks, terminal)
    }

    /// Returns the states of a program's process and its descendants.
    static func states(_ program: Program) throws -> [Character] {
        let rows = try Program.run("ps", ["-eo", "pid=,ppid=,stat="], package: "procps").output.map {
            $0.split(separator: " ")
        }
        var (tree, states) = ([Substring("\(program.pid)")], [Character]())
        while let pid = tree.popLast() {
            tree += rows.filter { $0[1] == pid }.map { $0[0] }
            states += rows.filter { $0[0] == pid }.compactMap { $0[2].first }
        }
        return states
    }

    /// Accepts state D, since a shell in vfork(2) stops only when its child continues, and what the shell has just ended.
    static func isFrozen(_ window: ProgramWindow) throws -> Bool {
        try states(window.program).allSatisfy { "TZD".contains($0) }
    }

    static func runs(_ window: ProgramWindow) throws -> Bool {
        try !states(window.program).contains("T")
    }
}

extension DesktopTests {
    /// Freezing and thawing of real programs.
    @Suite struct FreezeTests: FreezesPrograms {
        @Test func aProgramIsFrozenWithAllThatItStartsMeanwhile() throws {
            let hooks = try HookSession(Self.hook())
            let terminal = try Self.terminal(hooks.session)
            for _ in 1...5 {
                terminal.iconify()
                let line = try hooks.waitForMessage("xphase: hook 'sleep': XTerm frozen (")
                #expect(line.hasSuffix(" processes)"))
                #expect(try waitUntil { try Self.isFrozen(terminal) })
                terminal.activate()
                #expect(try waitUntil { try Self.runs(terminal) })
                try hooks.session.settle()
            }
            try hooks.end()
            #expect(try hooks.home.records().isEmpty)
        }

        /// The windows of a thawed program stay selected until something happens in them.
        @Test func keysInAThawedProgramBesideAFrozenOneWakeXphaseOnce() throws {
            let hooks = try HookSession("")
            let frozen = try ProgramWindow.terminal(hooks.session)
            let used = try ProgramWindow(
                hooks.session, "xterm", ["-class", "Beta", "-e", "sleep", "1000"], application: "Beta")
            try hooks.session.settle { used.activate() }
            for name in ["XTerm", "Beta"] { #expect(try hooks.xphase("freeze", name).code == 0) }
            #expect(try hooks.xphase("thaw", "Beta").code == 0)
            let keyCount = 300
            let before = try hooks.run.wakeUps()
            let environment = hooks.session.display.environment
            let keys = String(repeating: "a", count: keyCount)
            #expect(
                try Program.run("xdotool", ["type", "--delay", "2", keys], environment: environment).code == 0
            )
            #expect(try hooks.run.wakeUps() - before < keyCount / 2)
            #expect(try frozen.isStopped)
            try hooks.end()
        }

        /// xphase notices the loss of the display, and exits.
        @Test func aFrozenProgramGoesOnWhenTheDisplayDies() throws {
            let (hooks, terminal) = try Self.frozenTerminal()
            try hooks.session.display.crash()
            // The connection that listens for events may be the first to fail.
            try hooks.waitForMessage("xphase: hook 'sleep': XTerm thawed")
            _ = try hooks.ended(with: 69)
            _ = try terminal.program.exitCode()
            #expect(try hooks.home.records().isEmpty)
        }

        @Test func aRequestToCloseAFrozenProgramThawsItSinceItMustAnswer() throws {
            let (hooks, terminal) = try Self.frozenTerminal()
            terminal.close()
            try hooks.waitForMessage("XTerm thawed: ")
            _ = try terminal.program.exitCode()
        }

        @Test func onFreezesWithoutAConfiguration() throws {
            let home = try HookHome()
            let session = try Session(.openbox)
            let terminal = try Self.terminal(session)
            terminal.iconify()
            try session.settle()
            // It thaws the terminal whatever signal ends it.
            let signals = [
                SIGHUP, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPWR,
                SIGPOLL, SIGSTKFLT, 34, 64,
            ]
            for signal in signals {
                let on = try XPhase.start(
                    ["on", "xterm", "background", "--initial", "--do", "freeze"], on: session.display,
                    environment: home.environment)
                try on.waitForError("xphase: hook 'on': XTerm frozen (")
                on.send(signal)
                #expect(try on.exitCode() == 0, "signal \(signal)")
                #expect(try waitUntil { try Self.runs(terminal) })
                #expect(try home.records().isEmpty)
            }
        }

        // MARK: What is frozen whenever it has no focus

        private static func withoutFocus(_ application: String) -> String {
            hook(of: "\"\(application)\"").replacing("\"background\"", with: "[\"inactive\", \"background\"]")
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
        }
    }
}
