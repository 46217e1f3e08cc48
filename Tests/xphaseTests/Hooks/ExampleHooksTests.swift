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
            #expect(files.count == 8)
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
                    $0.contains(" unavailable: ") || $0.contains(": there is no program '")
                }, "\(all.errors)")
            #expect(all.output.first?.hasPrefix("\(home.configurationFile): \(files.count) hooks") == true)
            let list = try XPhase.run(["hooks", "add"], on: nil).output
            #expect(list.count == files.count + 1 && list.allSatisfy { $0.count < 120 })
            let wrong = XPhase.call(["hooks", "add", "quit-writing"], environment: home.environment)
            #expect(wrong.code == 64)
            #expect(
                wrong.errors.first
                    == "xphase: there is no recipe 'quit-writing': did you mean 'quiet-writing'?")
        }

        @Test func aRecipeIsPrintedAndFilledIn() throws {
            let home = try HookHome()
            func add(_ words: String...) -> (code: Int32, output: [String], errors: [String]) {
                XPhase.call(["hooks", "add"] + words, environment: home.environment)
            }
            let text = try ExampleHooks.text("sleep-unseen-chat.toml")
            #expect(add("sleep-unseen-chat", "--print").output.joined(separator: "\n") + "\n" == text)
            let names = ["--application", "Slack", "--application", "a \"b"]
            let filled = XPhase.call(
                ["hooks", "add", "sleep-unseen-chat", "--print"] + names, environment: home.environment)
            #expect(filled.output.contains(#"application = ["Slack", "a \"b"]"#), "\(filled)")
            #expect(try home.files("config").isEmpty)
            let every = add("10-last-phase", "--application", "Slack")
            #expect(every.code != 0 && every.errors.first?.contains("for every application") == true)
        }

        /// The command prints what the hook matches, and that the service has read it.
        @Test func anAddedRecipeIsLive() throws {
            let hooks = try HookSession("")
            mkdir("\(hooks.home.path)/notes", 0o700)
            try hooks.home.write("notes/today", "milk\n")
            let window = try hooks.session.open("Emacs")
            let added = try hooks.xphase("hooks", "add", "sync-notes")
            #expect(added.output.first == "added hook 'sync-notes' to \(hooks.home.configurationFile)")
            #expect(added.output.dropFirst().first?.contains("Emacs (active)") == true, "\(added)")
            #expect(added.output.last == "the service loads it")
            try hooks.waitForMessage("configuration reloaded")
            try hooks.session.settle { window.iconify() }
            #expect(try waitUntil { try hooks.home.lines("notes.copy/today") == ["milk"] })
            try hooks.end()
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

        @Test func theExecutableOfHooksDKeepsPhases() throws {
            let hooks = try HookSession(nil) { home, _ in
                let (name, copy) = ("10-last-phase", "\(home.hooksDirectory)/10-last-phase")
                let file = "\(ExampleHooks.directory)/hooks.d/\(name)"
                guard try Program.run("install", ["-m", "755", file, copy]).code == 0 else {
                    throw Failure("\(name) cannot be copied")
                }
            }
            let window = try hooks.session.open("Alpha Beta")
            try hooks.session.settle { window.iconify() }
            // The file contained `active` before.
            #expect(try waitUntil { try hooks.home.lines("phases/Alpha_Beta") == ["background"] })
            try hooks.end()
        }
    }
}
