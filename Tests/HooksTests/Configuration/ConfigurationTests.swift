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
        enter       = ["systemctl", "--user", "set-property", "--runtime", "app-slack.scope", "CPUWeight=10"]
        leave       = ["systemctl", "--user", "set-property", "--runtime", "app-slack.scope", "CPUWeight=100"]
        """

    private func hook(_ lines: String) throws -> Hook {
        let text = "[[hook]]\nname = 'h'\n\(lines)"
        return try #require(try Configuration(text: text, file: "f").hooks.first)
    }

    private func slowDown(_ weight: Int) -> Program {
        .arguments([
            "systemctl", "--user", "set-property", "--runtime", "app-slack.scope", "CPUWeight=\(weight)",
        ])
    }

    @Test func theSessionIsReadAndEachPartCanBeSwitchedOff() throws {
        let on = try Configuration(
            text: "session = ['lock', 'away']\nocclusion = '2s'\nidle = '5m'", file: "f"
        ).options
        #expect(on.hidingStates == [.lock, .away])
        #expect((on.occlusion, on.idle) == (.seconds(2), .seconds(300)))
        for none in ["'none'", "[]", "['none']"] {
            let off = try Configuration(
                text: "session = \(none)\nocclusion = 'none'\nidle = 'none'", file: "f"
            ).options
            #expect(off.hidingStates.isEmpty && off.occlusion == nil && off.idle == nil)
        }
        let unsaid = Configuration().options
        #expect(unsaid.hidingStates == Set(SessionState.allCases))
        #expect(unsaid.occlusion == nil && unsaid.idle == nil)
    }

    @Test func aCapIsReadWithItsReaction() throws {
        let hook = try hook("application = 'a'\nwhile = 'background'\ndo = ['cap', 'slow']\ncap = '20%'")
        #expect(hook.builtIns == [.cap, .slow] && hook.cap == ProcessorCap(rawValue: "20%"))
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
            reaction: .pair(.init(phases: [.background], enter: slowDown(10), leave: slowDown(100))))
        slow.condition.application = [Pattern("Slack")]
        slow.after = .seconds(30)
        slow.unless = .arguments(["sh", "-c", "pactl list sink-inputs | grep -q Slack"])

        let configuration = try Configuration(text: Self.example, file: "config.toml")
        #expect(configuration.options.policy == .focus)
        #expect(configuration.options.settle == .milliseconds(100))
        #expect(configuration.hooks == [pause, slow])
    }

    @Test func anEmptyFileSaysNothing() throws {
        #expect(try Configuration(text: "", file: "f") == Configuration())
        #expect(try Configuration(text: "# nothing\r\n", file: "f") == Configuration())
    }

    @Test func whatIsLeftOutHasItsDefault() throws {
        let hook = try hook("shell = 'true'")
        #expect(hook == Hook(name: "h", reaction: .run(.shell("true"))))
        #expect(hook.origin == .configuration)
        #expect(hook.condition == Condition())
        #expect(hook.after == .zero)
        #expect(hook.timeout == .seconds(30))
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
        #expect(hook.condition.level == .scene)
        #expect(hook.condition.instance == [Pattern("/^Navi/")])
        #expect(hook.condition.process == [Pattern("firefox*")])
        #expect(hook.condition.desktop == [0, 2])
        #expect(hook.condition.title.map(\.text) == ["*Inbox*", "[0-9]*"])
        #expect(hook.condition.criteria.role == [Pattern("browser")])
        #expect(hook.condition.criteria.monitor == [Pattern("DP-*"), Pattern("left")])
        #expect(hook.condition.criteria.extent == [.maximized, .fullscreen])
        #expect(hook.condition.criteria.desktopName == [Pattern("mail")])
        #expect(hook.condition.exclude.map(\.text) == ["Thunderbird"])
        #expect(hook.reaction == .run(.shell("printf '\\u0000' # as it is")))
    }

    @Test func aPairMayLastThroughSeveralPhases() throws {
        let hook = try hook("while = ['inactive', 'background']\nenter = ['a']\nleave = ['b']")
        #expect(
            hook.reaction
                == .pair(
                    .init(
                        phases: [.inactive, .background], enter: .arguments(["a"]), leave: .arguments(["b"])))
        )
    }

    @Test(arguments: Cause.allCases)
    func everyCauseIsAWord(cause: Cause) throws {
        let title = cause == .title ? "level = 'scene'\ntitle = 'a'\n" : ""
        #expect(try hook("\(title)shell = 'a'\ncause = '\(cause.rawValue)'").condition.cause == [cause])
    }

    @Test func hooksMayBeAnArrayOfInlineTables() throws {
        let configuration = try Configuration(text: "hook = [{name = 'a', shell = 'b'}]", file: "f")
        #expect(configuration.hooks == [Hook(name: "a", reaction: .run(.shell("b")))])
        #expect(try Configuration(text: "hook = []", file: "f").hooks.isEmpty)
    }
}
