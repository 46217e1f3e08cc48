import Glibc
import TestDesktop
import Testing

/// The journal of `xphase run`, and reports on it.
struct JournalTests {
    private let home: HookHome
    private let display: VirtualDisplay
    private let client: TestClient
    private let alpha: TestWindow

    init() throws {
        home = try HookHome()
        (display, client, alpha) = try Stage.oneWindow()
    }

    private func run(_ arguments: String...) throws -> Program {
        let run = try XPhase.start(["run", "--json"] + arguments, on: display, environment: home.environment)
        try waitForLine(run) { $0.application == "Alpha" }
        return run
    }

    private func waitForLine(_ run: Program, _ isWanted: (Line) -> Bool) throws {
        while let text = try run.output.next() {
            if isWanted(try Line(text)) { return }
        }
        throw Failure("xphase ended: \(try run.errors.rest())")
    }

    private func lines() throws -> [String] {
        try home.files("state/xphase/journal").flatMap { try home.lines("state/xphase/journal/\($0)") }
    }

    /// Returns the main fields of a line, such as `application Alpha active`.
    private func words(_ line: String) -> String {
        line.matches(of: /"(kind|application|to|states)":\[?"?([^",}\]]*)/).map { String($0.2) }
            .joined(separator: " ")
    }

    private func report(_ arguments: String..., in period: [String] = [])
        -> (code: Int32, output: [String], errors: [String])
    {
        XPhase.call(["report"] + arguments + period, environment: home.environment)
    }

    @Test func itReportsPhasesAndTheSession() throws {
        try home.configure("journal = true\n")
        let run = try run()
        alpha.unmap()
        client.sync()
        try waitForLine(run) { $0.application == "Alpha" && $0.change == "closed" }
        try display.run("xset s activate")
        try waitForLine(run) { $0.notice == "session" }
        try run.end(SIGTERM)
        #expect(
            try lines().map(words) == [
                "start", "application Alpha active", "application Alpha null", "session display-off", "stop",
            ])
        let report = report("--json")
        #expect(report.code == 0 && report.output.count == 1)
        #expect(
            report.output.first?.contains("\"display\":\"\(display.name)\",\"application\":\"Alpha\",")
                == true)
        #expect(self.report().errors == [])
        #expect(self.report("alpha").output.contains { $0.hasPrefix("Alpha ") })
    }

    /// Titles are recorded only on request. Old files are deleted.
    @Test func theConfigurationSaysWhatIsKeptForHowLong() throws {
        for past in ["yesterday", "92 days ago"] {
            let day = try Program.run("date", ["-d", past, "+%F"], package: "coreutils").output.joined()
            try home.writeJournal(day, "")
        }
        try home.configure("journal = true\ntitles = true\nkeep = \"90d\"")
        let run = try run()
        #expect(try run.errors.next() == "xphase: 0 hooks from \(home.configurationFile)")
        alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Inbox & <1>".utf8))
        #expect(
            try waitUntil { try lines().contains { $0.contains(#""title":"Inbox & <1>""#) } })
        #expect(try home.files("state/xphase/journal").count == 2)
        #expect(
            waitUntil {
                report("--svg", "-").output.contains {
                    $0.contains("<title>Inbox &amp; &lt;1&gt; — Alpha, active")
                }
            })
        run.send(SIGTERM)
        #expect(try run.exitCode() == 0)
    }

    @Test func withoutAJournalItNamesTheKey() throws {
        let advice = "write 'journal = true' above the first [[hook]] of \(home.path)"
        let nothing = report()
        #expect(nothing.code == 1 && nothing.output == [])
        #expect(nothing.errors.first?.hasPrefix("xphase: there is no journal yet: \(advice)") == true)
        #expect(report("--by", "title").errors.first?.contains("and 'titles = true'") == true)
        try home.configure("journal = true")
        #expect(
            report().errors.first?.hasPrefix(
                "xphase: there is no journal yet: 'xphase run' keeps one in \(home.path)")
                == true)
        #expect(report("--svg", "\(home.path)/a.svg").code == 1)
        #expect(!home.exists("a.svg"))
    }

    /// Ten minutes of Alpha.
    private static let past = """
        {"kind":"start","run":1,"time":"2025-11-22T10:00:00.000000Z","clock":100.000,"v":1,"display":":0",\
        "pid":1,"ticks":7,"continued":false}
        {"kind":"application","run":1,"time":"2025-11-22T10:00:00.000000Z","clock":100.000,"application":"Alpha",\
        "instances":["a"],"to":"active"}
        {"kind":"application","run":1,"time":"2025-11-22T10:10:00.000000Z","clock":700.000,"application":"Alpha",\
        "instances":["a"],"to":null}

        """
    private static let pastDay = ["--since", "2025-11-22", "--until", "2025-11-22"]

    /// What is not there is named with what there is.
    @Test(arguments: [
        (["alpah"], 1, "no application matches 'alpah': did you mean 'Alpha'?"),
        (["Zulu,a"], 0, "no application matches 'Zulu': in the journal of that time: Alpha"),
        (["--since", "yesterday", "--until", "yesterday"], 1, "it covers 2025-11-22 to 2025-11-22"),
        (["--since", "2025-11-22 23:59", "A*"], 1, "the journal has nothing for"),
        (
            ["--by", "title"], 0,
            "the journal keeps no titles: write 'titles = true' above the first [[hook]]"
        ),
    ])
    func whatIsNotThereIsNamed(_ words: [String], code: Int32, message: String) throws {
        try home.writeJournal("2025-11-22", Self.past)
        let line = ["report"] + (words.contains("--since") ? words : words + Self.pastDay)
        let report = XPhase.call(line, environment: home.environment.merging(["TZ": "UTC"]) { $1 })
        #expect(report.code == code && report.errors.count == 1)
        #expect(report.errors.first?.contains(message) == true, "\(report.errors)")
        #expect(report.output.isEmpty == (code == 1))
    }

    @Test func titlesOfAllApplicationsAreReportedWithAHint() throws {
        try home.writeJournal(
            "2025-11-22", Self.past.replacing(#""active"}"#, with: #""active","title":"One"}"#))
        let titles = report("--by", "title", in: Self.pastDay)
        #expect(titles.code == 0 && titles.output.last?.hasPrefix("One ") == true)
        #expect(titles.errors.first?.hasSuffix("name one, as in 'xphase report firefox --by title'") == true)
        #expect(report("alpha", "--by", "title", in: Self.pastDay).errors == [])
    }

    @Test func aPictureIsOverwrittenOnlyByForce() throws {
        let file = "\(home.path)/a.svg"
        try home.write("a.svg", "mine")
        try home.writeJournal("2025-11-22", Self.past)
        func draw(_ file: String, _ force: [String] = []) -> (code: Int32, output: [String], errors: [String])
        {
            report("--svg", file, in: Self.pastDay + force)
        }
        let refused = draw(file)
        #expect(refused.code == 64)
        #expect(
            refused.errors.last
                == "xphase: '\(file)' already exists: name another file, or overwrite it with --force")
        #expect(try home.lines("a.svg") == ["mine"])
        #expect(draw(file, ["--force"]).code == 0)
        #expect(try home.lines("a.svg").last == "</svg>")
        #expect(draw("/dev/null").code == 0)
        #expect(draw("\(home.path)/nowhere/a.svg").code == 74)
    }
}
