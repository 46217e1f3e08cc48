import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The examples that communicate with other programs of the session.
    @Suite struct ExampleBus {
        private let bus: SessionBus

        init() throws {
            bus = try SessionBus()
        }

        private func run(_ example: String) throws -> HookSession {
            try HookSession(ExampleHooks.text(example), environment: bus.environment)
        }

        /// Starts mpv with endless silence, and waits until it plays.
        private func player(_ hooks: HookSession) throws -> ProgramWindow {
            guard access("/etc/mpv/scripts/mpris.so", R_OK) == 0 else {
                throw Failure("the plug-in of mpv is missing: apt-get install mpv-mpris")
            }
            let player = try ProgramWindow(
                hooks.session, "mpv",
                ["--ao=null", "--vo=x11", "--force-window", "--loop=inf", "av://lavfi:anullsrc"],
                application: "mpv", environment: bus.environment.merging(hooks.home.environment) { $1 })
            try waitForStatus("Playing")
            return player
        }

        private func waitForStatus(_ status: String) throws {
            func now() throws -> String { try bus.ask("playerctl", ["--player=mpv", "status"]) }
            guard try waitUntil({ try now() == status }) else {
                throw Failure("mpv says \(try now()), not \(status)")
            }
        }

        @Test func theVideoWaitsWhileNobodySeesIt() throws {
            let hooks = try run("pause-the-player.toml")
            let player = try player(hooks)
            player.iconify()
            try waitForStatus("Paused")
            player.activate()
            try waitForStatus("Playing")
            player.iconify()
            try waitForStatus("Paused")
            try hooks.end()
            try waitForStatus("Playing")
        }

        @Test func aVideoThatItsUserHadPausedStaysSo() throws {
            let hooks = try run("pause-the-player.toml")
            let player = try player(hooks)
            _ = try bus.ask("playerctl", ["--player=mpv", "pause"])
            try waitForStatus("Paused")
            player.iconify()
            try hooks.waitForMessage("'unless' vetoes it")
            player.activate()
            try hooks.session.settle()
            let reported = try hooks.end()
            #expect(!reported.contains { $0.contains("enter for") || $0.contains("leave for") })
            try waitForStatus("Paused")
        }

        @Test func aPlayerThatIsClosedIsAskedForNothing() throws {
            let hooks = try run("pause-the-player.toml")
            let player = try player(hooks)
            player.iconify()
            try waitForStatus("Paused")
            try player.program.end(SIGTERM)
            try hooks.waitForMessage("leave for mpv")
            let reported = try hooks.end()
            #expect(!reported.contains { $0.contains("No player") || $0.contains("exit ") })
        }

        @Test func aNotificationSaysThatTheBuildIsOver() throws {
            let hooks = try run("notify.toml")
            let dunst = try dunst(hooks)
            let build = try ProgramWindow(hooks.session, "xterm", ["-class", "Build"], application: "Build")
            build.iconify()
            try hooks.session.settle()
            #expect(try bus.ask("dunstctl", ["count", "displayed"]) == "0")
            try build.program.end(SIGTERM)
            #expect(try waitUntil { try bus.ask("dunstctl", ["count", "displayed"]) == "1" })
            _ = try bus.ask("dunstctl", ["close"])
            #expect(try waitUntil { try bus.ask("dunstctl", ["history"]).contains("\"Build has finished\"") })
            try hooks.end()
            try dunst.end(SIGTERM)
        }

        @Test func noNotificationsAreShownWhileTheEditorIsInFront() throws {
            let hooks = try run("write-in-peace.toml")
            let dunst = try dunst(hooks)
            func isPaused() throws -> String { try bus.ask("dunstctl", ["is-paused"]) }
            let editor = try hooks.session.open("Emacs")
            try hooks.session.settle { editor.activate() }
            #expect(try waitUntil { try isPaused() == "true" })
            try hooks.session.settle { editor.iconify() }
            #expect(try waitUntil { try isPaused() == "false" })
            try hooks.session.settle { editor.activate() }
            #expect(try waitUntil { try isPaused() == "true" })
            try hooks.end()
            #expect(try isPaused() == "false")
            try dunst.end(SIGTERM)
        }

        /// Starts the notification daemon, and waits until it answers.
        private func dunst(_ hooks: HookSession) throws -> Program {
            let environment = hooks.session.display.environment.merging(bus.environment) { $1 }
                .merging(hooks.home.environment) { $1 }
            let dunst = try Program("dunst", environment: environment)
            let isReady = try waitUntil {
                try bus.ask("dunstctl", ["is-paused"], package: "dunst") == "false"
            }
            guard isReady else { throw Failure("dunst does not answer") }
            return dunst
        }
    }
}
