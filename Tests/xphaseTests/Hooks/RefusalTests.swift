import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// What `xphase run` does not start with.
    @Suite struct Refusal {
        private static func refused(_ home: HookHome, _ arguments: [String] = []) throws -> [String] {
            let stage = try Stage(.none)
            let result = try XPhase.run(["run"] + arguments, on: stage.display, environment: home.environment)
            #expect(result.code == 78)
            #expect(result.output.isEmpty)
            return result.errors
        }

        @Test(arguments: [0o666, 0o620, 0o602] as [mode_t])
        func aConfigurationThatOthersMayWrite(_ mode: mode_t) throws {
            let home = try HookHome("")
            let file = home.configurationFile
            chmod(file, mode)
            #expect(
                try Self.refused(home) == ["xphase: \(file): may be written by others: chmod go-w \(file)"])
        }

        @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
        func aConfigurationOfSomeoneElse() throws {
            let home = try HookHome("")
            let file = home.configurationFile
            chown(file, 65_534, 65_534)
            #expect(
                try Self.refused(home) == [
                    "xphase: \(file): belongs to user 65534, neither to you nor to root: chown 0 \(file)"
                ])
        }

        @Test func oneThatDoesNotParse() throws {
            let home = try HookHome("policy = \"focus\"\nsettle = \n")
            let told = try Self.refused(home)
            #expect(told.count == 1)
            #expect(told.first?.hasPrefix("xphase: \(home.configurationFile):2:10: ") == true)
        }

        @Test func allFaultsAtOnce() throws {
            let home = try HookHome(
                "polcy = 1\n[[hook]]\nname = \"a\"\nto = \"activ\"\nafter = 3\nshell = \"x\"\n")
            let told = try Self.refused(home)
            let file = home.configurationFile
            #expect(told.count == 3)
            #expect(told.allSatisfy { $0.hasPrefix("xphase: \(file): ") })
            for place in ["'polcy'", "hook[1] 'a': to: ", "hook[1] 'a': after: "] {
                #expect(told.contains { $0.contains(place) }, "\(place)")
            }
        }

        @Test func oneThatIsNamedAndNotThere() throws {
            let home = try HookHome("")
            #expect(
                try Self.refused(home, ["--config", "/nowhere/config.toml"])
                    == ["xphase: /nowhere/config.toml: there is no such file"])
        }
    }
}
