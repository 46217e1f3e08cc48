import ArgumentParser
import Console
import Hooks
import Journal
import PhaseWatch
import System

struct ReportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report how long applications were in each phase.",
        usage: "xphase report [application…] [options]",
        discussion: """
            Reads the journal that 'xphase run' keeps with --journal or 'journal = true'. Time while the screen is \
            locked, the display is off or not shown, or the machine is asleep is not counted. Exits 1 if there is \
            nothing to report.

            TIMES
              2026-11-22, today, yesterday, monday, 7d (days ago)    a day; --until includes all of it
              '2026-11-22 14:30', 14:30 (today)                      a minute
              90m, 12h                                               this long ago

            EXAMPLES
              xphase report --since 6d --by day
              xphase report firefox --since monday --by title
              xphase report --since yesterday --until yesterday --json
              xphase report --svg today.svg             a picture, for a browser
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Only applications with this class or instance name: a glob or a /regex/.",
            valueName: "application"), completion: .application, transform: Arguments.pattern)
    var application: [Pattern] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The start. (default: today)", valueName: "time"),
        transform: ReportTime.init)
    var since: ReportTime?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The end. (default: now)", valueName: "time"),
        transform: ReportTime.init)
    var until: ReportTime?

    @Option(
        help: ArgumentHelp(
            "One row per application, day or title. (default: application)", valueName: "what"),
        completion: .list(Report.Grouping.allCases.map(\.rawValue)), transform: Self.grouping)
    var by = Report.Grouping.application

    @Flag(help: "Print one JSON object per row; times are in seconds.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Write a picture: the hours of a day, or bars for several days; - is stdout.",
            valueName: "file"),
        completion: .file())
    var svg: SystemString?

    @Flag(help: .force)
    var force = false

    func validate() throws {
        if json && svg != nil { throw ValidationError("use only one of --json and --svg") }
        if force && svg == nil { throw ValidationError("--force needs --svg") }
    }

    func run(_ io: CommandIO) throws {
        let window = try self.window()
        let files = try JournalFiles(environment: io.environment)
        let reading = JournalReading(files, window: window)
        var question = Tally.Question(by: by, window: window)
        question.applications = application
        let tally = Tally(question)
        var bar = ProgressBar()
        defer { bar.end() }
        try reading.read(into: tally) { bar.show($0) }
        let report = Report(tally)
        var timeline: Timeline?
        if svg != nil && by == .application && window.upperBound - window.lowerBound <= Self.longestDay {
            let isOfDays = since?.isDay ?? true && until?.isDay ?? true
            timeline = try Timeline(of: tally, report, isCut: isOfDays) { () throws(SystemError) in
                try reading.read(into: tally) { bar.show($0) }
            }
        }
        bar.end()
        report.summary.remarks.forEach(io.say)
        let locations = HookLocations(config: nil, environment: io.environment)
        let settings = try? LoadedHooks(locations).configuration.journal
        let lacksTitles = by == .title && settings?.titles != true
        if report.rows.allSatisfy({ $0.times.all == 0 }) {
            throw CommandFailure.notFound(
                !reading.isEmpty
                    ? "the journal has no such application in that time"
                    : settings?.isOn == true
                        ? "there is no journal for that time in \(files.path)"
                        : "there is no journal yet: write 'journal = true'\(lacksTitles ? " and 'titles = true'" : "") "
                            + "above the first [[hook]] of \(locations.configurations[0]); 'xphase run' then keeps one in \(files.path)"
            )
        }
        try write(report, timeline, io)
        if lacksTitles {
            io.say(
                "the journal keeps no titles: write 'titles = true' above the first [[hook]] of \(locations.configurations[0])"
            )
        }
    }

    /// The day on which daylight saving time ends has 25 hours.
    private static let longestDay: Int64 = 25 * 3_600_000

    private func write(_ report: Report, _ timeline: Timeline?, _ io: CommandIO) throws {
        if json { return try io.write(report.json) }
        guard let svg else {
            return try io.write(ReportText(palette: io.palette, width: io.width).text(report))
        }
        let bytes = Array(ReportSVG(report, timeline).text.utf8)
        if svg == "-" { return try io.write(bytes) }
        try OutputFile.write(bytes, to: svg, force: force)
    }

    private func window() throws -> Range<Int64> {
        let end = until?.end ?? ReportTime.now
        let start = since?.start ?? LocalTime(end - 1).day().milliseconds
        guard start < end else {
            let words = (since?.words ?? "today", until?.words ?? "now")
            throw CommandFailure.misuse(
                "--since \(words.0) is not before --until \(words.1): swap them, or name others")
        }
        return start..<end
    }

    private static func grouping(_ text: String) throws -> Report.Grouping {
        guard let grouping = Report.Grouping(rawValue: text) else {
            throw CommandFailure.misuse("write application, day or title")
        }
        return grouping
    }
}

/// A time that an option names, in the time zone of the user.
struct ReportTime {
    /// The text that the user wrote.
    let words: String
    /// Milliseconds since 1970.
    let start: Int64
    /// Whether the option names a whole day.
    let isDay: Bool

    init(_ text: String) throws {
        words = text
        let today = LocalTime(Self.now).day()
        if let day = Self.day(text, today) {
            (start, isDay) = (day.milliseconds, true)
            return
        }
        isDay = false
        let parts = text.split { $0 == "T" || $0 == " " }.map(String.init)
        let day = parts.count == 2 ? Self.day(parts[0], today) : today
        if let ago = Duration(text: text) {
            start = Self.now - ago.milliseconds
        } else if let day, parts.count <= 2,
            let clock = parts.last.flatMap({ Self.numbers($0, ":", [2, 2]) }),
            clock[1] < 60, clock[0] < 24 || clock == [24, 0]
        {
            start = day.at(hour: clock[0], minute: clock[1]).milliseconds
        } else {
            throw CommandFailure.misuse(
                "write 2026-11-22, today, yesterday, monday, '2026-11-22 14:30', 14:30, or how long ago: 90m, 12h or 7d"
            )
        }
    }

    static var now: Int64 { Int64(Timestamp.now().seconds) * 1000 + 999 }

    var end: Int64 { isDay ? min(Self.now, LocalTime(start).day(1).milliseconds) : start }

    private static func day(_ text: String, _ today: LocalTime) -> LocalTime? {
        if text == "today" { return today }
        if text == "yesterday" { return today.day(-1) }
        if text.hasSuffix("d"), let days = Int(text.dropLast()), (0...36_500).contains(days) {
            return today.day(-days)
        }
        guard let date = numbers(text, "-", [4, 2, 2]) else { return today.last(weekday: text) }
        // The C library converts 2026-02-31 to a day of March. No clock change skips noon.
        let noon = LocalTime(year: date[0], month: date[1], day: date[2], hour: 12)
        return noon.date == text ? noon.day() : nil
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
