import Console
import PhaseWatch

/// A picture of a report of several days: one row per day, with a bar of the active time of each application and, below
/// it, a thin line of the active hours. Rows are weeks or months if there are too many days.
public struct DaysSVG {
    private static let nameWidth = 110
    private static let barWidth = 900
    private static let totalWidth = 110
    private static let rowHeight = 34
    private static let barHeight = 18
    /// The number of names per line of the legend.
    private static let legendColumns = 5
    private static let mostDays = 35
    private static let mostWeeks = 60

    /// The days of a row.
    private struct Band {
        var name: String
        var days: [Int]
    }

    private let report: Report
    private let bands: [Band]
    /// The most active rows, each with its own colour.
    private let shown: ArraySlice<Report.Row>
    private let others: ArraySlice<Report.Row>

    /// - Parameter report: A report with the times of each day.
    public init(_ report: Report) {
        self.report = report
        let active = report.rows.prefix { $0.times.active > 0 }
        shown = active.prefix(SVGPage.colours.count)
        others = active.dropFirst(shown.count)
        bands = Self.bands(report.days)
    }

    /// Returns the rows, beginning with the first day of use. Before that day, there was no journal or no user.
    private static func bands(_ days: [Report.Day]) -> [Band] {
        var bands: [Band] = []
        let first = days.firstIndex { !$0.used.isEmpty } ?? 0
        for (index, day) in days.enumerated().dropFirst(first) {
            let time = LocalTime(day.start)
            let name =
                days.count - first <= mostDays
                ? time.dayName
                : days.count - first <= 7 * mostWeeks
                    ? "from \(time.week.dayName.split(separator: " ").dropFirst().joined(separator: " "))"
                    : "\(time.monthName) \(time.year)"
            if bands.last?.name == name {
                bands[bands.count - 1].days.append(index)
            } else {
                bands.append(Band(name: name, days: [index]))
            }
        }
        return bands
    }

    private var legendHeight: Int {
        let count = shown.count + (others.isEmpty ? 0 : 1)
        return (count + Self.legendColumns - 1) / Self.legendColumns * 20
    }
    private var top: Int { 64 + legendHeight }
    private var bottom: Int { top + max(1, bands.count) * Self.rowHeight }
    /// Whether rows are days, with a line of hours.
    private var hasHours: Bool { bands.allSatisfy { $0.days.count == 1 } && bands.count <= Self.mostDays }

    /// The contents of the file.
    public var text: String {
        let page = SVGPage(
            width: Self.nameWidth + Self.barWidth + Self.totalWidth, height: bottom + 28,
            caption: report.period)
        let most = Self.scale(bands.map { active(shown, $0) + active(others, $0) }.max() ?? 0)
        let rows = bands.enumerated().flatMap { row($1, y: top + $0 * Self.rowHeight, most) }
        return page.text((legend + durations(most) + clock + rows).joined(separator: "\n"))
    }

    /// Returns the time of the full bar width: at least the longest bar, and divisible into four round parts.
    private static func scale(_ longest: Int64) -> Int64 {
        let minutes: [Int64] = [4, 8, 12, 20, 40, 60, 120, 180, 240, 360, 480, 720, 960, 1440]
        let needed = (longest + 59_999) / 60_000
        return (minutes.first { $0 >= needed } ?? (needed + 239) / 240 * 240) * 60_000
    }

    /// Returns the axis of the bars.
    private func durations(_ most: Int64) -> [String] {
        (1...4).map { part in
            let time = TimeText.spoken(.milliseconds(most * Int64(part) / 4))
            return SVGPage.text(
                "soft", time, x: Self.nameWidth + part * Self.barWidth / 4, y: top - 8, anchor: "middle")
        }
    }

    private func active(_ rows: ArraySlice<Report.Row>, _ band: Band) -> Int64 {
        rows.reduce(0) { sum, row in band.days.reduce(sum) { $0 + row.days[$1].active } }
    }

    private var legend: [String] {
        let names = shown.map { report.name($0) } + (others.isEmpty ? [] : ["\(others.count) more"])
        return names.enumerated().flatMap { index, name in
            let x = Self.nameWidth + index % Self.legendColumns * (Self.barWidth / Self.legendColumns)
            let y = 40 + index / Self.legendColumns * 20
            return [
                SVGPage.rectangle(style(index), x: x, y: y, width: 14, height: 12),
                SVGPage.text("name ink", name.fitted(toColumns: 20), x: x + 20, y: y + 10, tooltip: name),
            ]
        }
    }

    private func style(_ index: Int) -> String { index < shown.count ? "p\(index)" : "b" }

    /// The axis of the thin lines.
    private var clock: [String] {
        guard hasHours else { return [] }
        let note = SVGPage.text("soft", "thin: hours", x: 6, y: bottom + 18)
        return [note]
            + [0, 6, 12, 18, 24].map { hour in
                let x = Self.nameWidth + hour * Self.barWidth / 24
                return "<path class=\"line\" d=\"M\(x).5 \(top - 4)V\(bottom)\"/>"
                    + SVGPage.text("soft", "\(hour):00", x: x, y: bottom + 18, anchor: "middle")
            }
    }

    private func row(_ band: Band, y: Int, _ most: Int64) -> [String] {
        let end = y + Self.barHeight - 4
        var parts = [SVGPage.text("name ink", band.name, x: 6, y: end)]
        var (sum, names) = (Int64(0), shown.map { report.name($0) })
        var times = shown.map { active([$0], band) }
        if !others.isEmpty {
            names.append("\(others.count) more")
            times.append(active(others, band))
        }
        for (index, (name, time)) in zip(names, times).enumerated() where time > 0 {
            let start = position(sum, of: most)
            sum += time
            // A gap of one pixel separates two bars.
            let width = max(1, position(sum, of: most) - start - 1)
            let spoken = TimeText.spoken(.milliseconds(time))
            parts.append(
                SVGPage.rectangle(
                    style(index), x: Self.nameWidth + start, y: y, width: width, height: Self.barHeight,
                    tooltip: "\(name), \(band.name): \(spoken)"))
            // Characters of the font are at most 7 pixels wide.
            if name.columnCount * 7 + 8 <= width {
                let style = index < shown.count ? "label" : "label more"
                parts.append(SVGPage.text(style, name, x: Self.nameWidth + start + 5, y: y + 13))
            }
        }
        let total = sum == 0 ? "-" : TimeText.spoken(.milliseconds(sum))
        parts.append(SVGPage.text("ink", total, x: Self.nameWidth + Self.barWidth + 10, y: end))
        if hasHours { parts += hours(report.days[band.days[0]].used, y: y + Self.barHeight + 3) }
        return parts
    }

    private func position(_ time: Int64, of most: Int64) -> Int {
        Int(min(time, most) * Int64(Self.barWidth) / most)
    }

    private func hours(_ used: Set<Int>, y: Int) -> [String] {
        func x(_ part: Int) -> Int { Self.nameWidth + part * Self.barWidth / Tally.partCount }
        let all = 0..<Tally.partCount
        return RangeSet(used, within: all).ranges.map { part in
            SVGPage.rectangle(
                "a", x: x(part.lowerBound), y: y, width: x(part.upperBound) - x(part.lowerBound), height: 3)
        }
    }
}
