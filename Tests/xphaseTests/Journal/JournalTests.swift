import Glibc
import TestDesktop
import Testing

@testable import Console
@testable import System

/// The journal of `xphase run`.
struct JournalTests {
    /// Titles are recorded only on request. Old files are deleted.
    @Test func theJournalKeepsPhasesTitlesAndTheSessionForAsLongAsTheConfigurationSays() throws {
        let settings = "journal = true\ntitles = true\njournal-exclude = ['*private*']\nkeep = \"90d\""
        let (stage, alpha) = try Stage.alpha(.none, settings)
        for past in ["yesterday", "92 days ago"] {
            let day = try Program.run("date", ["-d", past, "+%F"], package: "coreutils").output.joined()
            try stage.home.writeJournal(day, "")
        }
        let run = try stage.start("run --json")
        func wait(for isWanted: (Line) -> Bool) throws {
            while let text = try run.output.next() {
                if isWanted(try Line(text)) { return }
            }
            throw Failure("xphase ended: \(try run.errors.rest())")
        }
        try wait { $0.application == "Alpha" }
        alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Inbox & <1>".utf8))
        let title = "<title>Inbox &amp; &lt;1&gt; — Alpha, active"
        #expect(try waitUntil { try stage.run("report --svg -").output.contains { $0.contains(title) } })
        // The title that the visit has longest.
        let visit = "  Alpha        Inbox & <1>"
        #expect(try waitUntil { try stage.output("report --by visit").last?.hasSuffix(visit) == true })
        alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Private window".utf8))
        let folder = "state/xphase/journal"
        func lines() throws -> [String] {
            try stage.home.files(folder).flatMap { try stage.home.lines("\(folder)/\($0)") }
        }
        #expect(try waitUntil { try lines().count == 4 })
        alpha.unmap()
        stage.client.sync()
        try wait { $0.application == "Alpha" && $0.change == "closed" }
        try stage.display.run("xset s activate")
        try wait { $0.notice == "session" }
        try run.end(SIGTERM)
        let words = try lines().map { line in
            line.matches(of: /"(kind|application|to|states)":\[?"?([^",}\]]*)/).map { String($0.2) }
        }
        let (active, closed) = (["application", "Alpha", "active"], ["application", "Alpha", "null"])
        #expect(words == [["start"], active, active, active, closed, ["session", "display-off"], ["stop"]])
        #expect(try stage.home.files(folder).count == 2)
        #expect(try !lines().contains { $0.contains("Private") })
        let rows = try stage.output("report --json")
        let names = #""display":"\#(stage.display.name)","application":"Alpha","#
        #expect(rows.count == 1 && rows[0].contains(names))
        #expect(try stage.output("report alpha").contains { $0.hasPrefix("Alpha ") })
    }
}

