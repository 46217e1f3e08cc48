import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Valid configurations.
@Suite struct ConfigurationTests {
    static let example = """
        policy = "focus"
        settle = "100ms"

        [[hook]]
        name        = "pause the player"
        application = ["mpv", "vlc"]            # globs; also group =, title =, level = "scene"; exclude = [...]
        from        = "active"                  # optional, phase or list
        to          = "background"
        cause       = ["iconify", "desktop"]    # optional
        after       = "5s"                      # only if it is still so by then
        run         = ["playerctl", "pause"]    # argv; or: shell = "playerctl pause && …"
        timeout     = "10s"                     # TERM to its whole process group, KILL 2 s later; default 30s
        initial     = true                      # also for what is found at startup; default false

        [[hook]]
        name        = "slow down"
        application = "Slack"
        while       = "background"              # a pair: enter at the start, leave at the end, always both
        after       = "30s"
        unless      = ["sh", "-c", "pactl list sink-inputs | grep -q Slack"]   # a veto: exit 0 skips it
        enter       = ["weigh", "app-slack.scope", "10"]
        leave       = ["weigh", "app-slack.scope", "100"]
        """

    private func hook(_ lines: String) throws -> Hook {
        let text = "[[hook]]\nname = 'h'\n\(lines)"
        return try #require(try Configuration(text: text, file: "f").hooks.first)
    }

    @Test func theSessionIsReadAndEachPartCanBeSwitchedOff() throws {
        func options(_ text: String) throws -> PhaseMonitor.Options {
            try Configuration(text: text, file: "f").options
        }
        let on = try options("session = ['lock', 'away']\nocclusion = '2s'\nidle = '5m'")
        let expected = PhaseMonitor.Options(
            hidingStates: [.lock, .away], occlusion: .seconds(2), idle: .seconds(300))
        #expect(on == expected)
        for none in ["'none'", "[]", "['none']"] {
            let off = try options("session = \(none)\nocclusion = 'none'\nidle = 'none'")
            #expect(off == PhaseMonitor.Options(hidingStates: []))
        }
        #expect(try options("# nothing\r\n") == PhaseMonitor.Options())
    }

    @Test func theExampleIsReadToTheWord() throws {
        var pause = Hook(name: "pause the player", reaction: .run(.arguments(["playerctl", "pause"])))
        pause.condition.application = [Pattern("mpv"), Pattern("vlc")]
        pause.condition.from = [.active]
        pause.condition.to = [.background]
        pause.condition.cause = [.iconify, .desktop]
        pause.condition.initial = true
        pause.after = .seconds(5)
        pause.timeout = .seconds(10)
        var slow = Hook(
            name: "slow down",
            reaction: .pair(
                .init(
                    phases: [.background], enter: .arguments(["weigh", "app-slack.scope", "10"]),
                    leave: .arguments(["weigh", "app-slack.scope", "100"]))))
        slow.condition.application = [Pattern("Slack")]
        slow.after = .seconds(30)
        slow.unless = .arguments(["sh", "-c", "pactl list sink-inputs | grep -q Slack"])

        let configuration = try Configuration(text: Self.example, file: "config.toml")
        #expect(configuration.options.policy == .focus)
        #expect(configuration.options.settle == .milliseconds(100))
        #expect(configuration.hooks == [pause, slow])
    }

    @Test func everyOtherKeyIsRead() throws {
        let hook = try hook(
            """
            level = "scene"
            instance = "/^Navi/"
            process = "firefox*"
            desktop = [0, "mail", 2]
            title = ["*Inbox*", "[0-9]*"]
            role = "browser"
            monitor = ["DP-*", "left"]
            extent = ["maximized", "fullscreen"]
            exclude = "Thunderbird"
            shell = "printf '\\\\u0000' # as it is"
            """)
        var expected = Hook(name: "h", reaction: .run(.shell("printf '\\u0000' # as it is")))
        expected.condition.level = .scene
        expected.condition.instance = [Pattern("/^Navi/")]
        expected.condition.process = [Pattern("firefox*")]
        expected.condition.desktop = [0, 2]
        expected.condition.desktopName = [Pattern("mail")]
        expected.condition.title = [Pattern("*Inbox*"), Pattern("[0-9]*")]
        expected.condition.role = [Pattern("browser")]
        expected.condition.monitor = [Pattern("DP-*"), Pattern("left")]
        expected.condition.extent = [.maximized, .fullscreen]
        expected.condition.exclude = [Pattern("Thunderbird")]
        #expect(hook == expected)
    }

    @Test func pairsAndTheirReactionsAreRead() throws {
        let programs = try hook("while = ['inactive', 'background']\nenter = ['a']\nleave = ['b']")
        let pair = Hook.Pair(
            phases: [.inactive, .background], enter: .arguments(["a"]), leave: .arguments(["b"]))
        #expect(programs.reaction == .pair(pair))
        let lines = "application = 'a'\nwhile = 'background'\npower = 'battery'\n"
        let cap = try hook(lines + "do = ['cap', 'slow']\ncap = '20%'")
        #expect(cap.builtIns == [.cap, .slow] && cap.cap == ProcessorCap(rawValue: "20%"))
        let wake = try hook(lines + "do = 'freeze'\nwake.every = '3m'\nwake.for = '5s'")
        #expect(wake.wake == Wake(interval: .seconds(180), duration: .seconds(5)))
        #expect(wake.power == .battery && wake.except == [.audio, .microphone, .selection])
    }
}
