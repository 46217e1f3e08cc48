import ArgumentParser
import Console
import Journal
import System

struct ReportCommand: Command {
    static let configuration = CommandConfiguration(
        command: "report",
        abstract: "Tell how long each application was in each phase.",
        usage: "xphase report [options]",
        discussion: """
            It reads the journal that 'xphase run --journal' writes, today's if nothing else is asked for. While the \
            screen is locked, the display off or not shown, or the machine asleep, time is nobody's.

            A time is 2026-11-22, 2026-11-22T14:30, 14:30 (today), or so long ago: 90m, 12h, 7d. A day that --to \
            names counts to its end.

            EXAMPLES
              xphase report
              xphase report --from 7d --by group
              xphase report --from 2026-11-01 --to 2026-11-30 --csv
              xphase report --svg day.svg       a timeline, for a browser
            """
    )

    @Flag(help: "From the last midnight until now. (default)")
    var today = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where to begin.", valueName: "time"),
        transform: ReportTime.init)
    var from: ReportTime?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where to end. (default: now)", valueName: "time"),
        transform: ReportTime.init)
    var to: ReportTime?

    @Option(
        help: ArgumentHelp(
            "What a row is: application, group or phase. (default: application)", valueName: "what"),
        completion: .list(Report.Grouping.allCases.map(\.rawValue)), transform: Self.grouping)
    var by: Report.Grouping?

    @Flag(help: "Write one JSON object a row, with times in seconds.")
    var json = false

    @Flag(help: "Write a table for spreadsheets, with times in seconds.")
    var csv = false

    @Option(
        help: ArgumentHelp("Write a timeline as a picture; - for standard output.", valueName: "file"),
        completion: .file())
    var svg: SystemString?

    @Flag(help: .force)
    var force = false

    func validate() throws {
        if today && (from != nil || to != nil) {
            throw ValidationError("--today says from when until when, and so do --from and --to: choose")
        }
        if [json, csv, svg != nil].count(where: \.self) > 1 {
            throw ValidationError("--json, --csv and --svg are three ways to write it: choose one of them")
        }
        if force && svg == nil { throw ValidationError("--force needs --svg") }
        if svg != nil && by == .phase {
            throw ValidationError("a timeline has a row for each application or group, not for a phase")
        }
    }

    func run(_ io: CommandIO) throws {
        let window = try self.window()
        let files = try JournalFiles(environment: io.environment)
        let reading = JournalReading(files, window: window)
        let tally = Tally(by: by ?? .application, window: window, isDrawn: svg != nil)
        var bar = ProgressBar()
        defer { bar.end() }
        try reading.read(into: tally) { bar.show($0) }
        let report = Report(tally)
        var picture: String?
        if svg != nil {
            picture =
                TimelineSVG(
                    report,
                    try Timeline(of: tally, report) { () throws(SystemError) in
                        try reading.read(into: tally) { bar.show($0) }
                    }
                ).text
        }
        bar.end()
        report.summary.remarks.forEach(io.say)
        if report.rows.allSatisfy({ $0.times.all == 0 }) {
            io.say(
                reading.isEmpty
                    ? "there is no journal for that time in \(files.path): 'xphase run --journal' writes one"
                    : "the journal tells of no application in that time")
        }
        try write(report, picture, io)
    }

    private func write(_ report: Report, _ picture: String?, _ io: CommandIO) throws {
        if let svg, let picture {
            let bytes = Array(picture.utf8)
            return svg == "-"
                ? try io.write(bytes) : try OutputFile.write(bytes, to: svg, force: force)
        }
        if json { return try io.write(report.json) }
        if csv { return try io.write(report.csv) }
        try io.write(ReportText(palette: io.palette, width: io.width).text(report))
    }

    private func window() throws -> Range<Int64> {
        let now = ReportTime.now
        let start = from?.start(now) ?? LocalTime((to?.end(now) ?? now) - 1).day().milliseconds
        let end = to?.end(now) ?? now
        guard start < end else {
            let words = (from?.words ?? "midnight", to?.words ?? "now")
            throw CommandFailure.misuse(
                "--from \(words.0) is not before --to \(words.1): swap them, or name others")
        }
        return start..<end
    }

    private static func grouping(_ text: String) throws -> Report.Grouping {
        guard let grouping = Report.Grouping(rawValue: text) else {
            throw CommandFailure.misuse("write application, group or phase")
        }
        return grouping
    }
}

/// A moment that an option names, in the time zone of the user.
struct ReportTime {
    private enum Form {
        case day(year: Int, month: Int, day: Int)
        case moment(year: Int, month: Int, day: Int, hour: Int, minute: Int)
        case clock(hour: Int, minute: Int)
        case ago(Int64)
    }

    /// As the user has written it.
    let words: String
    private let form: Form

    init(_ text: String) throws {
        guard let form = try Self.form(text) else {
            throw CommandFailure.misuse(
                "write 2026-11-22, 2026-11-22T14:30, 14:30, or how long ago: 90m, 12h or 7d")
        }
        (words, self.form) = (text, form)
    }

    static var now: Int64 { Int64(Timestamp.now().seconds) * 1000 + 999 }

    func start(_ now: Int64) -> Int64 {
        switch form {
        case .day(let year, let month, let day):
            LocalTime(year: year, month: month, day: day).milliseconds
        case .moment(let year, let month, let day, let hour, let minute):
            LocalTime(year: year, month: month, day: day, hour: hour, minute: minute).milliseconds
        case .clock(let hour, let minute): LocalTime(now).at(hour: hour, minute: minute).milliseconds
        case .ago(let time): now - time
        }
    }

    func end(_ now: Int64) -> Int64 {
        if case .day = form { LocalTime(start(now)).day(1).milliseconds } else { start(now) }
    }

    private static func form(_ text: String) throws -> Form? {
        if let duration = Duration(text: text) { return .ago(duration.milliseconds) }
        if text.hasSuffix("d"), let days = Int64(text.dropLast()), (0...36_500).contains(days) {
            return .ago(days * 86_400_000)
        }
        let parts = text.split(separator: "T", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 1, let (hour, minute) = clock(text) { return .clock(hour: hour, minute: minute) }
        guard let (year, month, day) = try parts.first.flatMap(date) else { return nil }
        if parts.count == 1 { return .day(year: year, month: month, day: day) }
        guard parts.count == 2, let (hour, minute) = clock(parts[1]) else { return nil }
        return .moment(year: year, month: month, day: day, hour: hour, minute: minute)
    }

    private static func date(_ text: String) throws -> (Int, Int, Int)? {
        guard let numbers = numbers(text, "-", [4, 2, 2]) else { return nil }
        // The C library takes 2026-02-31 for a day of March. No clock leaves out noon.
        guard LocalTime(year: numbers[0], month: numbers[1], day: numbers[2], hour: 12).date == text else {
            throw CommandFailure.misuse("\(text) is no day of the calendar: write one that is")
        }
        return (numbers[0], numbers[1], numbers[2])
    }

    private static func clock(_ text: String) -> (Int, Int)? {
        guard let numbers = numbers(text, ":", [2, 2]), numbers[1] < 60,
            numbers[0] < 24 || numbers == [24, 0]
        else { return nil }
        return (numbers[0], numbers[1])
    }

    private static func numbers(_ text: String, _ separator: Character, _ widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let isRight = parts.map(\.utf8.count) == widths
        guard isRight, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        return parts.compactMap { Int($0) }
    }
}
