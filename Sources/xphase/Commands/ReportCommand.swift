import ArgumentParser
import Console
import Hooks
import Journal
import PhaseWatch
import Service
import System

struct ReportCommand: Command {
    static let configuration = CommandConfiguration(
        command: "report",
        abstract: "Report how long applications were in each phase.",
        usage: "xphase report [options]",
        discussion: """
            Reads the journal that 'xphase run' keeps with --journal or 'journal = true' (set by --enable). Time \
            while the screen is locked, the display is off or not shown, or the machine is asleep is not counted.

            TIMES
              2026-11-22, monday, 7d (days ago)    a day; --to includes all of it
              2026-11-22T14:30, 14:30 (today)      a minute
              90m, 12h                             this long ago

            EXAMPLES
              xphase report --enable
              xphase report --week --by day
              xphase report --from monday --by title --application firefox
              xphase report --from 2026-11-01 --to 2026-11-30 --csv
              xphase report --week --saved
              xphase report --week --svg week.svg       a picture, for a browser
            """
    )

    @Flag(help: "Since midnight. (default)")
    var today = false

    @Flag(help: "The day before today.")
    var yesterday = false

    @Flag(help: "The last seven days, including today.")
    var week = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The start.", valueName: "time"),
        transform: ReportTime.init)
    var from: ReportTime?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The end. (default: now)", valueName: "time"),
        transform: ReportTime.init)
    var to: ReportTime?

    @Option(
        help: ArgumentHelp(
            "One row per application, group, phase, day, title or category. (default: application)",
            valueName: "what"),
        completion: .list(Report.Grouping.allCases.map(\.rawValue)), transform: Self.grouping)
    var by = Report.Grouping.application

    @Option(
        help: ArgumentHelp(
            "Only applications with this class name: a glob or a /regex/.", valueName: "pattern"),
        completion: .application, transform: Arguments.pattern)
    var application: [Pattern] = []

    @Flag(help: "Report what hooks have saved: processor time, wake-ups and memory.")
    var saved = false

    @Flag(help: "Print one JSON object per row; times are in seconds.")
    var json = false

    @Flag(help: "Print CSV; times are in seconds.")
    var csv = false

    @Option(
        help: ArgumentHelp(
            "Write a picture: the hours of a day, or bars for several days; - is stdout.",
            valueName: "file"),
        completion: .file())
    var svg: SystemString?

    @Flag(help: .force)
    var force = false

    @Flag(help: "Keep a journal from now on: write 'journal = true' into the configuration.")
    var enable = false

    func validate() throws {
        let windows = [today, yesterday, week, from != nil || to != nil]
        if windows.count(where: \.self) > 1 {
            throw ValidationError(
                "use only one of --today, --yesterday, --week, and --from with --to")
        }
        if [json, csv, svg != nil].count(where: \.self) > 1 {
            throw ValidationError("use only one of --json, --csv and --svg")
        }
        if saved && (svg != nil || by != .application) {
            throw ValidationError("--saved cannot be combined with --by or --svg")
        }
        if force && svg == nil { throw ValidationError("--force needs --svg") }
        if svg != nil && [.phase, .day, .title].contains(by) {
            throw ValidationError("--svg works by application, group or category, not by \(by.rawValue)")
        }
    }

    func run(_ io: CommandIO) throws {
        let locations = HookLocations(config: nil, environment: io.environment)
        if enable { return try self.enable(locations, io) }
        let (window, isOfDays) = try self.window()
        func settings() throws(ConfigurationError) -> JournalSettings {
            try LoadedHooks.load(locations.withoutDirectory).configuration.journal
        }
        let files = try JournalFiles(environment: io.environment)
        let reading = JournalReading(files, window: window, isOfSavings: saved)
        let hasDays = window.upperBound - window.lowerBound > Self.longestDay
        var question = Tally.Question(by: by, window: window)
        question.applications = application
        question.categories = by == .category ? try settings().categories : []
        question.hasDays = by == .day || svg != nil && hasDays
        if by == .category && question.categories.isEmpty {
            throw CommandFailure.misuse(
                "there are no categories: write [[category]], with name and application, into \(locations.own)"
            )
        }
        let tally = Tally(question)
        var bar = ProgressBar()
        defer { bar.end() }
        try reading.read(into: tally) { bar.show($0) }
        if saved {
            bar.end()
            let isUntilNow = to == nil && !yesterday
            let report = SavingsReport(tally, isUntilNow ? Self.held(io.environment, by: application) : [])
            if report.rows.isEmpty {
                io.say(
                    reading.isEmpty
                        ? nothing(in: files, isEmpty: true, try? settings(), locations)
                        : "no hook held a reaction in that time"
                )
            }
            return try write(report, tally.summary, io)
        }
        let report = Report(tally)
        var picture: String?
        if svg != nil && hasDays {
            picture = DaysSVG(report).text
        } else if svg != nil {
            let timeline = try Timeline(of: tally, report, isCut: isOfDays) { () throws(SystemError) in
                try reading.read(into: tally) { bar.show($0) }
            }
            picture = TimelineSVG(report, timeline).text
        }
        bar.end()
        report.summary.remarks.forEach(io.say)
        let kept = try? settings()
        if by == .title && kept?.titles != true && (kept?.isOn == true || !reading.isEmpty) {
            io.say(
                "the journal keeps no titles: write 'titles = true' above the first [[hook]] of \(locations.own)"
            )
        }
        if report.rows.allSatisfy({ $0.times.all == 0 }) {
            io.say(nothing(in: files, isEmpty: reading.isEmpty, try? settings(), locations))
        }
        try write(report, picture, io)
    }

    /// Returns the savings of the reactions that hold now, on all served displays.
    private static func held(_ environment: Environment, by application: [Pattern]) -> [Saving] {
        let displays = (try? VarlinkClient.displays(environment)) ?? []
        let rows = displays.flatMap { display in
            (try? VarlinkClient(display: display, environment: environment).status()) ?? []
        }
        var savings: [String: Saving] = [:]
        for row in rows {
            // Several hooks may hold one application. Its savings count once.
            guard let name = row.application, let saved = row.saved, let since = row.since else { continue }
            let isChosen = application.isEmpty || application.contains { $0.matches(name) }
            guard isChosen, savings[name] == nil else { continue }
            var saving = Saving(name)
            saving.reactions = row.reactions
            saving.held = .seconds(max(0, Timestamp.now().seconds - since.time.seconds))
            saving.processor = .milliseconds(Int64(saved * 1000))
            (saving.wakeUps, saving.memory) = (row.wakeups ?? 0, row.memory ?? 0)
            savings[name] = saving
        }
        return Array(savings.values)
    }

    /// The day on which daylight saving time ends has 25 hours.
    private static let longestDay: Int64 = 25 * 3_600_000

    private func enable(_ locations: HookLocations, _ io: CommandIO) throws {
        var own = try OwnConfiguration(locations)
        guard try own.enableJournal() else {
            return io.say("\(own.path) has 'journal = true' already: nothing was changed")
        }
        let kept = own.copy.map { "; the old version is in \($0)" } ?? ""
        try io.write(lines: ["wrote 'journal = true' into \(own.path)\(kept)"])
        let service = SessionService(environment: io.environment)
        io.say(
            service?.isRunning ?? false
                ? "the service loads it and keeps a journal from now on"
                : "'xphase run' keeps a journal from its next start")
    }

    /// Returns the reason why there is nothing to report.
    private func nothing(
        in files: JournalFiles, isEmpty: Bool, _ settings: JournalSettings?, _ locations: HookLocations
    ) -> String {
        if !isEmpty { return "the journal has no such application in that time" }
        if settings?.isOn == true { return "there is no journal for that time in \(files.path)" }
        let keys =
            by == .title && settings?.titles != true
            ? "'journal = true' and 'titles = true'" : "'journal = true'"
        return
            "there is no journal yet: write \(keys) above the first [[hook]] of \(locations.own), or let "
            + "'xphase report --enable' do that; 'xphase run' then keeps one in \(files.path)"
    }

    private func write(_ report: SavingsReport, _ summary: JournalSummary, _ io: CommandIO) throws {
        summary.remarks.forEach(io.say)
        if json { return try io.write(report.json) }
        if csv { return try io.write(report.csv) }
        try io.write(SavingsText(palette: io.palette).text(report))
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

    /// - Returns: The period, and whether it consists of whole days. The last day may not have ended.
    private func window() throws -> (window: Range<Int64>, isOfDays: Bool) {
        let now = ReportTime.now
        let midnight = LocalTime(now).day()
        if yesterday { return (midnight.day(-1).milliseconds..<midnight.milliseconds, true) }
        if week { return (midnight.day(-6).milliseconds..<now, true) }
        let start = from?.start(now) ?? LocalTime((to?.end(now) ?? now) - 1).day().milliseconds
        let end = to?.end(now) ?? now
        guard start < end else {
            let words = (from?.words ?? "midnight", to?.words ?? "now")
            throw CommandFailure.misuse(
                "--from \(words.0) is not before --to \(words.1): swap them, or name others")
        }
        return (start..<end, from?.isDay ?? true && to?.isDay ?? true)
    }

    private static func grouping(_ text: String) throws -> Report.Grouping {
        guard let grouping = Report.Grouping(rawValue: text) else {
            throw CommandFailure.misuse("write application, group, phase, day, title or category")
        }
        return grouping
    }
}

