import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Completions in bash, by the script of `--generate-completion-script`. The scripts of other shells ask xphase, too.
    @Suite struct Completion {
        private static let names = [
            "Firefox", "Fiber", "Foo Bar", "it's", "\"quoted\"", "co:lon", "back\\slash", "a[b", "x*y",
            "~root",
            "Größe", "$(touch $HOME/ran)", "`touch $HOME/ran`", "two\nlines", "$HOME", "{a,b}", "-dash",
        ]
        /// The globs that match these names.
        private static let globs: Set = [
            "Firefox", "Fiber", "Foo Bar", "it's", "\"quoted\"", "co:lon", "back\\\\slash", "a\\[b", "x\\*y",
            "~root", "Größe", "$(touch $HOME/ran)", "`touch $HOME/ran`", "two?lines", "$HOME", "{a\\,b}",
            "\\-dash",
        ]

        private static let cases: [(line: String, completions: Set<String>)] = [
            ("xphase wa", ["watch", "wait"]),
            ("xphase hooks ch", ["check"]),
            ("xphase watch --po", ["--policy"]),
            ("xphase watch --policy ", ["focus", "application", "visible"]),
            ("xphase run --level ", ["application", "group", "scene"]),
            ("xphase wait mpv ", ["active", "inactive", "background"]),
            ("xphase on mpv b", ["background"]),
            ("xphase wait mpv active,", ["active,inactive", "active,background"]),
            ("xphase wait mpv active,b", ["active,background"]),
            ("xphase wait mpv background,active,", ["background,active,inactive"]),
            ("xphase hooks fire a b ", ["active", "inactive", "background"]),
            ("xphase wait mpv active --t", ["--timeout"]),
            ("xphase watch --session l", ["lock"]),
            ("xphase watch --session away,d", ["away,display-off"]),
            ("xphase watch --idle n", ["none"]),
            ("xphase phase Fi", ["Firefox", "Fiber"]),
            ("xphase phase fi", ["firefox", "fiber"]),
            ("xphase on fire", ["firefox"]),
            ("xphase list FIR", ["FIRefox"]),
            ("xphase explain Gr", ["Größe"]),
            ("xphase watch fir", ["firefox"]),
            ("xphase hooks fire a fir", ["firefox"]),
        ]

        /// Names of hooks are as hostile as those of applications.
        @Test func theNamesOfTheHooksAreCompleted() throws {
            let names = Self.names.filter { !$0.contains("\n") }
            let hooks = names.map { name in
                let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                return "[[hook]]\nname = \"\(quoted)\"\nrun = [\"echo\", \"it ran\"]\n"
            }
            let home = try HookHome(hooks.joined())
            try home.addHook("10-first", "echo it ran")
            let lines = [
                "xphase hooks fire Foo", "xphase hooks fire hooks.d/", "xphase hooks fire ",
            ]
            let found = try Shell.completions(
                of: lines, on: VirtualDisplay(), environment: home.environment)
            #expect(found.dropLast() == [["Foo Bar"], ["hooks.d/10-first"]])
            #expect(
                found.last?.subtracting(["--version", "-h", "--help"])
                    == Set(names.filter { $0 != "-dash" } + ["hooks.d/10-first"]))
            #expect(!home.exists("ran"))
        }

        @Test func subcommandsOptionsPhasesAndApplicationsAreCompleted() throws {
            let stage = try Stage(.none)
            for name in Self.names { TestWindow(stage.client, .init(name), colour: 1).map() }
            let lines = Self.cases.map(\.line) + ["xphase phase "]
            let found = try Shell.completions(of: lines, on: stage.display)
            for (answer, expected) in zip(found, Self.cases) {
                #expect(answer == expected.completions, "\(expected.line)")
            }
            #expect(
                found.last?.subtracting(["-q", "--quiet", "--display", "--version", "-h", "--help"])
                    == Self.globs)
            for glob in Self.globs {
                #expect(try XPhase.run(["phase", glob], on: stage.display).output == ["inactive"], "\(glob)")
            }
        }

        /// In bash, readline quotes the completions.
        @Test(arguments: [("Fo", "Foo Bar"), ("it", "it's"), ("ba", "back\\slash"), ("fir", "FIREFOX")])
        func whatBashWritesIntoItsLineNamesTheApplication(_ typed: String, _ name: String) throws {
            let stage = try Stage(.none)
            try stage.show(.init(name, instance: "part"))
            let text = try Shell.text(typing: "xphase phase \(typed)\t", on: stage.display)
            // Compared as bytes, since "\r\n" is one Character.
            #expect(text.utf8.contains("\ninactive\r".utf8), "\(text)")
        }

        @Test func ofAnotherDisplayItsApplicationsAreCompleted() throws {
            let (here, there) = (try Stage(.none), try Stage(.none))
            try here.show(.init("Here"))
            try there.show(.init("There"))
            let line = ["---completion", "phase", "--", "positional@0", "4", "0", "xphase", "phase"]
            let result = try XPhase.run(line + ["--display", there.display.name, ""], on: here.display)
            #expect(result.code == 0 && result.output == ["There"])
        }

        @Test func whereNothingCanBeReadNothingIsCompletedAndNothingSaid() throws {
            let faulty = try HookHome("[[hook]]\nname = 'a'\nshel = 'b'\n")
            let fire = "hooks fire -- positional@0 3 0 xphase hooks fire"
            let phase = "phase -- positional@0 2 0 xphase phase"
            for (line, variables) in [
                (phase, ["DISPLAY": nil]), (phase, ["DISPLAY": ":4711"]), (fire, faulty.environment),
            ] {
                let words = ["---completion"] + line.split(separator: " ").map(String.init) + [""]
                let result = try XPhase.run(
                    words, on: nil, environment: variables.merging(["XDG_SESSION_TYPE": "wayland"]) { $1 })
                #expect(result.code == 0 && result.output.allSatisfy(\.isEmpty) && result.errors.isEmpty)
            }
        }
    }
}
