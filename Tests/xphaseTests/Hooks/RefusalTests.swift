import TestDesktop
import Testing

extension DesktopTests {
    /// Configurations that `xphase run` refuses.
    @Suite struct Refusal {
        @Test func allFaultsAtOnce() throws {
            let home = try HookHome(
                "polcy = 1\n[[hook]]\nname = \"a\"\nto = \"activ\"\nafter = 3\nshell = \"x\"\n")
            let result = try XPhase.run(["run"], on: nil, environment: home.environment)
            let reported = result.errors
            #expect(result.code == 78 && result.output.isEmpty)
            let file = home.configurationFile
            #expect(reported.count == 3)
            for place in [":1: there is no key 'polcy'", ":4: hook[1] 'a': to: ", ":5: hook[1] 'a': after: "]
            {
                #expect(reported.contains { $0.hasPrefix("xphase: \(file)\(place)") }, "\(place)")
            }
        }
    }
}
