import Console
import Hooks
import Journal
import PhaseWatch
import System

/// The journal of the user, read with a progress bar.
struct JournalOnDisk {
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
        if report.grouping != .application || length > 25 * 3_600_000 { return nil }
        return try Timeline(of: tally, report, isCut: isCut) { try read(into: $0) }
    }

    /// Returns which of the applications that a report asks for are unknown, with the nearest that is there.
    ///
    /// - Throws: `CommandFailure` if the report is empty.
    mutating func faults(of report: Report, _ tally: Tally) throws -> [CommandFailure] {
        if report.summary.watched == 0 { throw CommandFailure.notFound(absence(of: report)) }
        if tally.unmatched.isEmpty {
            if !report.isEmpty { return [] }
            let state = report.grouping == .application ? "open" : "active"
            throw CommandFailure.notFound("no such application was \(state) then")
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
        let keys = "'journal = true'" + (report.grouping == .title ? " and 'titles = true'" : "")
        return
            "there is no journal yet: \(isOn ? "" : "\(advice(keys)); ")'xphase run' keeps one in \(files.path)"
    }

    /// Returns how to get a better report by title; nil for other reports.
    func advice(on report: Report, namesApplications: Bool) -> String? {
        if report.grouping != .title { return nil }
        if report.rows.allSatisfy(\.title.isEmpty) {
            return "the journal keeps no titles: \(advice("'titles = true'"))"
        }
        return namesApplications
            ? nil : "these are titles of all applications: name one, as in 'xphase report firefox --by title'"
    }

    /// Returns how to set keys of the configuration.
    private func advice(_ keys: String) -> String {
        "write \(keys) above the first [[hook]] of \(locations.configurations[0])"
    }
}
