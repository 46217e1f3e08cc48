import CXlib
import Glibc
import TestDesktop
import Testing

/// mpv with its plug-in for the session bus, which `playerctl` asks.
struct Player {
    let window: ProgramWindow
    private let bus: SessionBus
    private static let options = ["--ao=null", "--vo=x11", "--force-window", "--loop=inf"]

    /// Starts mpv with endless silence.
    init(_ hooks: HookSession, _ bus: SessionBus, _ options: String...) throws {
        guard access("/etc/mpv/scripts/mpris.so", R_OK) == 0 else {
            throw Failure("the plug-in of mpv is missing: apt-get install mpv-mpris")
        }
        self.bus = bus
        window = try ProgramWindow(
            hooks.session, "mpv", Self.options + options + ["av://lavfi:anullsrc"],
            application: "mpv", environment: hooks.session.environment)
    }

    /// Starts a further one, hidden, and returns it and its name on the bus.
    static func another(_ hooks: HookSession) throws -> (program: Program, name: String) {
        let words = options + ["--window-minimized", "av://lavfi:anullsrc"]
        let program = try Program("mpv", words, environment: hooks.session.environment)
        return (program, "mpv.instance\(program.pid)")
    }

    func ask(_ word: String) throws -> String { try bus.ask("playerctl", ["--player=mpv", word]) }

    func waitForStatus(_ status: String) throws {
        guard try waitUntil({ try ask("status") == status }) else {
            throw Failure("mpv says \(try ask("status")), not \(status)")
        }
    }
}

extension ProgramTests {
    /// The example that pauses a player.
    @Suite struct PlayerTests {
        @Test func aVideoThatPlaysIsPausedWhileItIsHidden() throws {
            let bus = try SessionBus()
            let hooks = try HookSession(
                ExampleHooks.text("pause-the-player.toml"), environment: bus.environment)
            let player = try Player(hooks, bus)
            try player.waitForStatus("Playing")
            player.window.iconify()
            try player.waitForStatus("Paused")
            player.window.activate()
            try player.waitForStatus("Playing")
            // A video that the user has paused stays paused.
            _ = try player.ask("pause")
            try player.waitForStatus("Paused")
            player.window.iconify()
            try hooks.waitForMessage("'unless' vetoes it")
            try hooks.session.settle { player.window.activate() }
            #expect(try player.ask("status") == "Paused")
            _ = try player.ask("play")
            try player.waitForStatus("Playing")
            player.window.iconify()
            try player.waitForStatus("Paused")
            // A closed player is not asked to play.
            try player.window.program.end(SIGTERM)
            try hooks.waitForMessage("leave for mpv")
            let reported = try hooks.end()
            #expect(!reported.contains { $0.contains("No player") || $0.contains("exit ") })
        }

        /// To playerctl, the name of the first one means all.
        @Test func severalHiddenPlayersContinueIfTheyPlayed() throws {
            let bus = try SessionBus()
            let hooks = try HookSession(
                ExampleHooks.text("pause-the-player.toml"), environment: bus.environment)
            func waitForStatus(_ expected: String...) throws {
                let words = ["--all-players", "--format", "{{playerInstance}} {{status}}", "status"]
                var found: Set<Substring> = []
                let isSo = try waitUntil {
                    found = Set(try bus.ask("playerctl", words).split(separator: "\n"))
                    return found == Set(expected.map { $0[...] })
                }
                if !isSo { throw Failure("\(found), not \(expected)") }
            }
            let player = try Player(hooks, bus)
            try waitForStatus("mpv Playing")
            let (second, third) = (try Player.another(hooks), try Player.another(hooks))
            try waitForStatus("mpv Playing", "\(second.name) Playing", "\(third.name) Playing")
            _ = try bus.ask("playerctl", ["--player=\(second.name)", "pause"])
            player.window.iconify()
            try waitForStatus("mpv Paused", "\(second.name) Paused", "\(third.name) Paused")
            player.window.activate()
            try waitForStatus("mpv Playing", "\(second.name) Paused", "\(third.name) Playing")
            #expect(try !hooks.end().contains { $0.contains("exit ") })
            try waitForStatus("mpv Playing", "\(second.name) Paused", "\(third.name) Playing")
            for program in [second.program, third.program] { try program.end() }
        }
    }

    /// Frozen real programs that other programs contact: one program for each way.
    @Suite struct ProgramSignTests {
        private let bus: SessionBus

        init() throws { bus = try SessionBus() }

        private func session(
            _ applications: String..., keys: String = "", environment: [String: String?] = [:]
        ) throws -> HookSession {
            try HookSession(
                DesktopTests.FreezeTests.hook(keys, of: "\(applications)"),
                environment: bus.environment.merging(environment) { $1 })
        }

