import TestDesktop
import Testing

/// Answers of `xphase phase`. `OneAnswerTests` has those of a service.
struct PhaseTests {
    @Test func itIsTheWordForWhatCanBeSeenAndOfSeveralTheGreatest() throws {
        let (stage, alpha) = try Stage.alpha()
        let beta = try stage.show(.init("Beta"), x: 300)
        try stage.wait(for: "Beta", "active")
        for (words, phase) in [("Alpha", "inactive"), ("--quiet Alpha", "inactive"), ("*", "active")] {
            try stage.expect("phase \(words)", output: [phase])
        }
        try stage.expect("phase --quiet Gamma", code: 1)
        try stage.hide(beta, "Beta")
        try stage.hide(alpha, "Alpha")
        try stage.expect("phase *", output: ["background"])
    }

    /// As that of `xphase run`.
    @Test func theConfigurationDecides() throws {
        let (stage, _) = try Stage.alpha(.openbox, "policy = 'visible'")
        try stage.show(.init("Beta"), x: 300)
        try stage.wait(for: "Beta", "active")
        let format = "--level application --format {application}:{to}"
        try stage.expect("phase Alpha", output: ["active"])
        try stage.expect("list \(format)", output: ["Alpha:active", "Beta:active"])
        try stage.expect("wait Alpha active")
        #expect(try stage.output("explain Alpha").first?.contains("active") == true)
        let watch = try stage.start("watch \(format)")
        #expect(try watch.output.next() == "Alpha:active")
        try stage.home.configure("policy = 'none'")
        #expect(try stage.run("phase Alpha").code == 78)
    }
}
