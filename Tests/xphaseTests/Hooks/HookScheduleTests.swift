import TestDesktop
import Testing

extension DesktopTests {
    /// When hooks run: delays, vetoes, turns.
    @Suite struct HookSchedule {
        private static let waiting = "until [ -e go ]; do sleep 0.05; done"

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

        @Test func aPhaseThatIsLeftInTimeCancels() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "late", "application = \"Alpha\"\nto = \"background\"\nafter = \"1m\"",
                    shell: "echo ran >> log"))
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.iconify() }
            try hooks.session.settle { window.activate() }
            let told = try hooks.waitForMessage("not run")
            #expect(
                told == "xphase: hook 'late': not run for Alpha: background did not last for 1m")
            try hooks.end()
            #expect(!hooks.home.exists("log"))
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

        @Test func whatWasLeftAgainMeanwhileIsCollapsedToTheLast() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    shell: "echo $XPHASE_CHANGE $XPHASE_SEQ >> log; \(Self.waiting)"))
            let window = try hooks.session.open("Alpha")
            #expect(try waitUntil { try hooks.home.lines("log").count == 1 })
            var last = 0
            for _ in 1...3 {
                try hooks.session.applicationLine("Alpha", to: "background") { window.iconify() }
                last = try hooks.session.applicationLine("Alpha", to: "active") { window.activate() }.seq
            }
            try hooks.home.write("go", "")
            #expect(try waitUntil { try hooks.home.lines("log").count == 2 })
            try hooks.end()
            #expect(try hooks.home.lines("log").last == "phase \(last)")
            #expect(try hooks.home.lines("log").count == 2)
        }

        @Test func oneAtATimeAndOthersAreNotHeldUp() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "slow", "application = [\"Alpha\", \"Beta\"]\nto = \"active\"",
                    shell:
                        """
                        echo begin $XPHASE_APPLICATION >> log
                        [ $XPHASE_APPLICATION = Beta ] || { \(Self.waiting); }
                        echo end $XPHASE_APPLICATION >> log
                        """
                )
                    + HookSession.hook(
                        "other", "application = \"Alpha\"\nto = \"active\"", shell: "echo other >> log2"))
            let alpha = try hooks.session.open("Alpha")
            try hooks.home.waitForLines(["begin Alpha"])
            try hooks.home.waitForLines(["other"], in: "log2")
            try hooks.session.open("Beta", x: 300)
            try hooks.home.waitForLines(["begin Alpha", "begin Beta", "end Beta"])
            try hooks.session.settle { alpha.activate() }
            try hooks.home.waitForLines(["other", "other"], in: "log2")
            #expect(try hooks.home.lines("log").count == 3)
            try hooks.home.write("go", "")
            try hooks.home.waitForLines([
                "begin Alpha", "begin Beta", "end Beta", "end Alpha", "begin Alpha", "end Alpha",
            ])
            try hooks.end()
        }

        @Test func atMost16RunAtOnce() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "slow", "application = \"App*\"", shell: "echo + >> log; \(Self.waiting); echo - >> log"),
                manager: .none)
            for number in 1...20 { hooks.session.client.queueSmallWindow(className: "App\(number)") }
            hooks.session.client.sync()
            try hooks.session.settle()
            #expect(try waitUntil { try hooks.home.lines("log").count >= 16 })
            // A line more, and whatever was started with the 16 has had its time.
            try hooks.session.settle()
            try hooks.home.write("go", "")
            #expect(try waitUntil { try hooks.home.lines("log").count == 40 })
            var (running, most) = (0, 0)
            for line in try hooks.home.lines("log") {
                running += line == "+" ? 1 : -1
                most = max(most, running)
            }
            #expect(most == 16)
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
