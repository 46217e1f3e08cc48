import Glibc
import TestDesktop
import Testing

/// The files in packaging/examples/hooks, unmodified.
enum ExampleHooks {
    static let directory = "\(XPhase.project)/packaging/examples/hooks"

    static func text(_ name: String) throws -> String {
        let result = try Program.run("cat", ["\(directory)/\(name)"])
        guard result.code == 0 else { throw Failure("there is no example \(name): \(result.errors)") }
        return result.output.joined(separator: "\n") + "\n"
    }
}

extension DesktopTests {
    @Suite struct ExampleHooksTests {
        @Test func theExampleHooksHaveNoFaults() throws {
            let files = try Program.run("find", [ExampleHooks.directory, "-name", "*.toml"]).output
            #expect(files.count == 7)
            let home = try HookHome()
            for file in files {
                let name = String(file.dropFirst(ExampleHooks.directory.count + 1).dropLast(5))
                let added = XPhase.call(["hooks", "add", name], environment: home.environment)
                #expect(added.output == ["added hook '\(name)' to \(home.configurationFile)"], "\(added)")
            }
            // All recipes in one configuration, and each of them in the list.
            let all = XPhase.call(["hooks", "check"], environment: home.environment)
            // A feature or program that this machine lacks is not a fault of the file.
            let lacks = [" unavailable: ", ": there is no program '"]
            #expect(all.errors.allSatisfy { error in lacks.contains(where: error.contains) }, "\(all.errors)")
            #expect(all.output.first?.hasPrefix("\(home.configurationFile): \(files.count) hooks") == true)
            let list = try XPhase.run(["hooks", "add"], on: nil)
            #expect(list.output.count == files.count + 1 && list.output.allSatisfy { $0.count < 120 })
            let last = "xphase: to add one, type its name: xphase hooks add mute-unseen-browsers"
            #expect(list.errors == [last])
            let wrong = XPhase.call(["hooks", "add", "quit-fullscreen"], environment: home.environment)
            let hint = "there is no recipe 'quit-fullscreen': did you mean 'quiet-fullscreen'?"
            #expect(wrong.code == 64 && wrong.errors.first == "xphase: \(hint)")
        }

        @Test func aRecipeIsPrintedAndFilledIn() throws {
            let home = try HookHome()
            func add(_ words: String...) -> (code: Int32, output: [String], errors: [String]) {
                XPhase.call(["hooks", "add"] + words, environment: home.environment)
            }
            let text = try ExampleHooks.text("sleep-unseen-chat.toml")
            #expect(add("sleep-unseen-chat", "--print").output.joined(separator: "\n") + "\n" == text)
            let filled = add("sleep-unseen-chat", "--print", "Slack,discord", "a \"b")
            #expect(filled.output.contains(#"application = ["Slack", "discord", "a \"b"]"#), "\(filled)")
            #expect(try home.files("config").isEmpty)
            let every = add("10-last-phase", "Slack")
            #expect(every.code != 0 && every.errors.first?.contains("for every application") == true)
        }

        /// Of whatever application, and only while it can be seen.
        @Test func notificationsWaitWhileAnythingIsFullscreen() throws {
            let hooks = try HookSession(ExampleHooks.text("quiet-fullscreen.toml")) { home, _ in
                try home.addTool("dunstctl", "echo $* >>~/log; [ $1 != is-paused ] || echo false")
            }
            let film = try hooks.session.open("Film")
            func log() throws -> [String] { try hooks.home.lines("log").filter { $0 != "is-paused" } }
            let (paused, resumed) = ("set-paused true", "set-paused false")
            film.setState("FULLSCREEN", true)
            #expect(try waitUntil { try log() == [paused] })
            film.setState("FULLSCREEN", false)
            #expect(try waitUntil { try log() == [paused, resumed] })
            film.setState("FULLSCREEN", true)
            #expect(try waitUntil { try log().count == 3 })
            film.iconify()
            #expect(try waitUntil { try log() == [paused, resumed, paused, resumed] })
        }

        /// Only where there is one, and once.
        @Test(arguments: ["", "vlc"]) func aLockPausesEveryPlayer(player: String) throws {
            let hooks = try HookSession(ExampleHooks.text("on-lock.toml")) { home, _ in
                try home.addTool("playerctl", "echo $* >>~/log; [ $1 != --list-all ] || echo \(player)")
            }
            var properties = TestWindow.Properties("Locker")
            properties.isOverrideRedirect = true
            let locker = hooks.session.window(properties, x: 0, y: 0, width: 640, height: 480)
            locker.map()
            hooks.session.client.grabKeyboard()
            let calls = ["--list-all"] + (player.isEmpty ? [] : ["--all-players pause"])
            try hooks.home.waitForLines(calls)
            hooks.session.client.releaseKeyboard()
            locker.withdraw()
            try hooks.end()
            #expect(try hooks.home.lines("log") == calls)
        }

        @Test func theExecutableOfHooksDKeepsPhases() throws {
            let hooks = try HookSession(nil) { home, _ in
                let file = "\(ExampleHooks.directory)/hooks.d/10-last-phase"
                _ = try Program.run("install", ["-m", "755", file, home.hooksDirectory])
            }
            let window = try hooks.session.open("Alpha Beta")
            try hooks.session.settle { window.iconify() }
            // The file contained `active` before.
            #expect(try waitUntil { try hooks.home.lines("phases/Alpha_Beta") == ["background"] })
        }

        /// Returns the commands of the guide, in order, with their expected output.
        private static func commands() throws -> [(command: String, output: [String])] {
            let lines = try ReadmeTests.lines("console", of: "packaging/examples/hooks/README.md")
            return lines.reduce(into: []) { commands, line in
                if line.hasPrefix("$ ") {
                    commands.append((String(line.dropFirst(2)), []))
                } else {
                    commands[commands.count - 1].output.append(line)
                }
            }
        }

        /// Replaces times and names of displays, and removes the windows of the tests.
        private static func withoutTimes(_ line: String) -> String {
            line.replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "TIME")
                .replacing(/[0-9a-z.]+ ago/, with: "AGE")
                .replacing(#/Marker[0-9]+ \([a-z]+\), /#, with: "")
                .replacing(/runs for :[0-9]+/, with: "runs for DISPLAY")
                .replacing(/next login: .*/, with: "next login")
        }

        @Test func everyCommandPrintsWhatThePageShows() throws {
            let hooks = try HookSession(nil)
            let demo = try ProgramWindow(
                hooks.session, "xterm", ["-class", "Demo", "-e", "sleep", "1000"], application: "Demo")
            // The terminal of the user.
            try hooks.session.open("Terminal", x: 300)
            var environment = hooks.home.environment.merging(hooks.session.display.environment) { $1 }
            environment["PATH"] = XPhase.searchPath
            let commands = try Self.commands()
            #expect(commands.count == 9)
            for (command, output) in commands {
                let expected = output.map {
                    Self.withoutTimes($0).replacing(
                        "/home/me/.config/xphase/config.toml", with: hooks.home.configurationFile)
                }
                var reported: [String] = []
                // The effects of a command may have to settle first.
                _ = try waitUntil {
                    reported = try Program.run("sh", ["-c", "\(command) 2>&1"], environment: environment)
                        .output.map(Self.withoutTimes)
                    return reported == expected
                }
                #expect(reported == expected, "\(command)")
            }
            #expect(hooks.home.exists("notes.copy"))
            demo.activate()
        }
    }
}
