import Glibc
import TestDesktop
import Testing

/// The journal of `xphase run`.
struct JournalTests {
    private static func start(_ words: String, on stage: Stage) throws -> Program {
        let run = try stage.start("run --json \(words)")
        try wait(run) { $0.application == "Alpha" }
        return run
    }

    private static func wait(_ run: Program, for isWanted: (Line) -> Bool) throws {
        while let text = try run.output.next() {
            if isWanted(try Line(text)) { return }
        }
        throw Failure("xphase ended: \(try run.errors.rest())")
    }

    @Test func itReportsPhasesAndTheSession() throws {
        let (stage, alpha) = try Stage.alpha(.none)
        let run = try Self.start("--journal", on: stage)
        alpha.unmap()
        stage.client.sync()
        try Self.wait(run) { $0.application == "Alpha" && $0.change == "closed" }
        try stage.display.run("xset s activate")
        try Self.wait(run) { $0.notice == "session" }
        try run.end(SIGTERM)
        let folder = "state/xphase/journal"
        let lines = try stage.home.files(folder).flatMap { try stage.home.lines("\(folder)/\($0)") }
        let words = lines.map { line in
            line.matches(of: /"(kind|application|to|states)":\[?"?([^",}\]]*)/).map { String($0.2) }
                .joined(separator: " ")
        }
        #expect(
            words == [
                "start", "application Alpha active", "application Alpha null", "session display-off", "stop",
            ])
        let rows = try stage.output("report --json")
        let names = "\"display\":\"\(stage.display.name)\",\"application\":\"Alpha\","
        #expect(rows.count == 1 && rows[0].contains(names))
        #expect(try stage.output("report alpha").contains { $0.hasPrefix("Alpha ") })
    }

    /// Titles are recorded only on request. Old files are deleted.
    @Test func theConfigurationSaysWhatIsKeptForHowLong() throws {
        let (stage, alpha) = try Stage.alpha(.none, "journal = true\ntitles = true\nkeep = \"90d\"")
        for past in ["yesterday", "92 days ago"] {
            let day = try Program.run("date", ["-d", past, "+%F"], package: "coreutils").output.joined()
            try stage.home.writeJournal(day, "")
        }
        let run = try Self.start("", on: stage)
        alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Inbox & <1>".utf8))
        #expect(
            try waitUntil {
                try stage.run("report --svg -").output.contains {
                    $0.contains("<title>Inbox &amp; &lt;1&gt; — Alpha, active")
                }
            })
        #expect(try stage.home.files("state/xphase/journal").count == 2)
        try run.end(SIGTERM)
    }
}