extension HookHome {
    /// Writes the journal of 2025-11-22.
    ///
    /// - Parameter steps: Seconds since 10:00 UTC, a name and a phase, null for an end; or `stop` and nothing.
    func writeDay(_ steps: [(second: Int, name: String, phase: String?)], title: String? = nil) throws {
        let start = #""v":1,"display":":0","pid":1,"ticks":7,"continued":false"#
        let words = title.map { #","title":"\#($0)""# } ?? ""
        let lines = ([(0, "start", nil)] + steps).map { second, name, phase in
            let time = TimeText.utc(Timestamp(seconds: 1_763_805_600 + second, nanoseconds: 0))
            let head = #""run":1,"time":"\#(time)","clock":\#(second + 100).000"#
            guard let phase else { return #"{"kind":"\#(name)",\#(head),\#(start)}"# }
            let to = phase == "null" ? phase : "\"\(phase)\""
            return
                #"{"kind":"application",\#(head),"application":"\#(name)","instances":["g"],"to":\#(to)\#(words)}"#
        }
        try writeJournal("2025-11-22", lines.joined(separator: "\n") + "\n")
    }
}

/// `xphase report`.
struct ReportTests {
    private let home: HookHome
    private static let use: [(Int, String, String?)] = [(0, "Alpha", "active"), (600, "Alpha", "null")]
    private static let day = ["--since", "2025-11-22", "--until", "2025-11-22"]

    init() throws { home = try HookHome() }

    private func reportDay(_ arguments: String...) -> XPhase.Result {
        XPhase.call(["report"] + arguments + Self.day, environment: home.environment)
    }

    @Test(arguments: [
        ("", [], "write 'journal = true' to the new file "),
        ("keep = '9d'", [], "write 'journal = true' above the first [[hook]] of "),
        ("", ["--by", "title"], "write 'journal = true' and 'titles = true'"),
        ("journal = true", ["--svg", "/dev/full"], "'xphase run' keeps one in "),
    ])
    func aReportWithoutAJournalNamesTheKey(configuration: String, words: [String], advice: String) throws {
        if !configuration.isEmpty { try home.configure(configuration) }
        let report = XPhase.call(["report"] + words, environment: home.environment)
        #expect(report.code == 1 && report.output == [])
        let start = "xphase: there is no journal yet: \(advice)"
        #expect(report.errors.first?.hasPrefix(start) == true, "\(report.errors)")
    }

    /// What is not there is named with what there is. Titles need to be of one application.
    @Test(arguments: [
        ("alpah", "", 1, "no application matches 'alpah': did you mean 'Alpha'?"),
        ("Zulu,g", "", 0, "no application matches 'Zulu'; in the journal of that time: Alpha"),
        ("--since yesterday --until yesterday", "", 1, "it covers 2025-11-22 to 2025-11-22"),
        ("--since 2025-11-23 A*", "", 1, "the journal has nothing for"),
        ("--by title", "", 0, "no title was kept: write 'titles = true' to the new file"),
        ("--by title", "One", 0, "name one, as in 'xphase report firefox --by title'"),
        ("--by title alpha", "One", 0, nil),
    ])
    func aReportNamesWhatTheJournalLacks(_ line: String, title: String, code: Int32, message: String?) throws
    {
        try home.writeDay(Self.use, title: title.isEmpty ? nil : title)
        let words = ["report"] + XPhase.words(line) + (line.contains("--since") ? [] : Self.day)
        let report = XPhase.call(words, environment: home.environment.merging(["TZ": "UTC"]) { $1 })
        #expect(report.code == code && report.output.isEmpty == (code == 1))
        #expect(report.errors.count == (message == nil ? 0 : 1))
        #expect(report.errors.first?.contains(message ?? "") != false, "\(report.errors)")
        #expect(title.isEmpty || report.output.last?.hasPrefix("One ") == true)
    }

    @Test func aListOfVisitsHasTheirTimesAndTitles() throws {
        let second = [(1200, "Alpha", "active"), (1205, "Alpha", "null")] as [(Int, String, String?)]
        try home.writeDay(Self.use + second, title: "One \\u0007")
        func visits(_ words: String...) -> XPhase.Result {
            XPhase.call(
                ["report", "--by", "visit"] + words,
                environment: home.environment.merging(["TZ": "UTC"]) { $1 })
        }
        let lines = [
            "from      to        active  application  title",
            "10:00:00  10:10:00  10 min  Alpha        One \\u{7}",
            "10:20:00  10:20:05  5 s     Alpha        One \\u{7}",
        ]
        #expect(Array(visits("--since", "2025-11-22", "--until", "2025-11-22").output.dropFirst(2)) == lines)
        // Of several days, each line has its date.
        let more = visits("alpha", "--since", "2025-11-21", "--until", "2025-11-22 10:20").output
        #expect(more.last?.hasPrefix("Sat 22 Nov 10:00:00  10:10:00  10 min ") == true, "\(more)")
        #expect(visits("beta", "--since", "2025-11-22", "--until", "2025-11-22").code == 1)
        #expect(visits("--svg", "-").code == 64)
    }

    /// Titles, and names with displays, are longer than a line of a terminal.
    @Test func onAPipeNoReportIsCut() throws {
        let title = String(repeating: "a long title ", count: 20) + "end"
        let name = String(repeating: "Alpha", count: 20)
        try home.writeDay([(0, name, "active"), (600, name, "null")], title: title)
        for (grouping, text) in [("visit", title), ("visit", name), ("title", title), ("application", name)] {
            let report = try XPhase.run(
                ["report", "--by", grouping] + Self.day, on: nil,
                environment: home.environment.merging(["TZ": "UTC"]) { $1 })
            #expect(report.code == 0 && report.output.last?.contains(text) == true, "\(report)")
        }
    }

    @Test func aPictureIsOverwrittenOnlyByForce() throws {
        let file = "\(home.path)/a.svg"
        try home.write("a.svg", "mine")
        try home.writeDay(Self.use)
        let refusal = "xphase: '\(file)' already exists: name another file, or overwrite it with --force"
        let refused = reportDay("--svg", file)
        #expect(refused.code == 64 && refused.errors.last == refusal)
        #expect(try home.lines("a.svg") == ["mine"])
        #expect(reportDay("--svg", file, "--force").code == 0)
        #expect(try home.lines("a.svg").last == "</svg>")
        #expect(reportDay("--svg", "/dev/null").code == 0)
        #expect(reportDay("--svg", "\(home.path)/nowhere/a.svg").code == 74)
    }

    /// Each read(2) is delayed, as on a slow disk. The file is one line of NUL bytes.
    @Test func aTerminalShowsTheProgress() throws {
        try home.writeJournal("2025-11-22", "")
        #expect(truncate("\(home.path)/state/xphase/journal/2025-11-22.jsonl", 20 << 20) == 0)
        let terminal = try Terminal()
        let options = ["-qq", "-o", "/dev/null", "-e", "trace=read", "-e", "inject=read:delay_exit=20000"]
        let report = try Program(
            "strace", options + [XPhase.path, "report"] + Self.day, package: "strace",
            environment: home.environment, terminal: terminal)
        #expect(try report.exitCode() == 1)
        let text = try terminal.text()
        let parts = text.matches(of: /\] +(\d+) %/).compactMap { Int($0.1) }
        #expect(parts.count > 2 && parts == parts.sorted(), "\(text)")
        // The progress is erased at the end.
        #expect(text.contains(" %\r\u{1B}[Kxphase: 1 line was skipped"), "\(text)")
    }

    /// Twenty times as many lines need no more memory, since no line is kept.
    @Test func memoryDoesNotGrowWithTheJournal() throws {
        let measure = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        func peak(lines count: Int) throws -> Int {
            try home.writeDay(
                (0..<count).map { number in
                    let phase = ["active", "inactive", "background"][number * 7 % 3]
                    return (number * 40_000 / count, "A\(number % 60)", phase)
                })
            let measured = try Program.run(
                "python3", ["-c", measure, XPhase.path, "report", "--svg", "-"] + Self.day,
                package: "python3", environment: home.environment)
            #expect(measured.code == 0 && measured.errors == [], "\(measured.errors)")
            return try #require(measured.output.first.flatMap { Int($0) })
        }
        let (few, many) = try (peak(lines: 2000), peak(lines: 40_000))
        #expect(many < few + 2048 && many < 50_000, "\(few) kB, \(many) kB")
    }
}
