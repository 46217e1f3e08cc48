import Glibc
import TestDesktop
import Testing

/// mpv with its plug-in for the session bus, which `playerctl` asks.
struct Player {
    private let bus: SessionBus

    /// Starts mpv with endless silence.
    init(_ hooks: HookSession, _ bus: SessionBus, _ options: String...) throws {
        guard access("/etc/mpv/scripts/mpris.so", R_OK) == 0 else {
            throw Failure("the plug-in of mpv is missing: apt-get install mpv-mpris")
        }
        self.bus = bus
        window = try ProgramWindow(
            hooks.session, "mpv",
            ["--ao=null", "--vo=x11", "--force-window", "--loop=inf"] + options + ["av://lavfi:anullsrc"],
            application: "mpv", environment: bus.environment.merging(hooks.home.environment) { $1 })
    }

    let window: ProgramWindow

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
    }
}
