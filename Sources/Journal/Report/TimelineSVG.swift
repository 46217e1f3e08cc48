import Console
import PhaseWatch

/// A report as a picture: one row an application, phases by colour and by height, so that it can be read in print, too.
public struct TimelineSVG {
    private static let nameWidth = 170
    private static let totalWidth = 200
    private static let rowHeight = 26
    private static let barHeight = 20
    private static let top = 58
    /// Of a font whose characters are all 0.6 times as wide as high: what has so many ends before the bars.
    private static let nameColumns = 22

    /// In the tooltip of what has no room.
    private static let mostNames = 40

    private let report: Report
    private let timeline: Timeline

    public init(_ report: Report, _ timeline: Timeline) {
        (self.report, self.timeline) = (report, timeline)
    }

    private var rows: ArraySlice<Report.Row> { report.rows.prefix(timeline.rows.count) }
    private var width: Int { Self.nameWidth + Timeline.columnCount + Self.totalWidth }
    private var bottom: Int { rowTop(max(1, rows.count + (left.isEmpty ? 0 : 1))) }
    /// What has no room.
    private var left: ArraySlice<Report.Row> { report.rows.dropFirst(rows.count) }

    private func rowTop(_ row: Int) -> Int { Self.top + row * Self.rowHeight }
    private var height: Int { bottom + 28 }