        /// Starts Mousepad.
        private func pad(_ hooks: HookSession) throws -> ProgramWindow {
            try ProgramWindow(
                hooks.session, "mousepad", application: "Mousepad", environment: hooks.session.environment)
        }

        /// By a message to its window, and by the end of a second start.
        @Test func aBrowserThatIsStartedAgainOpensThePage() throws {
            let hooks = try session("firefox-esr")
            let program = try Program("firefox-esr", ["about:blank"], environment: hooks.session.environment)
            func scene() throws -> UInt? {
                let list = try hooks.xphase("list", "firefox-esr", "--level", "scene", "--format", "{scene}")
                return list.output.last.flatMap { UInt($0.dropFirst(2), radix: 16) }
            }
            #expect(try waitUntil { try scene() != nil })
            try hooks.session.settle()
            hooks.session.client.iconify(try #require(try scene()))
            try hooks.waitForMessage("firefox-esr frozen (")
            let asked = try Program.run("firefox-esr", ["file:///"], environment: hooks.session.environment)
            #expect(asked.code == 0, "\(asked.errors)")
            try hooks.waitForMessage("thawed: ")
            withExtendedLifetime(program) {}
        }

        /// By the session bus, and by a socket. Both are frozen at the same time, and a request thaws only its
        /// recipient.
        @Test func programsFrozenTogetherAreThawedOneByOne() throws {
            let hooks = try session("Emacs", "Mousepad")
            let file = try hooks.home.folder.write("opened.txt", "text\n")
            let editor = try ProgramWindow(
                hooks.session, "emacs", ["-Q", "--eval", "(server-start)"], package: "emacs-gtk",
                application: "Emacs", environment: hooks.session.environment)
            let pad = try pad(hooks)
            hooks.session.client.showDesktop(true)
            for _ in 1...2 { try hooks.waitForMessage("frozen (") }
            func open(_ name: String, _ words: String...) throws -> String {
                let opened = try Program.run(
                    name, words + [file], package: "libglib2.0-bin", environment: hooks.session.environment)
                #expect(opened.code == 0, "\(opened)")
                return try hooks.waitForMessage("thawed")
            }
            let call = "a call on the session bus, Open of org.freedesktop.Application"
            #expect(
                try open("gapplication", "launch", "org.xfce.mousepad").hasSuffix("Mousepad thawed: \(call)"))
            #expect(try DesktopTests.FreezeTests.isFrozen(editor))
            #expect(
                try open("emacsclient", "-n").contains("Emacs thawed: a connection or data at its socket"))
            withExtendedLifetime(pad) {}
        }

        private func frozenPlayer() throws -> (hooks: HookSession, player: Player) {
            let hooks = try session("mpv")
            let player = try Player(hooks, bus, "--pause")
            try player.waitForStatus("Paused")
            player.window.iconify()
            try hooks.waitForMessage("mpv frozen (")
            return (hooks, player)
        }

