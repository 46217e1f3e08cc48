import Glibc
import TestDesktop
import Testing

/// Answers of `xphase phase`. `OneAnswerTests` has those of a service.
struct PhaseTests {
    @Test func phaseFollowsTheConfigurationAndIsTheGreatestOfSeveral() throws {
        let (stage, alpha) = try Stage.alpha()
        let beta = try stage.show(.init("Beta"), x: 300)
        try stage.wait(for: "Beta", "active")
        for (words, phase) in [("Alpha", "inactive"), ("--quiet Alpha", "inactive"), ("*", "active")] {
            try stage.expect("phase \(words)", output: [phase])
        }
        try stage.expect("phase --quiet Gamma", code: 1)
        // The configuration decides, as that of `xphase run`.
        try stage.home.configure("policy = 'visible'")
        let format = "--level application --format {application}:{to}"
        try stage.expect("phase Alpha", output: ["active"])
        try stage.expect("list \(format)", output: ["Alpha:active", "Beta:active"])
        try stage.expect("wait Alpha active")
        #expect(try stage.output("explain Alpha").first?.contains("active") == true)
        let watch = try stage.start("watch \(format)")
        #expect(try watch.output.next() == "Alpha:active")
        try stage.home.configure("policy = 'none'")
        #expect(try stage.run("phase Alpha").code == 78)
        try stage.home.configure("")
        try stage.hide(beta, "Beta")
        try stage.hide(alpha, "Alpha")
        try stage.expect("phase *", output: ["background"])
    }
}

/// The conditions and exit codes of `xphase wait`.
struct WaitTests {
    /// Starts `xphase wait` with a limit that never expires in a test, and returns once it waits.
    private static func start(_ words: String, on stage: Stage) throws -> Program {
        let program = try stage.start("wait \(words) --timeout 10m")
        try program.waitForTimer()
        return program
    }

    @Test func waitEndsAtOnceInThePhaseAndElseInTime() throws {
        let (stage, _) = try Stage.alpha(instance: "part")
        for words in ["alpha active", "al* background,active", "PART inactive,active,active"] {
            try stage.expect("wait \(words)")
        }
        for time in ["0", "1ms", "300ms"] {
            try stage.expect("wait alpha active --timeout \(time)")
            try stage.expect(
                "wait alpha background --timeout \(time)", code: 124,
                errors: ["xphase: timed out: 'alpha' is still active"])
        }
        try stage.expect(
            "wait gamma active --timeout 100ms", code: 124,
            errors: [
                "xphase: no application matches 'gamma'; running now: Alpha; waiting for it, see xphase --help",
                "xphase: timed out: 'gamma' has not appeared",
            ])
        try stage.expect("wait 0x1 active", code: 1, errors: ["xphase: no scene has the window 0x1"])
    }

    @Test func closedIsAnApplicationWithoutAWindow() throws {
        let (stage, alpha) = try Stage.alpha()
        let beta = try stage.show(.init("Beta"), x: 300)
        let absent = "xphase: no application matches 'gamma'; running now: Alpha, Beta; it counts as closed"
        for (words, message) in [
            ("gamma closed", absent), ("gamma active,closed", absent),
            (
                "alpah closed",
                "xphase: no application matches 'alpah': did you mean 'Alpha'? it counts as closed"
            ),
            ("0x1 closed", "xphase: no scene has the window 0x1; it counts as closed"),
        ] {
            try stage.expect("wait \(words)", errors: [message])
        }
        try stage.expect(
            "wait alpha closed --timeout 1ms", code: 124,
            errors: ["xphase: timed out: 'alpha' is still inactive"])
        // Its last window is meant, also if several applications are.
        let second = try stage.show(.init("Alpha"), x: 30)
        let waits = try ["alpha closed", "alpha,beta closed"].map { try Self.start($0, on: stage) }
        alpha.destroy()
        stage.client.sync()
        // A window with another name has not closed.
        second.setClass("delta", "Delta")
        try stage.wait(for: "Delta", "active")
        #expect((try? waits[0].exitCode(within: .zero)) == nil)
        second.destroy()
        #expect(try waits[0].exitCode() == 0)
        try stage.expect("wait beta active")
        #expect((try? waits[1].exitCode(within: .zero)) == nil)
        beta.destroy()
        #expect(try waits[1].exitCode() == 0)
    }

    /// What closes passes through the background, which does not count, and another name is an end.
    @Test(arguments: [
        ("background", "iconify", 0, nil), ("inactive,background", "iconify", 0, nil),
        ("background", "close", 1, "background"),
        ("background,inactive", "rename", 1, "inactive or background"),
        ("background", "SIGINT", 128 + SIGINT, nil), ("background", "SIGTERM", 128 + SIGTERM, nil),
    ])
    func waitEndsWithThePhaseTheEndOfTheApplicationOrASignal(
        phases: String, event: String, code: Int32, unseen: String?
    ) throws {
        let (stage, alpha) = try Stage.alpha()
        let wait = try Self.start("al* \(phases)", on: stage)
        switch event {
        case "iconify": alpha.iconify()
        case "close": alpha.destroy()
        case "rename": alpha.setClass("beta", "Beta")
        default: wait.send(event == "SIGINT" ? SIGINT : SIGTERM)
        }
        #expect(try wait.exitCode() == code)
        let errors = unseen.map { ["xphase: 'al*' closed before it was \($0)"] } ?? []
        #expect(try wait.errors.rest() == errors && wait.output.rest().isEmpty)
    }

    @Test func anApplicationThatIsNotThereYetIsWaitedFor() throws {
        let stage = try Stage(.openbox)
        let wait = try Self.start("alpha active", on: stage)
        try stage.show(.init("Beta"), x: 300)
        try stage.show(.init("Alpha"))
        let errors = try wait.errors.rest()
        #expect(
            try wait.exitCode() == 0 && errors.count == 1
                && errors[0].hasSuffix("; waiting for it, see xphase --help"))
    }
}
