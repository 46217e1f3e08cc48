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
        func peak(lines: Int) throws -> Int {
            let write = """
                import sys
                count, path = int(sys.argv[1]), sys.argv[2]
                head = '{"kind":"%s","run":1,"time":"2025-11-22T%02d:%02d:%02d.%03d000Z","clock":%d.%03d'
                names = ["active", "inactive", "background"]
                titles = ['%.0s', ',"title":"T%d"']
                with open(path, "w") as file:
                    for number in range(count):
                        time = number * 40000000 // count
                        second, part = divmod(time, 1000)
                        kind = "start" if number == 0 else "application"
                        rest = {
                            "start": ',"v":1,"display":":0"',
                            "application": ',"application":"A%d","instances":["g"],"to":"%s"%s'
                            % (number % 60, names[number * 7 % 3], titles[number % 60 == 1] % (number % 50)),
                        }[kind]
                        clock = (second // 3600, second // 60 % 60, second % 60, part)
                        file.write(head % (kind, *clock, second, part) + rest + "}\\n")
                """
            let written = try Program.run("python3", ["-c", write, "\(lines)", file], package: "python3")
            #expect(written.code == 0, "\(written.errors)")
            chmod(file, 0o600)
            let measure = """
                import resource, subprocess, sys
                subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """
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
