import ArgumentParser
import Console
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
            It removes old days itself: see 'keep' in xphase.toml(5). Time while the screen is locked, the display is \
            off or not shown, or the machine is asleep is not counted. Exits 1 if there is nothing to report.

            TIMES
              2026-11-22, today, yesterday               a day; --until includes all of it
              monday, tuesday, ...                       the last day of this name
              '2026-11-22 14:30', 'yesterday 14:30'      a minute

            EXAMPLES
              xphase report --since monday --by day
              xphase report firefox,chromium --since monday --by title
              xphase report --since yesterday --until yesterday --json
              xphase report --svg today.svg             a picture, for a browser
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [[Pattern]] = []

    @OptionGroup var period: PeriodOptions

    @Option(
        help: ArgumentHelp(
            "One row per application, day (the time in use) or title.",
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
