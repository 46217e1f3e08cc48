import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The page for hook authors, whose commands run verbatim.
    @Suite struct HookPageTests {
        /// Returns the commands of a page, in order, with their expected output.
        private static func commands(_ page: String) -> [(command: String, output: [String])] {
            var (commands, isInside) = ([(command: String, output: [String])](), false)
            for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") {
                    isInside = line == "```console"
                } else if isInside, line.hasPrefix("$ ") {
                    commands.append((String(line.dropFirst(2)), []))
                } else if isInside, !commands.isEmpty {
                    commands[commands.count - 1].output.append(String(line))
                }
            }
            return commands
        }

        /// Replaces times and names of displays, and removes the windows of the tests.
        private static func withoutTimes(_ line: String) -> String {
            line.replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "TIME").replacing(
                /[0-9a-z.]+ ago/, with: "AGE"
            )
            .replacing(#/Marker[0-9]+ \([a-z]+\), /#, with: "")
            .replacing(/runs for :[0-9]+/, with: "runs for DISPLAY")
            .replacing(/next login: .*/, with: "next login")
        }

        @Test func everyCommandPrintsWhatThePageShows() throws {
            let hooks = try HookSession(nil)
            let terminal = try ProgramWindow.terminal(hooks.session)
            var environment = hooks.home.environment.merging(hooks.session.display.environment) { $1 }
            environment["PATH"] = XPhase.searchPath
            let commands = Self.commands(try ExampleHooks.text("README.md"))
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
                        .output
                        .map(Self.withoutTimes)
                    return reported == expected
                }
                #expect(reported == expected, "\(command)")
            }
            #expect(hooks.home.exists("notes.copy"))
            terminal.activate()
            try hooks.end()
        }
    }
}
