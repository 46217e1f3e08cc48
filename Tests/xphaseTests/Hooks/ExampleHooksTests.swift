import Glibc
import TestDesktop
import Testing

/// The files in packaging/examples/hooks, unmodified.
enum ExampleHooks {
    static let directory =
        #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/packaging/examples/hooks"

    static func text(_ name: String) throws -> String {
        let result = try Program.run("cat", ["\(directory)/\(name)"])
        guard result.code == 0 else { throw Failure("there is no example \(name): \(result.errors)") }
        return result.output.joined(separator: "\n") + "\n"
    }
}

extension DesktopTests {
    @Suite struct ExampleHooksTests {
        @Test func noneHasFaults() throws {
            let files = try Program.run("find", [ExampleHooks.directory, "-name", "*.toml"]).output
            #expect(files.count == 15)
            let home = try HookHome()
            for file in files {
                let name = String(file.dropFirst(ExampleHooks.directory.count + 1).dropLast(5))
                let added = XPhase.call(["hooks", "add", name], environment: home.environment)
                #expect(
                    added.output == ["added hook '\(name)' to \(home.configurationFile)"], "\(added.errors)")
            }
            // All recipes in one configuration, and each of them in the list.
            let all = XPhase.call(["hooks", "check"], environment: home.environment)
            // A feature or program that this machine lacks is not a fault of the file.
            #expect(
                all.errors.allSatisfy {
                    $0.contains(" cannot be done here") || $0.contains(": there is no program '")
                }, "\(all.errors)")
            #expect(all.output.first?.hasPrefix("\(home.configurationFile): \(files.count) hooks") == true)
            let list = try XPhase.run(["hooks", "add"], on: nil).output
            #expect(list.count == files.count + 2 && list.allSatisfy { $0.count < 120 })
            let wrong = XPhase.call(["hooks", "add", "quit-games"], environment: home.environment)
            #expect(wrong.code == 64)
            #expect(
                wrong.errors.first == "xphase: there is no recipe 'quit-games': did you mean 'quiet-games'?")
        }

        @Test func aRecipeIsPrintedAndFilledIn() throws {
            let home = try HookHome()
            func add(_ words: String...) -> (code: Int32, output: [String], errors: [String]) {
                XPhase.call(["hooks", "add"] + words, environment: home.environment)
            }
            let text = try ExampleHooks.text("stop-and-continue.toml")
            #expect(add("stop-and-continue", "--print").output.joined(separator: "\n") + "\n" == text)
            let names = ["--application", "Slack", "--application", "a \"b"]
            let filled = XPhase.call(
                ["hooks", "add", "stop-and-continue", "--print"] + names, environment: home.environment)
            #expect(filled.output.contains(#"application = ["Slack", "a \"b"]"#), "\(filled)")
            #expect(try home.files("config").isEmpty)
            let every = add("activity-log", "--application", "Slack")
            #expect(every.code != 0 && every.errors.first?.contains("for every application") == true)
        }

        /// The command prints what the hook matches, and that the service has read it.
        @Test func anAddedRecipeIsLive() throws {
            let hooks = try HookSession("")
            let window = try hooks.session.open("Slack")
            let added = try XPhase.run(
                ["hooks", "add", "activity-log"], on: hooks.session.display,
                environment: hooks.home.environment)
            #expect(added.output.first == "added hook 'activity-log' to \(hooks.home.configurationFile)")
            #expect(added.output.dropFirst().first?.contains("Slack (active)") == true, "\(added)")
            #expect(added.output.last == "the service loads it")
            try hooks.waitForMessage("configuration reloaded")
            let line = try hooks.session.applicationLine("Slack", to: "background") { window.iconify() }
            try hooks.end()
            #expect(try hooks.home.lines("activity.jsonl").contains(line.json))
        }

        @Test func aProgramGivesWayWhileItIsHidden() throws {
            let hooks = try HookSession(ExampleHooks.text("renice.toml"))
            let terminal = try ProgramWindow.terminal(hooks.session)
            func nice() throws -> String {
                try Program.run("ps", ["-o", "ni=", "-p", "\(terminal.program.pid)"], package: "procps")
                    .output
                    .joined().filter { $0 != " " }
            }
            terminal.iconify()
            #expect(try waitUntil { try nice() == "10" })
            terminal.activate()
            #expect(try waitUntil { try nice() == "0" })
        }

        @Test func aHiddenProgramIsFrozenUntilItIsShown() throws {
            let example = try ExampleHooks.text("stop-and-continue.toml")
            let hooks = try HookSession(example.replacing("Gimp*", with: "XTerm"))
            let terminal = try ProgramWindow.terminal(hooks.session)
            terminal.iconify()
            #expect(try waitUntil { try terminal.isStopped })
            terminal.activate()
            #expect(try waitUntil { try !terminal.isStopped })
            try hooks.end()
        }

        @Test func theEndOfABuildIsNotified() throws {
            let hooks = try HookSession(ExampleHooks.text("notify.toml")) { home, _ in
                try home.addTool("notify-send", "echo \"$@\" >>'\(home.path)/notified'")
            }
            let build = try ProgramWindow(hooks.session, "xterm", ["-class", "Build"], application: "Build")
            try hooks.session.settle { build.iconify() }
            #expect(!hooks.home.exists("notified"))
            try build.program.end(SIGTERM)
            try hooks.home.waitForLines(["xphase Build has finished"], in: "notified")
            try hooks.end()
        }

        @Test func theNotesAreCopiedWhenTheEditorIsOutOfSight() throws {
            let hooks = try HookSession(ExampleHooks.text("sync-a-folder.toml"))
            mkdir("\(hooks.home.path)/notes", 0o700)
            try hooks.home.write("notes/today", "milk\n")
            let window = try hooks.session.open("Emacs")
            try hooks.session.settle { window.iconify() }
            #expect(try waitUntil { try hooks.home.lines("notes.copy/today") == ["milk"] })
        }

        @Test func theKeyboardHasAnotherLayoutInFrontOnly() throws {
            let hooks = try HookSession(ExampleHooks.text("keyboard-layout.toml"))
            func layout() throws -> String {
                try Program.run(
                    "setxkbmap", ["-query"], package: "x11-xkb-utils",
                    environment: hooks.session.display.environment
                ).output.filter { $0.hasPrefix("layout") }.joined()
            }
            func symbols() throws -> [String] {
                try Program.run(
                    "xkbcomp", ["-xkb", hooks.session.display.name, "-"], package: "x11-xkb-utils"
                ).output.filter { $0.contains("<AC10>") }
            }
            _ = try Program.run(
                "setxkbmap", ["de"], package: "x11-xkb-utils", environment: hooks.session.display.environment)
            let german = try symbols()
            let window = try hooks.session.open("Blender")
            #expect(try waitUntil { try layout().hasSuffix("us") && symbols() != german })
            window.iconify()
            #expect(try waitUntil { try symbols() == german })
            try hooks.end()
        }

        @Test func theExecutablesOfHooksDKeepPhasesAndTimes() throws {
            let hooks = try HookSession(nil) { home, _ in
                for name in ["10-last-phase", "20-time-in-use"] {
                    let copy = "\(home.hooksDirectory)/\(name)"
                    let file = "\(ExampleHooks.directory)/hooks.d/\(name)"
                    guard try Program.run("install", ["-m", "755", file, copy]).code == 0 else {
                        throw Failure("\(name) cannot be copied")
                    }
                }
            }
            let window = try hooks.session.open("Alpha Beta")
            try hooks.session.settle { window.iconify() }
            // The file contained `active` before.
            #expect(try waitUntil { try hooks.home.lines("phases/Alpha_Beta") == ["background"] })
            func times() throws -> String { try hooks.home.lines("time-in-use.json").joined() }
            #expect(try waitUntil { try times().contains("\"Alpha Beta\": ") })
            try hooks.end()
        }
    }
}
