import TestDesktop
import Testing

/// The output of `list` and `watch` for what is there.
struct OutputTests {
    @Test func listPrintsWhatWatchPrintsAsInitial() throws {
        let (stage, _) = try Stage.alpha()
        try stage.show(.init("Beta"), x: 300)
        func withoutTime(_ line: String) -> String { line.replacing(/"time":"[^"]*"/, with: "") }
        let watch = try stage.start("--json --level application --level group --level scene")
        let list = try stage.output("list --json").map(withoutTime)
        #expect(list.count == 6)
        for line in list { #expect(withoutTime(try #require(try watch.output.next())) == line) }
    }

    @Test func colourIsForTerminalsOnlyAndNotWithNO_COLOR() throws {
        let (stage, _) = try Stage.alpha()
        #expect(try stage.output("list").allSatisfy { !$0.contains("\u{1B}") })
        for (value, isColoured) in [(nil, true), ("", true), ("1", false)] as [(String?, Bool)] {
            let terminal = try Terminal()
            stage.environment["NO_COLOR"] = .some(value)
            #expect(try stage.start("list", stdout: terminal.end).exitCode() == 0)
            let text = try terminal.text()
            #expect(text.contains("Alpha") && text.contains("\u{1B}[") == isColoured)
        }
    }

    @Test func aListOfNothingSaysSoAndOneOfNothingThatMatchesExits1() throws {
        let stage = try Stage(.openbox)
        for line in ["list", "list --json", "list --phase active"] {
            try stage.expect(line, errors: ["xphase: no application is running"])
        }
        try stage.show(.init("Alpha"))
        try stage.wait(for: "Alpha", "active")
        for (words, message) in [
            ("Alhpa", "no application matches 'Alhpa': did you mean 'Alpha'?"),
            ("alpha --phase background", "Alpha is running, but does not match --phase background"),
        ] { try stage.expect("list \(words)", code: 1, errors: ["xphase: \(message)"]) }
    }
}