/// A time that an option names, in the time zone of the user.
struct ReportTime {
    private enum Form {
        case day(year: Int, month: Int, day: Int)
        case moment(year: Int, month: Int, day: Int, hour: Int, minute: Int)
        case clock(hour: Int, minute: Int)
        case weekday(String)
        case daysAgo(Int)
        case ago(Int64)
    }

    /// The text that the user wrote.
    let words: String
    private let form: Form

    init(_ text: String) throws {
        guard let form = try Self.form(text) else {
            throw CommandFailure.misuse(
                "write 2026-11-22, monday, 2026-11-22T14:30, 14:30, or how long ago: 90m, 12h or 7d")
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
        case .weekday(let name): LocalTime(now).last(weekday: name)?.milliseconds ?? now
        case .daysAgo(let days): LocalTime(now).day(-days).milliseconds
        case .ago(let time): now - time
        }
    }

    /// Whether the option names a whole day.
    var isDay: Bool {
        switch form {
        case .day, .weekday, .daysAgo: true
        case .moment, .clock, .ago: false
        }
    }

    func end(_ now: Int64) -> Int64 {
        isDay ? min(now, LocalTime(start(now)).day(1).milliseconds) : start(now)
    }

    private static func form(_ text: String) throws -> Form? {
        if let duration = Duration(text: text) { return .ago(duration.milliseconds) }
        if text.hasSuffix("d"), let days = Int(text.dropLast()), (0...36_500).contains(days) {
            return .daysAgo(days)
        }
        if LocalTime(now).last(weekday: text) != nil { return .weekday(text) }
        let parts = text.split(separator: "T", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 1, let (hour, minute) = clock(text) { return .clock(hour: hour, minute: minute) }
        guard let (year, month, day) = try parts.first.flatMap(date) else { return nil }
        if parts.count == 1 { return .day(year: year, month: month, day: day) }
        guard parts.count == 2, let (hour, minute) = clock(parts[1]) else { return nil }
        return .moment(year: year, month: month, day: day, hour: hour, minute: minute)
    }

    private static func date(_ text: String) throws -> (Int, Int, Int)? {
        guard let numbers = numbers(text, "-", [4, 2, 2]) else { return nil }
        // The C library converts 2026-02-31 to a day of March. No clock change skips noon.
        guard LocalTime(year: numbers[0], month: numbers[1], day: numbers[2], hour: 12).date == text else {
            throw CommandFailure.misuse("\(text) is not a date")
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
