import TestDesktop
import Testing

extension DesktopTests {
    /// Shell completions after `xphase hooks fire`.
    @Suite struct HookCompletion {
        private static let names = [
            "pause the player", "it's", "\"quoted\"", "co:lon", "back\\slash", "a[b", "x*y", "~root", "Größe",
            "$(touch $HOME/ran)", "`touch $HOME/ran`", "$HOME", "{a,b}", "#no", "two  spaces", "!last",
        ]

        private static func home() throws -> HookHome {
            let hooks = (names + ["-dash"]).map { name in
                let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                return "[[hook]]\nname = \"\(quoted)\"\nrun = [\"echo\", \"it ran\"]\n"
            }
            let home = try HookHome(hooks.joined())
            try home.addHook("10-first", "echo it ran")
            return home
        }

        @Test func theNamesOfTheHooksAreCompleted() throws {
            let home = try Self.home()
            let display = try VirtualDisplay()
            let other = try home.configuration("other.toml", naming: "other")
            let lines = [
                "xphase hooks fire pa", "xphase hooks fire hooks.d/",
                "xphase hooks fire --config \(other) ot",
                "xphase hooks fire ",
            ]
            let found = try Shell.bash.completions(of: lines, on: display, environment: home.environment)
            #expect(found.dropLast() == [["pause the player"], ["hooks.d/10-first"], ["other"]])
            let options: Set = [
                "--application", "--to", "--config", "--display", "--version", "-h", "--help",
            ]
            #expect(found.last?.subtracting(options) == Set(Self.names + ["hooks.d/10-first"]))
            #expect(!home.exists("ran"))
        }

        @Test func ofAConfigurationWithFaultsNothingIsCompletedAndNothingSaid() throws {
            let home = try HookHome("[[hook]]\nname = 'a'\nshel = 'b'\n")
            let result = try XPhase.run(
                [
                    "---completion", "hooks", "fire", "--", "positional@0", "3", "0", "xphase", "hooks",
                    "fire", "",
                ],
                on: nil, environment: home.environment)
            #expect(result.code == 0)
            #expect(result.output.allSatisfy { $0.isEmpty })
            #expect(result.errors.isEmpty)
        }
    }
}

extension HookHome {
    /// Writes another configuration with one hook, and returns its path.
    fileprivate func configuration(_ file: String, naming hook: String) throws -> String {
        try write(file, "[[hook]]\nname = '\(hook)'\nshell = 'true'\n")
        return "\(path)/\(file)"
    }
}
