import Console
import PhaseWatch

/// A picture of a report: one line per row, with its phases over the hours of a day, or with a bar of its active time.
/// Phases differ in colour and in height, so it can be read in print, too.
public struct ReportSVG {
    private static let nameWidth = 170
    private static let totalWidth = 200
    private static let rowHeight = 26
    private static let barHeight = 20
    private static let top = 58
    /// All characters of the font are 0.6 times as wide as high: a name of this many columns ends before the bars.
    private static let nameColumns = 22

    private static let mostDays = 366
    /// The maximum number of names in the tooltip of the rows that do not fit.
    private static let mostNames = 40

    private let report: Report
    private let timeline: Timeline?
    private let rows: ArraySlice<Report.Row>
    /// The rows that do not fit.
    private let left: ArraySlice<Report.Row>

    /// - Parameter timeline: nil for bars.
    public init(_ report: Report, _ timeline: Timeline?) {
        (self.report, self.timeline) = (report, timeline)
        rows = report.rows.prefix(report.grouping == .day ? Self.mostDays : Timeline.mostRows)
        left = report.rows.dropFirst(rows.count)
    }

    private var width: Int { Self.nameWidth + Timeline.columnCount + Self.totalWidth }
    private var bottom: Int { rowTop(max(1, rows.count + (left.isEmpty ? 0 : 1))) }

    private func rowTop(_ row: Int) -> Int { Self.top + row * Self.rowHeight }
    private var height: Int { bottom + 28 }

    /// The contents of the file.
    public var text: String {
        let nothing = SVGPage.text("soft", "nothing", x: Self.nameWidth, y: Self.top + 18)
        let body = [legend, axis, rows.isEmpty ? nothing : bars, left.isEmpty ? "" : more]
        return SVGPage(width: width, height: height, caption: report.period).text(
            body.joined(separator: "\n"))
    }

    private var legend: String {
        (timeline == nil ? [.active] : ScenePhase.allCases.reversed()).enumerated().map { index, phase in
            let (x, height) = (width - 330 + 100 * index, phase.barHeight)
            return SVGPage.rectangle(phase.style, x: x, y: 28 - height, width: 14, height: height)
                + SVGPage.text("ink", phase.rawValue, x: x + 20, y: 24)
        }.joined()
    }

    private var axis: String {
        guard let timeline else { return "" }
        let length = max(1, timeline.window.upperBound - timeline.window.lowerBound)
        return Ticks.of(timeline.window).map { time, name in
            let part = Double(time - timeline.window.lowerBound) / Double(length)
            let x = Self.nameWidth + Int(part * Double(Timeline.columnCount))
            return "<path class=\"line\" d=\"M\(x).5 \(Self.top - 6)V\(bottom)\"/>"
                + SVGPage.text("soft", name, x: x, y: bottom + 18, anchor: "middle")
        }.joined()
    }

    private var bars: String {
        let most = max(1, rows.map(\.times.active).max() ?? 1)
        return rows.enumerated().map { index, row in
            let (y, name) = (rowTop(index), report.name(row))
            let shown = report.name(row, columns: Self.nameColumns)
            let bars =
                timeline?.rows[index].map { bar($0.phase, $0.columns, tooltip($0, name), y: y) }
                ?? [bar(.active, 0..<Int(row.times.active * Int64(Timeline.columnCount) / most), name, y: y)]
            return ([label(shown, tooltip: name, "ink", y)] + bars + [total(row.times, y)])
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private var more: String {
        let times = left.reduce(into: PhaseTimes()) { $0 += $1.times }
        let names =
            left.prefix(Self.mostNames).map { report.name($0) } + (left.count > Self.mostNames ? ["…"] : [])
        let tooltip = names.joined(separator: ", ")
        return label("and \(left.count) more", tooltip: tooltip, "soft", rowTop(rows.count)) + "\n"
            + total(times, rowTop(rows.count))
    }

    private func label(_ text: String, tooltip: String, _ style: String, _ y: Int) -> String {
        SVGPage.text("name \(style)", text, x: 6, y: y + 15, tooltip: tooltip)
    }

    private func total(_ times: PhaseTimes, _ y: Int) -> String {
        if times.all == 0 { return "" }
        let active = times.active == 0 ? "-" : TimeText.spoken(.milliseconds(times.active))
        let all = TimeText.spoken(.milliseconds(times.all))
        let x = Self.nameWidth + Timeline.columnCount + 10
        // librsvg drops a leading space in a tspan.
        return "<text class=\"ink\" x=\"\(x)\" y=\"\(y + 15)\">\(SVGPage.escaped(active)) "
            + "<tspan class=\"soft\">of \(SVGPage.escaped(all))</tspan></text>"
    }

    private func bar(_ phase: ScenePhase, _ columns: Range<Int>, _ tooltip: String, y: Int) -> String {
        SVGPage.rectangle(
            phase.style, x: Self.nameWidth + columns.lowerBound, y: y + Self.barHeight - phase.barHeight,
            width: columns.count, height: phase.barHeight, tooltip: tooltip)
    }

    private func tooltip(_ stretch: Timeline.Stretch, _ name: String) -> String {
        let (start, end) = (moment(stretch.columns.lowerBound), moment(stretch.columns.upperBound))
        let what = stretch.title.map { "\($0) — " } ?? ""
        return "\(what)\(name), \(stretch.phase.rawValue), \(start) to \(end)"
    }

    private func moment(_ column: Int) -> String {
        let window = timeline?.window ?? report.window
        let length = window.upperBound - window.lowerBound
        return LocalTime(window.lowerBound + length * Int64(column) / Int64(Timeline.columnCount)).clock
    }
}

extension ScenePhase {
    fileprivate var style: String { String(rawValue.prefix(1)) }

    fileprivate var barHeight: Int {
        switch self {
        case .background: 5
        case .inactive: 12
        case .active: 20
        }
    }
}

/// The marks of an axis of hours.
enum Ticks {
    private static let most = 13

    static func of(_ window: Range<Int64>) -> [(time: Int64, name: String)] {
        let length = Int(window.upperBound - window.lowerBound) / 60_000
        let minutes = [1, 5, 15, 30, 60, 120].first { length <= $0 * most } ?? 180
        var (ticks, day) = ([(time: Int64, name: String)](), LocalTime(window.lowerBound).day())
        while day.milliseconds < window.upperBound {
            for minute in stride(from: 0, to: 1440, by: minutes) {
                let tick = day.at(hour: minute / 60, minute: minute % 60)
                // An hour that daylight saving time skips is the same as the next one.
                let isNew = ticks.last.map { $0.time < tick.milliseconds } ?? true
                guard isNew, window.contains(tick.milliseconds) else { continue }
                ticks.append((tick.milliseconds, tick.clock))
            }
            day = day.day(1)
        }
        return ticks
    }
}
