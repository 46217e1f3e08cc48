import Glibc
import TestDesktop
import Testing

/// The journal of `xphase run --journal`, and reports on it.
struct JournalTests {
    private let home: HookHome
    private let display: VirtualDisplay
    private let client: TestClient
    private let alpha: TestWindow

    init() throws {
        home = try HookHome()
        (display, client, alpha) = try Stage.oneWindow()
    }

    private var environment: [String: String?] { home.environment.merging(display.environment) { $1 } }

    private func run(_ arguments: String...) throws -> TestDesktop.Program {
        let run = try Program(XPhase.path, ["run", "--json"] + arguments, environment: environment)
        try waitForLine(run) { $0.application == "Alpha" }
        return run
    }

    private func waitForLine(_ run: Program, _ isWanted: (Line) -> Bool) throws {
        while let text = try run.output.next() {
            if isWanted(try Line(text)) { return }
        }
        throw Failure("xphase ended: \(try run.errors.rest())")
    }

    /// Ends xphase, and returns the lines of its journal.
    private func endAndReadJournal(_ run: Program, _ signal: Int32 = SIGTERM) throws -> [String] {
        run.send(signal)
        _ = try run.exitCode()
        return try lines()
    }

    private func lines() throws -> [String] {
        try home.files("state/xphase/journal").flatMap { try home.lines("state/xphase/journal/\($0)") }
    }

    /// Returns the main fields of a line, such as `group Alpha active`.
    private func words(_ line: String) throws -> String {
        func value(_ key: String) -> String? {
            line.components(behind: "\"\(key)\":").map { $0.trimmingQuotes }
        }
        return ["kind", "application", "to", "state", "on"].compactMap(value).joined(separator: " ")
    }

    private func report(_ arguments: String...) -> (code: Int32, output: [String], errors: [String]) {
        XPhase.call(["report"] + arguments, environment: home.environment)
    }

    @Test func itReportsPhasesAndTheSession() throws {
        let run = try run("--journal")
        alpha.unmap()
        client.sync()
        try waitForLine(run) { $0.application == "Alpha" && $0.change == "closed" }
        let saver = try Program.run(
            "xset", ["s", "activate"], package: "x11-xserver-utils", environment: display.environment)
        #expect(saver.code == 0, "\(saver.errors)")
        try waitForLine(run) { $0.notice == "session" }
        let reported = try endAndReadJournal(run).map(words)
        #expect(
            reported == [
                "start", "group Alpha active", "group Alpha null",
                "session display-off true", "stop",
            ])
        let report = report("--json")
        #expect(report.code == 0 && report.output.count == 1)
        #expect(
            report.output.first?.contains("\"display\":\"\(display.name)\",\"application\":\"Alpha\",")
                == true)
        #expect(self.report().errors == [])
        #expect(self.report("alpha").output.contains { $0.hasPrefix("Alpha ") })
        #expect(self.report("Beta").code == 1)
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
        let nothing = report()
        #expect(nothing.code == 1)
        #expect(
            nothing.errors.first?.contains("write 'journal = true' above the first [[hook]] of \(home.path)")
                == true)
        #expect(report("--by", "title").errors.first?.contains("and 'titles = true'") == true)
        try home.configure("journal = true")
        #expect(
            report().errors.first?.hasPrefix("xphase: there is no journal for that time in \(home.path)")
                == true)
        #expect(report("--svg", "\(home.path)/a.svg").code == 1)
        #expect(!home.exists("a.svg"))
    }

    /// Ten minutes of Alpha.
    private static let past = """
        {"kind":"start","run":1,"time":"2025-11-22T10:00:00.000000Z","clock":100.000,"v":1,"display":":0",\
        "boot":"b","pid":1,"ticks":7,"continued":false}
        {"kind":"group","run":1,"time":"2025-11-22T10:00:00.000000Z","clock":100.000,"application":"Alpha",\
        "group":"a","to":"active","cause":"focus"}
        {"kind":"group","run":1,"time":"2025-11-22T10:10:00.000000Z","clock":700.000,"application":"Alpha",\
        "group":"a","to":null,"cause":"close"}

        """

    @Test func aPictureIsOverwrittenOnlyByForce() throws {
        let file = "\(home.path)/a.svg"
        try home.write("a.svg", "mine")
        try home.writeJournal("2025-11-22", Self.past)
        func draw(_ words: String...) -> (code: Int32, output: [String], errors: [String]) {
            let line = ["report", "--since", "2025-11-22", "--until", "2025-11-22", "--svg"] + words
            return XPhase.call(line, environment: home.environment)
        }
        let refused = draw(file)
        #expect(refused.code == 64)
        #expect(
            refused.errors.last
                == "xphase: '\(file)' already exists: name another file, or overwrite it with --force")
        #expect(try home.lines("a.svg") == ["mine"])
        #expect(draw(file, "--force").code == 0)
        #expect(try home.lines("a.svg").last == "</svg>")
        #expect(draw("/dev/null").code == 0)
        #expect(draw("\(home.path)/nowhere/a.svg").code == 74)
    }
}

extension String {
    /// The JSON value after a key; nil without the key.
    fileprivate func components(behind key: String) -> String? {
        guard let range = firstRange(of: key) else { return nil }
        return String(self[range.upperBound...].prefix { !",}".contains($0) })
    }

    fileprivate var trimmingQuotes: String { String(drop { $0 == "\"" }.prefix { $0 != "\"" }) }
}
