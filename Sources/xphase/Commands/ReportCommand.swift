import ArgumentParser
import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import System

struct ReportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report how long applications were in each phase.",
        usage: "xphase report [app…] [options]",
        discussion: """
            Reads the journal that 'xphase run' keeps if 'journal = true' stands above the hooks of the configuration. \
            The service removes days older than 'keep' in xphase.toml(5), but in the first week after a gap of \
            two weeks only two at each start and each midnight: the clock may be wrong.

            Time while the screen is locked, the display is off or not shown, or the machine is asleep is not counted. \
            Exits 1 if there is nothing to report.

            TIMES
              2026-11-22, today, yesterday        a day; --until includes all of it
              monday, tuesday, ...                the last day of this name
              14:30, 'yesterday 14:30'            a minute; also 2026-11-22T14:30
              now, 30min, 1h, '2 days ago'        counted from now

            EXAMPLES
              xphase report --since monday --by day
              xphase report firefox,chromium --since monday --by title
              xphase report --since 09:00 --until 12:00 --by visit
              xphase report --since yesterday --until yesterday --json
              xphase report --svg today.svg             a picture, for a browser
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [[Pattern]] = []

    @OptionGroup private var period: PeriodOptions

    @Option(
        help: ArgumentHelp(
            "One row per application, day (the time in use), title, or visit (each time it was active).",
            valueName: "what"))
    var by = Report.Grouping.application

    @Flag(name: .shortAndLong, help: "Print one JSON object per row; times are in seconds.")
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
        if by == .visit && svg != nil {
            throw ValidationError("a picture has no list of visits: omit --by visit, or omit --svg")
        }
        if force && svg == nil { throw ValidationError("--force needs --svg") }
    }

    func run(_ io: CommandIO) throws {
        // Without a window, no display is needed.
        let applications = try Subjects(apps.flatMap(\.self), on: nil).applications()
        let tally = Tally(by: by, window: try period.range(), applications: applications)
        var journal = try JournalOnDisk(io.environment)
        try journal.read(into: tally)
        let report = Report(tally)
        report.summary.remarks.forEach(io.say)
        for fault in try journal.faults(of: report, tally) { io.say(fault.description) }
        if json {
            try io.write(report.json)
        } else if let svg {
            let timeline = try journal.timeline(of: report, tally, isCut: period.isOfDays)
            let picture = Array(ReportSVG(report, timeline).text.utf8)
            if svg == "-" { return try io.write(picture) }
            try OutputFile.write(picture, to: svg, force: force)
        } else {
            try io.write(ReportText(palette: io.palette, width: io.width).text(report))
        }
        journal.advice(on: report, namesApplications: !apps.isEmpty).map(io.say)
    }
}

/// A time that an option names, in the time zone of the user.
struct ReportTime {
    private static let words = [
        "today", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// The text that the user wrote.
    let text: String
    /// Milliseconds since 1970.
    let start: Int64
    /// Whether the option names a whole day.
    let isDay: Bool

    init(_ text: String) throws {
        self.text = text
        if let moment = Self.moment(text) {
            (start, isDay) = (moment, false)
            return
        }
        let isJoined = text.count > 10 && text.dropFirst(10).first == "T"
        let words = isJoined ? "\(text.prefix(10)) \(text.dropFirst(11))" : text
        let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
        let day = parts.first.flatMap(Self.day)
        isDay = parts.count == 1
        guard let day, let time = isDay ? day : day.at(clock: parts[1]) else {
            let isNumber = !text.isEmpty && text.count < 4 && text.allSatisfy(\.isNumber)
            if let clock = Self.clock(of: parts.last ?? "") {
                let whole = (parts.dropLast() + [clock]).joined(separator: " ")
                let length = isNumber ? ", or for a time before now \(text)h or \(text)min" : ""
                throw CommandFailure.misuse("write \(whole.quotedForShell)\(length)")
            }
            if isNumber { throw CommandFailure.misuse("it has no unit: write \(text)min or \(text)h") }
            let near = day == nil ? NearestWord.to(parts.first ?? "", among: Self.words) : nil
            throw CommandFailure.misuse(
                "write now, 07:50, 1h, today, yesterday, monday, 2026-11-20 or '2026-11-20 09:00'"
                    + (near.map { ": did you mean '\($0)'?" } ?? ""))
        }
        start = time.milliseconds
    }

    static var now: Int64 { Int64(Timestamp.now().seconds) * 1000 + 999 }

    var end: Int64 { isDay ? min(Self.now, LocalTime(start).day(1).milliseconds) : start }

    /// Returns the time that `now`, `07:50` or `1 hour ago` means, in milliseconds since 1970.
    private static func moment(_ text: String) -> Int64? {
        if text.lowercased() == "now" { return now }
        if let clock = LocalTime(now).at(clock: text) { return clock.milliseconds }
        let length = text.hasSuffix(" ago") ? String(text.dropLast(4)) : text
        // A number alone is no time.
        guard length.contains(where: \.isLetter), let duration = Duration(text: length) else { return nil }
        return now - duration.milliseconds
    }

    /// Returns `09:00` for `9`, `9am` or `9 o'clock`, and `21:30` for `9:30pm`; nil for other words.
    private static func clock(of word: String) -> String? {
        let form = /(\d{1,2})(?::(\d\d))? ?(am|pm|h|uhr)?/.ignoresCase()
        guard let parts = word.wholeMatch(of: form)?.output, var hour = Int(parts.1) else { return nil }
        if let half = parts.3?.lowercased(), ["am", "pm"].contains(half) {
            if !(1...12).contains(hour) { return nil }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        return hour < 24 ? "\(hour < 10 ? "0" : "")\(hour):\(parts.2 ?? "00")" : nil
    }

    private static func day(_ word: String) -> LocalTime? {
        let today = LocalTime(now).day()
        switch word.lowercased() {
        case "today": return today
        case "yesterday": return today.day(-1)
        default: return LocalTime(date: word) ?? today.last(weekday: word)
        }
    }
}

extension Report.Grouping: ExpressibleByArgument {}

/// The period of a report: by default, today until now.
private struct PeriodOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The start. (default: today)", valueName: "time"),
        transform: ReportTime.init)
    var since: ReportTime?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The end. (default: now)", valueName: "time"),
        transform: ReportTime.init)
    var until: ReportTime?

    var isOfDays: Bool { since?.isDay ?? true && until?.isDay ?? true }

    /// Returns the period in milliseconds since 1970.
    func range() throws -> Range<Int64> {
        let end = min(until?.end ?? .max, ReportTime.now)
        let start = since?.start ?? LocalTime(end - 1).day().milliseconds
        guard start < end else {
            let words = (since?.text ?? "today", until?.text ?? "now")
            throw CommandFailure.misuse("from \(words.0) to \(words.1): the start must be before the end")
        }
        return start..<end
    }
}

/// The journal of the user, read with a progress bar.
private struct JournalOnDisk {
    private let files: JournalFiles
    private let locations: HookLocations
    private var bar = ProgressBar()

    init(_ environment: Environment) throws {
        files = try JournalFiles(environment: environment)
        locations = HookLocations(config: nil, environment: environment)
    }

    mutating func read(into tally: Tally) throws {
        defer { bar.end() }
        try files.read(into: tally) { bar.show($0) }
    }

    /// Returns the phases over the hours of a day; nil for a report that has bars.
    ///
    /// - Parameter isCut: Whether hours without any phase at both ends are omitted.
    mutating func timeline(of report: Report, _ tally: Tally, isCut: Bool) throws -> Timeline? {
        let length = report.window.upperBound - report.window.lowerBound
        // The day on which daylight saving time ends has 25 hours.
        // Only phases have hours.
        if report.phases.count == 1 || length > 25 * 3_600_000 { return nil }
        return try Timeline(of: tally, report, isCut: isCut) { try read(into: $0) }
    }

    /// Returns which of the applications that a report asks for are unknown, with the nearest that is there.
    ///
    /// - Throws: `CommandFailure` if the report is empty.
    mutating func faults(of report: Report, _ tally: Tally) throws -> [CommandFailure] {
        if report.summary.watched == 0 { throw CommandFailure.notFound(absence(of: report)) }
        if tally.unmatched.isEmpty {
            if !report.isEmpty { return [] }
            throw CommandFailure.notFound("no such application was \(report.grouping.state) then")
        }
        let everything = Tally(by: .application, window: report.window)
        try read(into: everything)
        let names = Set(Report(everything).rows.map(\.application))
        let faults = tally.unmatched.map {
            CommandFailure.noApplication($0.text, among: names, groups: [], "in the journal of that time")
        }
        if report.isEmpty { throw faults[0] }
        return faults
    }

    /// Returns why the journal has nothing for the period of a report.
    private func absence(of report: Report) -> String {
        if let first = files.dates.first, let last = files.dates.last {
            return "the journal has nothing for \(report.period): it covers \(first) to \(last)"
        }
        let isOn = (try? LoadedHooks(locations))?.configuration.journal.isOn == true
        return
            "there is no journal yet: \(isOn ? "" : "\(advice(report.grouping.keys)); ")'xphase run' keeps one in \(files.path)"
    }

    /// Returns how to get a better report by title; nil for other reports.
    func advice(on report: Report, namesApplications: Bool) -> String? {
        guard report.grouping == .title else { return nil }
        if report.rows.allSatisfy(\.title.isEmpty) {
            return "no title was kept: \(advice("'titles = true'")), without a matching journal-exclude"
        }
        return namesApplications
            ? nil : "these are titles of all applications: name one, as in 'xphase report firefox --by title'"
    }

    /// Returns how to set keys of the configuration.
    private func advice(_ keys: String) -> String {
        let file = locations.configurations[0]
        // One that has faults exists.
        let exists = (try? LoadedHooks(locations)).map { $0.file != nil } ?? true
        return exists
            ? "write \(keys) above the first [[hook]] of \(file)" : "write \(keys) to the new file \(file)"
    }
}

/// The progress of a command, shown on stderr if it is a terminal, after half a second.
private struct ProgressBar {
    private static let patience = Duration.milliseconds(500)
    private static let interval = Duration.milliseconds(100)
    private static let width = 40

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var next = Clock.now() + Self.patience
    private var isShown = false

    /// - Parameter part: The completed fraction, up to 1.
    mutating func show(_ part: Double) {
        guard isTerminal, case let now = Clock.now(), now >= next else { return }
        (next, isShown) = (now + Self.interval, true)
        let done = Int(max(0, min(1, part)) * Double(Self.width))
        let bar = String(repeating: "#", count: done) + String(repeating: " ", count: Self.width - done)
        write("\r[\(bar)] \(Int(part * 100)) %")
    }

    /// Erases the bar.
    mutating func end() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

/// A report for people: one line per row, with a bar of its active time, or one line per visit.
private struct ReportText {
    private var longestName: Int { width == nil ? .max : 48 }
    private static let usualWidth = 80
    private static let leastTitle = 12
    private static let timeWidth = 13
    private static let visitsWidth = 8
    /// The width of the text after a bar: ` 100 %`.
    private static let percentWidth = 6

    let palette: Palette
    /// The width of the terminal, in columns; nil for a reader that is none, for which nothing is cut.
    let width: Int?

    func text(_ report: Report) -> String {
        let summary = ([report.period] + report.summary.times).joined(separator: ", ")
        var lines = report.grouping == .visit ? visits(report) : rows(report)
        lines[0] = palette.strong(lines[0])
        return ([palette.faint(summary), ""] + lines).map { $0 + "\n" }.joined()
    }

    /// Returns the heading, and a line for each row.
    private func rows(_ report: Report) -> [String] {
        let visitsWidth = report.grouping == .application ? Self.visitsWidth : 0
        let timesWidth = report.phases.count * Self.timeWidth + visitsWidth + Self.percentWidth
        let left = (width ?? Self.usualWidth) - timesWidth
        let longest = min(longestName, max(12, width == nil ? .max : left))
        let names = report.rows.map { report.name($0, columns: longest) }
        let nameWidth = max(report.grouping.rawValue.count, names.map(\.columnCount).max() ?? 0)
        let heading =
            report.grouping.headings.reduce(report.grouping.rawValue.padded(to: nameWidth)) {
                $0 + $1.padded(leftTo: Self.timeWidth)
            } + (visitsWidth == 0 ? "" : "visits".padded(leftTo: visitsWidth))
        let sum = report.rows.reduce(0) { $0 + $1.active }
        let most = report.rows.map(\.active).max() ?? 0
        let lines = zip(report.rows, names).map { row, name in
            let times = report.phases.map {
                TimeText.spoken(row.times[$0, default: 0]).padded(leftTo: Self.timeWidth)
            }
            let visits = visitsWidth == 0 ? "" : "\(row.visits)".padded(leftTo: visitsWidth)
            return name.padded(to: nameWidth) + times.joined() + visits
                + bar(row.active, of: most, width: left - nameWidth - 2)
                + percent(row.active, of: sum)
        }
        return [heading] + lines
    }

    /// Returns the heading, and a line for each visit. The last column has what room is left.
    private func visits(_ report: Report) -> [String] {
        let clock = "%H:%M:%S"
        let hasTitles = report.rows.contains { !$0.title.isEmpty }
        var cells = [["from", "to", "active", "application"] + (hasTitles ? ["title"] : [])]
        for row in report.rows {
            guard let visit = row.visit else { continue }
            let start = LocalTime(visit.lowerBound).text(report.isOfOneDay ? clock : "%a %-d %b \(clock)")
            let end = LocalTime(visit.upperBound).text(clock)
            let name = report.name(row, columns: longestName)
            let title = hasTitles ? [row.title.escapedForTerminal] : []
            cells.append([start, end, TimeText.spoken(row.active), name] + title)
        }
        let widths = (0..<cells[0].count - 1).map { column in
            cells.reduce(0) { max($0, $1[column].columnCount) } + 2
        }
        let left = width.map { max(Self.leastTitle, $0 - widths.reduce(0, +)) } ?? .max
        return cells.map { cells in
            zip(cells, widths).map { $0.padded(to: $1) }.joined()
                + (cells.last ?? "").fitted(toColumns: left)
        }
    }

    private func bar(_ time: Int64, of most: Int64, width: Int) -> String {
        guard width >= 8, time > 0 else { return "" }
        let length = Int(Double(time) / Double(most) * Double(width) + 0.5)
        return "  " + (length == 0 ? "" : palette.phase(String(repeating: "█", count: length), .active))
    }

    private func percent(_ time: Int64, of sum: Int64) -> String {
        if time == 0 { return "" }
        let percent = Int(Double(time) / Double(sum) * 100 + 0.5)
        return percent == 0 ? "  <1 %" : "  \(percent) %"
    }
}
