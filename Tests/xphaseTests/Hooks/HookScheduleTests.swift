import TestDesktop
import Testing

extension DesktopTests {
    /// When hooks run: delays, vetoes, turns.
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

        @Test func aPhaseThatHoldsRunsAfterItsTime() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "late", "application = \"Alpha\"\nto = \"background\"\nafter = \"700ms\"",
                    shell: "echo $XPHASE_TIME >> log; date -u +%Y-%m-%dT%H:%M:%S.%6NZ >> log"))
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.iconify() }
            #expect(try waitUntil { try hooks.home.lines("log").count == 2 })
            let times = try hooks.home.lines("log").map { try #require($0.secondsOfDay) }
            #expect((times[1] - times[0] + 86_400).truncatingRemainder(dividingBy: 86_400) >= 0.7)
            try hooks.end()
        }

        @Test func exit0OfUnlessIsAVeto() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "quiet",
                    """
                    application = "Alpha"
                    unless = ["sh", "-c", "echo asked >> log; ! [ $XPHASE_TO = background ]"]
                    """,
                    shell: "echo ran $XPHASE_TO >> log"))
            let window = try hooks.session.open("Alpha")
            #expect(
                try hooks.waitForMessage("vetoes")
                    == "xphase: hook 'quiet': not run for Alpha: 'unless' vetoes it")
            try hooks.session.settle { window.iconify() }
            // A slow machine may tell that it opens and that it gets the focus as two changes, each of which asks.
            #expect(try waitUntil { try hooks.home.lines("log").last == "ran background" })
            let asked = try hooks.home.lines("log").dropLast()
            #expect(asked.count >= 2 && asked.allSatisfy { $0 == "asked" })
            try hooks.end()
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

extension String {
    /// Of a time in UTC.
    fileprivate var secondsOfDay: Double? {
        let parts =
            split(separator: "T").last?.dropLast().split(separator: ":").compactMap { Double($0) } ?? []
        return parts.count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : nil
    }
}
