import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Valid configurations.
@Suite struct ConfigurationTests {
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
        let both = try options("policy = 'visible'\nsettle = '250ms'")
        #expect(both == PhaseMonitor.Options(policy: .visible, settle: .milliseconds(250)))
    }

    @Test func everyKeyOfARunIsRead() throws {
        let hook = try hook(
            """
            level       = "scene"
            application = ["mpv", "vlc"]            # globs
            exclude     = "Thunderbird"
            instance    = "/^Navi/"
            process     = "firefox*"
            desktop     = [0, "mail", 2]
            title       = ["*Inbox*", "[0-9]*"]
            role        = "browser"
            monitor     = ["DP-*", "left"]
            extent      = ["maximized", "fullscreen"]
            from        = "active"
            to          = ["inactive", "background"]
            cause       = ["iconify", "desktop"]
            initial     = true
            after       = "5s"
            every       = "5m"
            timeout     = "10s"
            power       = "mains"
            unless      = ["sh", "-c", "pactl list | grep -q $A"]
            shell       = "printf '\\\\u0000' # as it is"
            """)
        var expected = Hook(name: "h", reaction: .run(.shell("printf '\\u0000' # as it is")))
        expected.condition.level = .scene
        expected.condition.application = [Pattern("mpv"), Pattern("vlc")]
        expected.condition.exclude = [Pattern("Thunderbird")]
        expected.condition.instance = [Pattern("/^Navi/")]
        expected.condition.process = [Pattern("firefox*")]
        expected.condition.desktop = [0, 2]
        expected.condition.desktopName = [Pattern("mail")]
        expected.condition.title = [Pattern("*Inbox*"), Pattern("[0-9]*")]
        expected.condition.role = [Pattern("browser")]
        expected.condition.monitor = [Pattern("DP-*"), Pattern("left")]
        expected.condition.extent = [.maximized, .fullscreen]
        expected.condition.from = [.active]
        expected.condition.to = [.inactive, .background]
        expected.condition.cause = [.iconify, .desktop]
        expected.condition.initial = true
        (expected.after, expected.every, expected.timeout) = (.seconds(5), .seconds(300), .seconds(10))
        (expected.power, expected.unless) = (.mains, .arguments(["sh", "-c", "pactl list | grep -q $A"]))
        #expect(hook == expected)
        #expect(try self.hook("run = ['a', 'b']").reaction == .run(.arguments(["a", "b"])))
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
