import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The example that stops programs in the background, with a real program.
    @Suite struct StopAndContinue {
        @Test func itRunsAgainWheneverItIsBackAndAfterEveryCrash() throws {
            let example = try ExampleHooks.text("stop-and-continue.toml")
            let hooks = try HookSession(example.replacing("Gimp*", with: "XTerm"))
            let terminal = try ProgramWindow.terminal(hooks.session)
            for round in 1...50 {
                terminal.iconify()
                #expect(try waitUntil { try terminal.isStopped })
                if round.isMultiple(of: 2) {
                    try hooks.run.end(SIGKILL)
                    #expect(try terminal.isStopped)
                    try hooks.session.restart()
                    #expect(try waitUntil { try !terminal.isStopped })
                }
                terminal.activate()
                #expect(try waitUntil { try !terminal.isStopped })
                try hooks.session.settle()
            }
            try hooks.end()
            #expect(try !terminal.isStopped)
        }
    }
}
