import Glibc
import TestDesktop
import Testing

/// Reports on large journals.
struct ReportSizeTests {
    private let home: HookHome
    private let day = ["--since", "2025-11-22", "--until", "2025-11-22"]
    private var file: String { "\(home.path)/state/xphase/journal/2025-11-22.jsonl" }

    init() throws {
        home = try HookHome()
        try home.writeJournal("2025-11-22", "")
    }

    /// Starts a report in which each read(2) is delayed, as on a slow disk.
    private func slowly(_ terminal: Terminal?) throws -> Program {
        try Program(
            "strace",
            [
                "-qq", "-o", "/dev/null", "-e", "trace=read", "-e", "inject=read:delay_exit=20000",
                XPhase.path, "report",
            ]
                + day, package: "strace", environment: home.environment, terminal: terminal)
    }

    @Test func aTerminalShowsTheProgress() throws {
        // One line of NUL bytes.
        #expect(truncate(file, 20 << 20) == 0)
        let terminal = try Terminal()
        #expect(try slowly(terminal).exitCode() == 1)
        let text = try terminal.text()
        let parts = text.split(separator: "\r[").dropFirst().compactMap {
            $0.split(separator: "] ").last.flatMap { Int($0.prefix { $0.isNumber }) }
        }
        #expect(
            parts.count > 2 && parts == parts.sorted() && parts.allSatisfy { (1...100).contains($0) },
            "\(text)")
        // The progress is erased at the end.
        #expect(text.contains(" %\r\u{1B}[Kxphase: 1 line was skipped"))
        let piped = try slowly(nil)
        #expect(try piped.errors.rest().count { $0.contains("%") } == 0)
        #expect(try piped.exitCode() == 1)
    }

    /// Twenty times as many lines need no more memory, since no line is kept.
    @Test func memoryDoesNotGrowWithTheJournal() throws {
        let measure = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        func peak(lines count: Int) throws -> Int {
            var text = ""
            for number in 0..<count {
                let second = number * 40_000 / count
                let clock = [second / 3600, second / 60 % 60, second % 60].map {
                    $0 < 10 ? "0\($0)" : "\($0)"
                }
                let phase = ["active", "inactive", "background"][number * 7 % 3]
                let (kind, rest) =
                    number == 0
                    ? ("start", #""v":1,"display":":0""#)
                    : ("application", #""application":"A\#(number % 60)","instances":["g"],"to":"\#(phase)""#)
                let time = "2025-11-22T\(clock.joined(separator: ":")).000000Z"
                text += #"{"kind":"\#(kind)","run":1,"time":"\#(time)","clock":\#(second).000,\#(rest)}\#n"#
            }
            try home.writeJournal("2025-11-22", text)
            let measured = try Program.run(
                "python3", ["-c", measure, XPhase.path, "report", "--svg", "-"] + day, package: "python3",
                environment: home.environment)
            #expect(measured.code == 0 && measured.errors == [], "\(measured.errors)")
            return try #require(measured.output.first.flatMap { Int($0) })
        }
        let (few, many) = try (peak(lines: 2000), peak(lines: 40_000))
        #expect(many < few + 2048, "\(few) kB, \(many) kB")
        #expect(many < 50_000)
    }
}
