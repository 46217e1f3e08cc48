import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// However a phase ends, `leave` runs exactly once for the `enter` that ran.
    @Suite struct PairEnd {
        /// Returns a session and a window of Alpha in the background, whose pair has entered.
        private static func entered(_ configuration: String = HookSession.pair()) throws -> (
            HookSession, TestWindow
        ) {
            let hooks = try HookSession(configuration)
            return (hooks, try hooks.enterPair())
        }

        private static let ends: [(@Sendable (HookSession) throws -> Void, Int32)] = [
            ({ $0.run.send(SIGTERM) }, 0), ({ $0.run.send(SIGINT) }, 0), ({ $0.run.output.close() }, 0),
            ({ try $0.session.display.crash() }, 69),
        ]

        /// A signal, a reader that closes the pipe, or the loss of the display.
        @Test(arguments: 0..<ends.count)
        func theWatchEnds(_ number: Int) throws {
            let (hooks, _) = try Self.entered()
            let (end, code) = Self.ends[number]
            try end(hooks)
            _ = try hooks.ended(with: code)
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
            #expect(try hooks.home.records().isEmpty)
        }

        /// poll(2) lacks memory for a while. A service that ended at once would not have recorded the `leave` that runs.
        @Test func aLeaveRunsOnceThoughPollFailsWhileTheServiceEnds() throws {
            let (hooks, _) = try Self.entered()
            let trace = try hooks.inject("error=ENOMEM:when=1..5", into: "poll")
            try hooks.end()
            try trace.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
            #expect(try hooks.home.records().isEmpty)
        }

        /// A hard limit, which the service cannot raise.
        @Test func aLeaveThatNeverStartedIsLeftToTheNextStart() throws {
            let (hooks, window) = try Self.entered()
            try hooks.run.limitFiles(isHard: true)
            try hooks.session.settle { window.activate() }
            let start = "xphase: hook 'pair': leave: cannot start sh: xphase has reached its limit"
            #expect(try hooks.waitForMessage(start).contains("LimitNOFILE="))
            try hooks.waitForMessage("is retried in 1s")
            hooks.run.send(SIGTERM)
            try hooks.waitForMessage("waiting up to 10 s to undo hooks")
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair"])
            try hooks.session.restart()
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            #expect(try waitUntil { try hooks.home.records().isEmpty })
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }

        @Test(arguments: [false, true])
        func aLeaveThatDoesNotEndIsEndedWithTheWatch(isImpatient: Bool) throws {
            let stubborn = HookSession.pair().replacing(
                "echo leave $XPHASE_HOOK >> log",
                with: "trap '' TERM; echo leave $XPHASE_HOOK >> log; while :; do sleep 1; done")
            let (hooks, _) = try Self.entered(stubborn)
            hooks.run.send(SIGTERM)
            try hooks.waitForMessage("waiting up to 10 s for 'pair'; press Ctrl-C again to stop sooner")
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            if isImpatient { hooks.run.send(SIGTERM) }
            let reported = try hooks.ended()
            #expect(reported.last?.hasPrefix("xphase: hook 'pair': leave: ended with xphase after ") == true)
            #expect(try hooks.home.records().isEmpty)
            try hooks.session.restart()
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }

        @Test func twoSignalsWithinHalfASecondAreOneRequestToEnd() throws {
            let slow = HookSession.pair().replacing(
                "echo leave $XPHASE_HOOK >> log",
                with: "echo >begun; until [ -e go ]; do sleep 0.05; done; echo leave $XPHASE_HOOK >> log")
            let (hooks, _) = try Self.entered(slow)
            hooks.run.send(SIGTERM)
            hooks.run.send(SIGINT)
            try hooks.home.waitForFile("begun")
            let noneWaits = "ShdPnd:\t\(String(repeating: "0", count: 16))"
            #expect(try waitUntil { try hooks.run.status("ShdPnd") == noneWaits })
            try hooks.home.write("go", "")
            #expect(try !hooks.ended().contains { $0.contains("leave: ended with xphase") })
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }

        /// At logout, the X server exits, and SIGTERM from the service manager follows.
        @Test func theFirstSignalAfterTheServerHasGoneEndsNoLeave() throws {
            let slow = HookSession.pair().replacing(
                "echo leave $XPHASE_HOOK >> log",
                with: "echo >begun; until [ -e go ]; do sleep 0.05; done; echo leave $XPHASE_HOOK >> log")
            let (hooks, _) = try Self.entered(slow)
            try hooks.session.display.crash()
            try hooks.waitForMessage("waiting up to 10 s for 'pair'; press Ctrl-C twice to stop sooner")
            try hooks.home.waitForFile("begun")
            hooks.run.send(SIGTERM)
            let noneWaits = "ShdPnd:\t\(String(repeating: "0", count: 16))"
            #expect(try waitUntil { try hooks.run.status("ShdPnd") == noneWaits })
            try hooks.home.write("go", "")
            let reported = try hooks.ended(with: 69)
            #expect(!reported.contains { $0.contains("leave: ended with xphase") })
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
            #expect(try hooks.home.records().isEmpty)
        }
    }
}

extension Program {
    /// Lets the program open no further descriptor.
    func limitFiles(isHard: Bool = false) throws {
        let open = Set(try descriptors().compactMap { Int($0) })
        try limitFiles(to: (0...).first { !open.contains($0) } ?? 0, isHard: isHard)
    }

    /// The limit of open files.
    func fileLimit() throws -> Int? {
        let words = ["--pid", "\(pid)", "--nofile", "-o", "SOFT", "--noheadings"]
        let lines = try Program.run("prlimit", words, package: "util-linux").output
        return lines.first.flatMap { Int($0.filter(\.isNumber)) }
    }

    func limitFiles(to count: Int, isHard: Bool = false) throws {
        let limits = "\(count):" + (isHard ? "\(count)" : "")
        let result = try Program.run(
            "prlimit", ["--pid", "\(pid)", "--nofile=\(limits)"], package: "util-linux")
        guard result.code == 0 else { throw Failure("\(result.errors)") }
    }
}