        /// Status bars query players every second.
        @Test func aProgramThatOnlyReadsIsAnsweredAndWakesNobodyForLong() throws {
            let (hooks, player) = try frozenPlayer()
            for _ in 1...5 { #expect(try player.ask("status") == "Paused") }
            #expect(try waitUntil { try DesktopTests.FreezeTests.isFrozen(player.window) })
            #expect(try player.ask("play").isEmpty)
            #expect(try hooks.waitForMessage("thawed").hasSuffix("Play of org.mpris.MediaPlayer2.Player"))
            #expect(try hooks.end().filter { $0.contains("thawed") }.count == 1)
        }

        /// xphase freezes the player again after each answer, and looks for what it has started meanwhile. On a busy
        /// machine, all processes are also read because many were started, or because others start the same program.
        @Test func programsThatOnlyReadCostNoReadingOfAllProcessesEach() throws {
            let (hooks, player) = try frozenPlayer()
            let file = hooks.home.folder("opened directories")
            let trace = try hooks.trace(["-e", "trace=openat", "-P", "/proc", "-o", file])
            let calls = 50
            for _ in 1...calls { #expect(try player.ask("status") == "Paused") }
            try trace.end(SIGTERM)
            let readings = try hooks.home.lines("opened directories").count { $0.contains("\"/proc\"") }
            #expect((1...calls * 4 / 5).contains(readings))
        }

        /// xphase starts no program for a freeze without sound, and has no connection to the bus while nothing is frozen.
        /// The button of a notification is a signal, which has no recipient.
        @Test func aBusIsMonitoredOnlyWhileSomethingIsFrozenWhichAButtonOfANotificationThaws() throws {
            let hooks = try session("Mousepad", keys: "except = 'none'")
            let pad = try pad(hooks)
            let former = try hooks.run.sockets()
            func freeze() throws {
                pad.iconify()
                try hooks.waitForMessage("frozen (")
                #expect(try hooks.run.children().isEmpty && hooks.run.sockets() > former)
            }
            try freeze()
            pad.activate()
            try hooks.waitForMessage("thawed")
            #expect(try waitUntil { try hooks.run.sockets() == former })
            try freeze()
            let name = "org.freedesktop.Notifications"
            let words = "--user emit /org/freedesktop/Notifications \(name) ActionInvoked us 7 yes"
            _ = try bus.ask("busctl", XPhase.words(words), package: "systemd")
            #expect(try hooks.waitForMessage("thawed").hasSuffix("ActionInvoked of \(name)"))
        }

        /// logind announces a shutdown on the system bus. GNOME's session manager, which is that of MATE and Cinnamon, too,
        /// and Xfce's announce the end to all clients.
        @Test(arguments: [
            ("login1", "login1.Manager", "'PrepareForShutdown', GLib.Variant('(b)', (True,))"),
            (
                "gnome.SessionManager", "gnome.SessionManager.ClientPrivate",
                "'QueryEndSession', GLib.Variant('(u)', (0,))"
            ),
            ("xfce.SessionManager", "xfce.Session.Manager", "'StateChanged', GLib.Variant('(uu)', (1, 3))"),
        ])
        func onlyTheSessionManagerAnnouncesTheEnd(name: String, interface: String, signal: String) throws {
            let system = try SessionBus()
            let bus = name == "login1" ? system : bus
            let start = name == "login1" ? "org.freedesktop" : "org"
            let isToEach = name == "login1" ? "True" : "False"
            // Each owns the names, and emits the signal, some times, at SIGUSR1. On the system bus also to each client: on
            // the session bus, that is a message to what is frozen.
            func emitter(_ names: String...) throws -> Program {
                let script = """
                    import signal, sys, time
                    from gi.repository import Gio, GLib
                    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
                    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
                    for name in sys.argv[1:]:
                        bus.call_sync('org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'RequestName',
                                      GLib.Variant('(su)', (name, 0)), None, 0, -1)
                    print('ready', flush=True)
                    signal.sigwait({signal.SIGUSR1})
                    for _ in range(10):
                        clients = bus.call_sync('org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'ListNames',
                                                None, None, 0, -1).unpack()[0]
                        each = [name for name in clients if name.startswith(':') and \(isToEach)]
                        for client in [None] + each:
                            bus.emit_signal(client, '/client', '\(start).\(interface)', \(signal))
                        bus.flush_sync()
                        time.sleep(0.1)
                    """
                let program = try Program(
                    "/usr/bin/python3", ["-c", script] + names, package: "python3-gi",
                    environment: bus.environment)
                #expect(try program.output.next() == "ready")
                return program
            }
            let (manager, stranger) = (try emitter("\(start).\(name)"), try emitter())
            let address = system.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil
            let hooks = try session("Mousepad", environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
            let pad = try pad(hooks)
            pad.iconify()
            try hooks.waitForMessage("Mousepad frozen (")
            kill(stranger.pid, SIGUSR1)
            _ = try stranger.output.rest()
            // Its message is on the bus before that of the session manager, and the service has answered since.
            _ = try DesktopTests.ControlTests.states(hooks)
            #expect(try DesktopTests.FreezeTests.isFrozen(pad))
            kill(manager.pid, SIGUSR1)
            try hooks.waitForMessage("Mousepad thawed: the session is about to end")
        }
    }

    /// A global hotkey with a modifier, which goes to the focused window first.
    @Suite struct HotkeyTests {
        @Test(arguments: [WindowManager.openbox, .i3, .xfwm4])
        func everyPressFreezesOrThawsWhatHasTheFocus(manager: WindowManager) throws {
            let hooks = try HookSession("", manager: manager)
            let program = try ProgramWindow.terminal(hooks.session)
            try hooks.session.settle { program.activate() }
            let client = hooks.session.client
            client.grabKey("F9", with: Mod4Mask)
            var said: [String] = []
            for press in 1...20 {
                try hooks.session.display.run("xdotool keydown Super_L key F9")
                #expect(waitUntil { !client.takeKeyPresses().isEmpty })
                let toggle = try hooks.xphase("freeze", "--toggle", "--focused")
                said += toggle.output + toggle.errors
                try hooks.session.display.run("xdotool keyup Super_L")
                #expect(try waitUntil { try program.isStopped == (press % 2 == 1) }, "press \(press)")
            }
            #expect(said == (1...20).map { "XTerm \($0 % 2 == 1 ? "frozen" : "thawed")" })
        }
    }
}
