import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Frozen real programs that other programs contact.
    @Suite struct SpokenToTests {
        /// A program, and the command that contacts it while it is frozen.
        struct Spoken: CustomTestStringConvertible {
            var application: String
            var package: String
            var start: [String]
            var words: [String]
            /// The expected reason; empty if one of several reasons may come first.
            var by = ""
            /// The package of the command, if it is not `package`.
            var askedBy = ""

            var testDescription: String { words.joined(separator: " ") }
        }

        /// None of them stays frozen, and each receives its request.
        static let all = [
            Spoken(
                application: "Chromium", package: "chromium",
                start: ["chromium", "--no-sandbox", "--no-first-run", "about:blank"],
                words: ["chromium", "--no-sandbox", "file:///"]),
            Spoken(
                application: "firefox-esr", package: "firefox-esr", start: ["firefox-esr", "about:blank"],
                words: ["firefox-esr", "file:///"]),
            Spoken(
                application: "libreoffice-writer", package: "libreoffice-writer",
                start: ["libreoffice", "--norestore", "--nologo", "--writer"],
                words: ["libreoffice", "--writer", "FILE"], by: "a connection or data at its socket"),
            Spoken(
                application: "kate", package: "kate", start: ["kate"], words: ["kate", "FILE"]),
            Spoken(
                application: "Mousepad", package: "mousepad", start: ["mousepad"],
                words: ["mousepad", "FILE"]),
            Spoken(
                application: "Mousepad", package: "mousepad", start: ["mousepad"],
                words: ["gapplication", "launch", "org.xfce.mousepad", "FILE"],
                by: "a call on the session bus, Open of org.freedesktop.Application",
                askedBy: "libglib2.0-bin"),
            Spoken(
                application: "gnome-text-editor", package: "gnome-text-editor", start: ["gnome-text-editor"],
                words: ["gnome-text-editor", "FILE"]),
            Spoken(
                application: "Thunar", package: "thunar", start: ["thunar", "/"],
                words: [
                    "gdbus", "call", "--session", "--dest", "org.freedesktop.FileManager1", "--object-path",
                    "/org/freedesktop/FileManager1", "--method",
                    "org.freedesktop.FileManager1.ShowFolders", "['file:///usr']", "",
                ], by: "a call on the session bus, ShowFolders of org.freedesktop.FileManager1",
                askedBy: "libglib2.0-bin"),
            Spoken(
                application: "Emacs", package: "emacs-gtk",
                start: ["emacs", "-Q", "--eval", "(server-start)"], words: ["emacsclient", "-n", "FILE"],
                by: "a connection or data at its socket"),
        ]

        @Test(arguments: all)
        func whatIsSpokenToAnswers(_ spoken: Spoken) throws {
            let (bus, hooks) = try session(spoken.application)
            let environment = hooks.session.display.environment.merging(bus.environment) { $1 }
                .merging(hooks.home.environment) { $1 }
            let file = try hooks.home.folder.write("opened.txt", "text\n")
            let program = try frozen(spoken, hooks, environment)
            let words = spoken.words.map { $0.replacing("FILE", with: file) }
            let asked = try Program.run(
                words[0], Array(words.dropFirst()),
                package: spoken.askedBy.isEmpty ? spoken.package : spoken.askedBy, environment: environment)
            #expect(asked.code == 0, "\(asked.errors)")
            let line = try hooks.waitForMessage("thawed: it is contacted by ")
            #expect(line.contains(spoken.by), "\(line)")
            try hooks.end()
            withExtendedLifetime(program) {}
        }

        @Test func aSecondStartIsNoticedWhereNothingElseIs() throws {
            let (hooks, terminal) = try FreezeTests.frozenTerminal(isBusy: false)
            // The window belongs to another application.
            let second = try Program(
                "xterm", ["-class", "Other"], environment: hooks.session.display.environment)
            let line = try hooks.waitForMessage("thawed")
            #expect(line.hasSuffix("a second start of its program, process \(second.pid)"), "\(line)")
            try hooks.end()
            withExtendedLifetime(terminal) {}
        }

        /// Status bars query players every second.
        @Test func whoOnlyReadsIsAnsweredAndWakesNobodyForLong() throws {
            let (bus, hooks) = try session("mpv")
            let player = try player(hooks, bus)
            for _ in 1...5 {
                #expect(try bus.ask("playerctl", ["--player=mpv", "status"]) == "Paused")
            }
            #expect(try waitUntil { try FreezeTests.isFrozen(player) })
            #expect(try bus.ask("playerctl", ["--player=mpv", "play"]).isEmpty)
            #expect(
                try hooks.waitForMessage("thawed").hasSuffix("Play of org.mpris.MediaPlayer2.Player"))
            #expect(try hooks.end().filter { $0.contains("thawed") }.count == 1)
        }

        @Test func aButtonOfItsNotificationReachesIt() throws {
            let (bus, hooks) = try session("Asker")
            let environment = hooks.session.display.environment.merging(bus.environment) { $1 }
                .merging(hooks.home.environment) { $1 }
            let dunst = try Program("dunst", environment: environment)
            #expect(try waitUntil { try bus.ask("dunstctl", ["is-paused"], package: "dunst") == "false" })
            let asker = try ProgramWindow(
                hooks.session, "/usr/bin/python3",
                [
                    "-c",
                    """
                    import gi
                    gi.require_version('Gtk', '3.0'); gi.require_version('Notify', '0.7')
                    from gi.repository import Gtk, Notify
                    window = Gtk.Window(); window.set_wmclass('asker', 'Asker'); window.show()
                    Notify.init('asker')
                    question = Notify.Notification.new('Save it?')
                    question.add_action('yes', 'Yes', lambda *_: print('answered', flush=True))
                    question.show()
                    Gtk.main()
                    """,
                ], package: "python3-gi gir1.2-gtk-3.0 gir1.2-notify-0.7", application: "Asker",
                environment: environment)
            #expect(try waitUntil { try bus.ask("dunstctl", ["count", "displayed"]) == "1" })
            asker.iconify()
            try hooks.waitForMessage("Asker frozen (")
            _ = try bus.ask("dunstctl", ["action", "0"])
            #expect(
                try hooks.waitForMessage("thawed").hasSuffix("ActionInvoked of org.freedesktop.Notifications")
            )
            #expect(try asker.program.output.next() == "answered")
            try hooks.end()
            withExtendedLifetime(dunst) {}
        }

        /// The panel calls Activate when the icon is clicked.
        @Test func itsTrayIconShowsIt() throws {
            let (bus, hooks) = try session("copyq")
            let environment = hooks.session.display.environment.merging(bus.environment) { $1 }
                .merging(hooks.home.environment) { $1 }
            let panel = try Program("xfce4-panel", environment: environment)
            let watcher = "org.kde.StatusNotifierWatcher"
            #expect(
                try waitUntil {
                    try bus.ask("busctl", ["--user", "--no-legend", "list"]).contains(watcher)
                })
            let clipboard = try Program("copyq", environment: environment)
            func item() throws -> Substring? {
                try bus.ask(
                    "busctl",
                    [
                        "--user", "get-property", watcher, "/StatusNotifierWatcher", watcher,
                        "RegisteredStatusNotifierItems",
                    ]
                ).split(separator: "\"").first { $0.hasSuffix("/StatusNotifierItem") }
            }
            #expect(try waitUntil { try item() != nil })
            let name = try #require(try item()?.split(separator: "/").first)
            _ = try Program.run("copyq", ["show"], environment: environment)
            // To answer a panel that reads the icon, the program is thawed, and may show itself before the call is
            // heard.
            panel.send(SIGSTOP)
            try Self.freeze("copyq", hooks)
            // gdbus(1) would read the interface first.
            try hooks.session.applicationLine("copyq", to: "active") {
                _ = try bus.ask(
                    "busctl",
                    [
                        "--user", "call", String(name), "/StatusNotifierItem", "org.kde.StatusNotifierItem",
                        "Activate", "ii", "0", "0",
                    ])
            }
            let line = try hooks.waitForMessage("thawed")
            #expect(
                line.contains("copyq thawed") && line.hasSuffix("Activate of org.kde.StatusNotifierItem"))
            try hooks.end()
            withExtendedLifetime((panel, clipboard)) {}
        }

        /// Two programs are frozen at the same time, and a request thaws only its recipient.
        @Test func whatIsFrozenTogetherIsSpokenToOneByOne() throws {
            let (bus, hooks) = try session("emacs\", \"mousepad")
            let environment = hooks.session.display.environment.merging(bus.environment) { $1 }
                .merging(hooks.home.environment) { $1 }
            let file = try hooks.home.folder.write("opened.txt", "text\n")
            let editor = try ProgramWindow(
                hooks.session, "emacs", ["-Q", "--eval", "(server-start)"], package: "emacs-gtk",
                application: "Emacs", environment: environment)
            let pad = try ProgramWindow(
                hooks.session, "mousepad", package: "mousepad", application: "Mousepad",
                environment: environment)
            hooks.session.client.showDesktop(true)
            for _ in 1...2 { try hooks.waitForMessage("frozen (") }
            let opened = try Program.run("mousepad", [file], package: "mousepad", environment: environment)
            #expect(opened.code == 0)
            try hooks.waitForMessage("Mousepad thawed: it is contacted by ")
            #expect(try FreezeTests.isFrozen(editor))
            let edited = try Program.run(
                "emacsclient", ["-n", file], package: "emacs-gtk", environment: environment)
            #expect(edited.code == 0)
            try hooks.waitForMessage("Emacs thawed: it is contacted by ")
            try hooks.end()
            withExtendedLifetime(pad) {}
        }

        /// busctl of systemd 255 and later does not report that it is monitoring.
        @Test func aMonitorThatDoesNotSayThatItListensIsHeard() throws {
            let tools = try TemporaryFolder()
            let path = try tools.write("busctl", "#!/bin/sh\nexec /usr/bin/busctl \"$@\" 2>/dev/null\n")
            chmod(path, 0o755)
            let bus = try SessionBus()
            let hooks = try HookSession(
                FreezeTests.hook().replacing("XTerm", with: "mpv"),
                environment: bus.environment.merging(["PATH": "\(tools.path):/usr/bin:/bin"]) { $1 })
            let player = try player(hooks, bus)
            #expect(try bus.ask("playerctl", ["--player=mpv", "status"]) == "Paused")
            #expect(try bus.ask("playerctl", ["--player=mpv", "play"]).isEmpty)
            #expect(
                try hooks.waitForMessage("thawed").hasSuffix("Play of org.mpris.MediaPlayer2.Player"))
            try hooks.end()
            withExtendedLifetime(player) {}
        }

        /// No listener runs while nothing is frozen, and none is left behind.
        @Test func itListensToWhatIsFrozenOnly() throws {
            let (bus, hooks) = try session("mpv")
            let player = try player(hooks, bus)
            func listeners() throws -> [String] {
                try Program.run("pgrep", ["-P", "\(hooks.run.pid)"], package: "procps").output
            }
            let listener = try #require(try listeners().first)
            player.activate()
            try hooks.waitForMessage("thawed")
            #expect(try waitUntil { try listeners().isEmpty })
            player.iconify()
            try hooks.waitForMessage("frozen")
            let next = try #require(try listeners().first)
            #expect(next != listener)
            try hooks.run.end(SIGKILL)
            #expect(waitUntil { access("/proc/\(next)", F_OK) != 0 })
            #expect(try FreezeTests.isFrozen(player))
            try hooks.session.restart()
            try hooks.waitForMessage("thawed")
            #expect(try waitUntil { try FreezeTests.runs(player) })
            try hooks.end()
        }

        private func session(_ application: String) throws -> (SessionBus, HookSession) {
            let bus = try SessionBus()
            return (
                bus,
                try HookSession(
                    FreezeTests.hook().replacing("\"XTerm\"", with: "[\"\(application)\"]"),
                    environment: bus.environment)
            )
        }

        /// Starts a paused mpv, and waits until it is frozen.
        private func player(_ hooks: HookSession, _ bus: SessionBus) throws -> ProgramWindow {
            guard access("/etc/mpv/scripts/mpris.so", R_OK) == 0 else {
                throw Failure("the plug-in of mpv is missing: apt-get install mpv-mpris")
            }
            let player = try ProgramWindow(
                hooks.session, "mpv",
                [
                    "--ao=null", "--vo=x11", "--force-window", "--loop=inf", "--pause", "av://lavfi:anullsrc",
                ],
                application: "mpv", environment: bus.environment.merging(hooks.home.environment) { $1 })
            #expect(try waitUntil { try bus.ask("playerctl", ["--player=mpv", "status"]) == "Paused" })
            player.iconify()
            try hooks.waitForMessage("mpv frozen (")
            return player
        }

        /// Starts a program, iconifies its window, and waits until it is frozen.
        private func frozen(
            _ spoken: Spoken, _ hooks: HookSession, _ environment: [String: String?]
        ) throws -> Program {
            let program = try Program(
                spoken.start[0], Array(spoken.start.dropFirst()), package: spoken.package,
                environment: environment)
            try Self.freeze(spoken.application, hooks)
            return program
        }

        /// Iconifies the window of a running program, and waits until the program is frozen.
        static func freeze(_ application: String, _ hooks: HookSession) throws {
            let client = hooks.session.client
            let appears = try waitUntil {
                try hooks.session.settle().contains { $0.application == application }
            }
            // Not by the client list: a panel is in it, too.
            let scene = try hooks.session.list(["--level", "scene"]).last { $0.application == application }?
                .scene
            guard appears, let window = scene.flatMap({ UInt($0.dropFirst(2), radix: 16) }) else {
                throw Failure("\(application) does not appear")
            }
            client.iconify(window)
            try hooks.waitForMessage("\(application) frozen (")
        }
    }
}
