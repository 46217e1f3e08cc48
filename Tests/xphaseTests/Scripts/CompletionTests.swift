import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Shell completions by the scripts of `--generate-completion-script`.
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
            ("xphase hooks fire a --to ", ["active", "inactive", "background"]),
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
            ("xphase hooks fire a --application fir", ["firefox"]),
        ]

        @Test func bashCompletesSubcommandsOptionsPhasesAndApplications() throws {
            try Self.check(.bash)
        }

        fileprivate static func check(_ shell: Shell) throws {
            let stage = try Stage(.none)
            for name in Self.names { TestWindow(stage.client, .init(name), colour: 1).map() }
            let lines = Self.cases.map(\.line) + ["xphase phase "]
            let found = try shell.completions(of: lines, on: stage.display)
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
        @Test(arguments: [
            ("Fo", "Foo Bar"), ("it", "it's"), ("a", "a[b"), ("ba", "back\\slash"), ("fir", "FIREFOX"),
        ])
        func whatBashWritesIntoItsLineNamesTheApplication(_ typed: String, _ name: String) throws {
            let stage = try Stage(.none)
            try stage.show(.init(name, instance: "part"))
            let text = try Shell.bash(typing: "xphase phase \(typed)\t", on: stage.display)
            // Compared as bytes, since "\r\n" is one Character.
            #expect(text.utf8.contains("\ninactive\r".utf8), "\(text)")
        }

        @Test func ofAnotherDisplayItsApplicationsAreCompleted() throws {
            let (here, there) = (try Stage(.none), try Stage(.none))
            try here.show(.init("Here"))
            try there.show(.init("There"))
            let line = ["--display", there.display.name, ""]
            let result = try XPhase.run(
                ["---completion", "phase", "--", "positional@0", "4", "0", "xphase", "phase"] + line,
                on: here.display)
            #expect(result.code == 0)
            #expect(result.output == ["There"])
        }

        @Test func whereThereIsNoDisplayNothingIsCompletedAndNothingSaid() throws {
            for display in [nil, ":4711"] {
                let result = try XPhase.run(
                    ["---completion", "phase", "--", "positional@0", "2", "0", "xphase", "phase", ""],
                    on: nil,
                    environment: ["DISPLAY": display, "XDG_SESSION_TYPE": "wayland"])
                #expect(result.code == 0)
                #expect(result.output.allSatisfy { $0.isEmpty })
                #expect(result.errors.isEmpty)
            }
        }
    }
}

extension ProgramTests {
    @Suite struct Completion {
        @Test(arguments: [Shell.zsh, .fish])
        func subcommandsOptionsPhasesAndApplicationsAreCompleted(_ shell: Shell) throws {
            try DesktopTests.Completion.check(shell)
        }
    }
}
