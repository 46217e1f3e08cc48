import TestDesktop
import Testing

extension DesktopTests {
    /// The scheduling of hooks: delays, vetoes, order.
    @Suite struct HookSchedule {
        @Test func onlyInitialHooksRunForWhatIsThereAtTheStart() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "initial", "application = \"Alpha\"\ninitial = true", shell: "echo $XPHASE_CHANGE >> log")
                    + HookSession.hook("other", shell: "echo other >> log")
            ) { _, stage in try stage.show(.init("Alpha")) }
            try hooks.home.waitForLines(["initial"])
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["initial"])
        }

        @Test func unlessHasATimeOfItsOwn() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "slow", "application = \"Alpha\"\nunless = [\"sleep\", \"1000\"]",
                    shell: "echo ran >> log"))
            try hooks.session.open("Alpha")
            #expect(
                try hooks.waitForMessage("timed out").hasPrefix(
                    "xphase: hook 'slow': unless: timed out after "))
            try hooks.home.waitForLines(["ran"])
            try hooks.end()
        }
    }
}