    /// The whole file.
    public var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
        font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" role="img" aria-label="\(Self.escaped(caption))">
        <title>\(Self.escaped(caption))</title>
        <style>
        .name{font-family:"DejaVu Sans Mono",monospace;font-size:12px}
        .page{fill:#fff}.ink{fill:#1b1b1b}.soft{fill:#595959}.line{stroke:#d0d0d0}
        .a{fill:#0072b2}.i{fill:#e69f00}.b{fill:#9a9a9a}
        @media (prefers-color-scheme: dark){
        .page{fill:#14171a}.ink{fill:#f0f0f0}.soft{fill:#b0b0b0}.line{stroke:#3a3f44}
        .a{fill:#56b4e9}.i{fill:#f0b429}.b{fill:#7d858c}}
        </style>
        <rect class="page" width="\(width)" height="\(height)"/>
        <text class="ink" x="10" y="24" font-size="15" font-weight="bold">\(Self.escaped(caption))</text>
        \(legend)
        \(axis)
        \(rows.isEmpty ? "<text class=\"soft\" x=\"\(Self.nameWidth)\" y=\"\(Self.top + 18)\">nothing</text>" : bars)
        \(left.isEmpty ? "" : more)
        </svg>

        """
    }

    private var caption: String {
        let (from, to) = (LocalTime(report.window.lowerBound), LocalTime(report.window.upperBound))
        return "\(from.date) \(from.clock) to \(from.date == to.date ? "" : to.date + " ")\(to.clock)"
    }

    private var legend: String {
        ScenePhase.allCases.reversed().enumerated().map { index, phase in
            let (x, height) = (width - 330 + 100 * index, phase.barHeight)
            return "<rect class=\"\(phase.style)\" x=\"\(x)\" y=\"\(28 - height)\" width=\"14\""
                + " height=\"\(height)\"/><text class=\"ink\" x=\"\(x + 20)\" y=\"24\">\(phase.rawValue)</text>"
        }.joined()
    }

    /// Hours, or days where the hours would be too many.
    private var axis: String {
        let length = max(1, timeline.window.upperBound - timeline.window.lowerBound)
        return Ticks.of(timeline.window).map { time, name in
            let part = Double(time - timeline.window.lowerBound) / Double(length)
            let x = Self.nameWidth + Int(part * Double(Timeline.columnCount))
            return "<path class=\"line\" d=\"M\(x).5 \(Self.top - 6)V\(bottom)\"/>"
                + "<text class=\"soft\" x=\"\(x)\" y=\"\(bottom + 18)\" text-anchor=\"middle\">\(name)</text>"
        }.joined()
    }

    private var bars: String {
        zip(rows, timeline.rows).enumerated().map { index, row in
            let (y, name) = (rowTop(index), report.name(row.0))
            let shown = report.name(row.0, columns: Self.nameColumns)
            let stretches = row.1.map { stretch in bar(stretch, name, y: y) }
            return ([label(shown, tooltip: name, "ink", y)] + stretches + [total(row.0.times, y)])
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private var more: String {
        var times = PhaseTimes()
        for row in left { for phase in ScenePhase.allCases { times[phase] += row.times[phase] } }
        let names =
            left.prefix(Self.mostNames).map { report.name($0) } + (left.count > Self.mostNames ? ["…"] : [])
        let tooltip = names.joined(separator: ", ")
        return label("and \(left.count) more", tooltip: tooltip, "soft", rowTop(rows.count)) + "\n"
            + total(times, rowTop(rows.count))
    }

    private func label(_ text: String, tooltip: String, _ style: String, _ y: Int) -> String {
        "<text class=\"name \(style)\" x=\"6\" y=\"\(y + 15)\">\(Self.escaped(text))"
            + "<title>\(Self.escaped(tooltip))</title></text>"
    }

    private func total(_ times: PhaseTimes, _ y: Int) -> String {
        "<text class=\"ink\" x=\"\(Self.nameWidth + Timeline.columnCount + 10)\" y=\"\(y + 15)\">"
            + (times.active == 0 ? "-" : TimeText.short(.milliseconds(times.active)))
            + "<tspan class=\"soft\"> of \(TimeText.short(.milliseconds(times.all)))</tspan></text>"
    }

    private func bar(_ stretch: Timeline.Stretch, _ name: String, y: Int) -> String {
        let (start, end) = (moment(stretch.columns.lowerBound), moment(stretch.columns.upperBound))
        let height = stretch.phase.barHeight
        let what = stretch.title.map { "\($0) — " } ?? ""
        return "<rect class=\"\(stretch.phase.style)\" x=\"\(Self.nameWidth + stretch.columns.lowerBound)\" "
            + "y=\"\(y + Self.barHeight - height)\" width=\"\(stretch.columns.count)\" height=\"\(height)\">"
            + "<title>\(Self.escaped("\(what)\(name), \(stretch.phase.rawValue), \(start) to \(end)"))</title></rect>"
    }

    private func moment(_ column: Int) -> String {
        let length = timeline.window.upperBound - timeline.window.lowerBound
        let time = LocalTime(
            timeline.window.lowerBound + length * Int64(column) / Int64(Timeline.columnCount))
        let isOneDay =
            LocalTime(timeline.window.lowerBound).date == LocalTime(timeline.window.upperBound - 1).date
        return isOneDay ? time.clock : "\(time.date) \(time.clock)"
    }

    /// Names and titles come from windows: nothing of them may be markup, or no character of XML.
    private static func escaped(_ text: String) -> String {
        text.escapedForTerminal.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
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

/// The marks of an axis of time.
enum Ticks {
    private static let most = 13
    private static let minute: Int64 = 60_000

    static func of(_ window: Range<Int64>) -> [(time: Int64, name: String)] {
        let length = window.upperBound - window.lowerBound
        // Marks are so many minutes apart, or so many days where that is nil.
        let minutes = [5, 15, 30, 60, 120, 180, 360, 720].first { length <= Int64($0 * most) * minute }
        let days = minutes == nil ? Int(length / (1440 * minute)) / most + 1 : 1
        var (ticks, day) = ([(time: Int64, name: String)](), LocalTime(window.lowerBound).day())
        while day.milliseconds < window.upperBound {
            for minute in stride(from: 0, to: 1440, by: minutes ?? 1440) {
                let tick = day.at(hour: minute / 60, minute: minute % 60)
                // An hour that summer time leaves out is the next one.
                let isNew = ticks.last.map { $0.time < tick.milliseconds } ?? true
                guard isNew, window.contains(tick.milliseconds) else { continue }
                let name = minutes == nil ? String(tick.date.dropFirst(5)) : tick.clock
                ticks.append((tick.milliseconds, name))
            }
            day = day.day(days)
        }
        return ticks
    }
}
