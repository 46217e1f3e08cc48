import Console
import PhaseWatch

/// A picture of a report in the colours of the reader's scheme, without scripts: one line per row, with its phases over
/// the hours of a day, or with a bar of its active time. Phases differ in colour and in height, so it can be read in
/// print, too.
///
/// Lengths are half pixels: the picture fits the width of a page without being scaled, and a column of the timeline has
/// one unit.
public struct ReportSVG {
    private static let margin = 12
    private static let nameWidth = 310
    private static let totalX = nameWidth + Timeline.columnCount + 18
    private static let width = totalX + 352
    /// The baseline of the legend and of the heading above the totals.
    private static let legendY = 130
    private static let top = 164
    private static let rowHeight = 44
    private static let barHeight = 34
    /// All characters of the font are 0.6 times as wide as high: a name of this many columns ends before the bars.
    private static let nameColumns = 20
    private static let mostDays = 366
    /// The maximum number of names in the tooltip of the rows that do not fit.
    private static let mostNames = 40

    private let report: Report
    private let timeline: Timeline?
    private let rows: ArraySlice<Report.Row>
    /// The rows that do not fit.
    private let left: ArraySlice<Report.Row>

    /// - Parameters:
    ///   - report: The report.
    ///   - timeline: nil for bars.
    public init(_ report: Report, _ timeline: Timeline?) {
        (self.report, self.timeline) = (report, timeline)
        let most =
            switch report.grouping {
            case .day: Self.mostDays
            case .application, .title, .visit: Timeline.mostRows
            }
        rows = report.rows.prefix(most)
        left = report.rows.dropFirst(rows.count)
    }

    /// The contents of the file.
    public var text: String {
        let (caption, width, height) = (Self.escaped(report.period), Self.width, bottom + 48)
        let watched = text("soft", report.summary.times.joined(separator: ", "), x: Self.margin, y: 80)
        let nothing = text("soft", "nothing", x: Self.nameWidth, y: Self.top + 26)
        let body =
            [watched] + legend + axis + (rows.isEmpty ? [nothing] : rows.enumerated().flatMap(bars)) + more
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width / 2)" height="\(height / 2)" \
            font-family="DejaVu Sans, Verdana, sans-serif" font-size="25" role="img" aria-label="\(caption)">
            <title>\(caption)</title>
            <style>
            .name{font-family:"DejaVu Sans Mono",monospace;font-size:24px}
            .tick{text-anchor:middle}
            .page{fill:#fff}.ink{fill:#1b1b1b}.soft{fill:#595959}.line{stroke:#d8d8d8;stroke-width:2}
            .a{fill:#0072b2}.i{fill:#7fb8dc}.b{fill:#999}
            @media (prefers-color-scheme: dark){
            .page{fill:#14171a}.ink{fill:#f0f0f0}.soft{fill:#b0b0b0}.line{stroke:#363b40}
            .a{fill:#56b4e9}.i{fill:#3a6f94}.b{fill:#6b737b}}
            </style>
            <rect class="page" width="\(width)" height="\(height)"/>
            <text class="ink" x="\(Self.margin)" y="42" font-size="30" font-weight="bold">\(caption)</text>
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    private func rowTop(_ row: Int) -> Int { Self.top + row * Self.rowHeight }
    private var bottom: Int { rowTop(max(1, rows.count + (left.isEmpty ? 0 : 1))) }

    private var legend: [String] {
        let phases = timeline == nil ? [.active] : report.phases
        let words = phases.enumerated().flatMap { index, phase in
            let x = Self.margin + 176 * index
            return [
                rectangle(phase, x: x, bottom: Self.legendY + 2, width: 28),
                text("ink", phase.rawValue, x: x + 38, y: Self.legendY),
            ]
        }
        let gap = text("soft", "gap: closed, locked, off, away or asleep", x: 600, y: Self.legendY)
        return words + (timeline == nil ? [] : [gap])
            + [total(report.grouping.headings[0], of: "time open", Self.legendY)]
    }

    private var axis: [String] {
        guard let window = timeline?.window else { return [] }
        return Self.ticks(window).flatMap { time in
            let part = Double(time - window.lowerBound) / Double(window.length)
            let x = Self.nameWidth + Int(part * Double(Timeline.columnCount))
            return [
                "<path class=\"line\" d=\"M\(x) \(Self.top - 8)V\(bottom)\"/>",
                text("soft tick", LocalTime(time).clock, x: x, y: bottom + 32),
            ]
        }
    }

    /// Returns the marks of an axis, at round distances from the start of the day.
    static func ticks(_ window: Range<Int64>) -> [Int64] {
        let steps = [1, 5, 15, 30, 60, 120].map { Int64($0) * 60_000 }
        let step = steps.first { window.length <= $0 * 10 } ?? 180 * 60_000
        let midnight = LocalTime(window.lowerBound).day().milliseconds
        return stride(from: midnight, to: window.upperBound, by: Int64.Stride(step)).filter(window.contains)
    }

    private func bars(_ index: Int, _ row: Report.Row) -> [String] {
        let (y, name) = (rowTop(index), report.name(row))
        let most = max(1, rows.map(\.active).max() ?? 1)
        let length = Int(row.active * Int64(Timeline.columnCount) / most)
        let stretches = timeline?.rows[index] ?? [.init(columns: 0..<length, phase: .active)]
        let bars = stretches.map { stretch in
            rectangle(
                stretch.phase, x: Self.nameWidth + stretch.columns.lowerBound, bottom: y + Self.barHeight,
                width: stretch.columns.count, timeline.map { tooltip(stretch, name, $0.window) } ?? name)
        }
        let shown = report.name(row, columns: Self.nameColumns)
        return [text("name ink", shown, x: Self.margin, y: y + 26, name)] + bars
            + total(row.active, of: row.all, y)
    }

    private var more: [String] {
        if left.isEmpty { return [] }
        let names = left.prefix(Self.mostNames).map { report.name($0) }
        let tooltip = (names + (left.count > names.count ? ["…"] : [])).joined(separator: ", ")
        let y = rowTop(rows.count)
        func sum(_ time: (Report.Row) -> Int64) -> Int64 { left.reduce(0) { $0 + time($1) } }
        return [text("name soft", "and \(left.count) more", x: Self.margin, y: y + 26, tooltip)]
            + total(sum(\.active), of: sum(\.all), y)
    }

    private func total(_ active: Int64, of all: Int64, _ y: Int) -> [String] {
        all == 0 ? [] : [total(TimeText.spoken(active), of: TimeText.spoken(all), y + 26)]
    }

    private func total(_ active: String, of all: String, _ y: Int) -> String {
        // librsvg drops a leading space in a tspan.
        "<text class=\"ink\" x=\"\(Self.totalX)\" y=\"\(y)\">\(Self.escaped(active))"
            + (report.phases.count > 1
                ? " <tspan class=\"soft\">of \(Self.escaped(all))</tspan></text>" : "</text>")
    }

    private func tooltip(_ stretch: Timeline.Stretch, _ name: String, _ window: Range<Int64>) -> String {
        func clock(_ column: Int) -> String {
            LocalTime(window.lowerBound + window.length * Int64(column) / Int64(Timeline.columnCount)).clock
        }
        let (start, end) = (clock(stretch.columns.lowerBound), clock(stretch.columns.upperBound))
        let what = stretch.title.map { "\($0) — " } ?? ""
        return "\(what)\(name), \(stretch.phase.rawValue), \(start) to \(end)"
    }

    private func rectangle(_ phase: ScenePhase, x: Int, bottom: Int, width: Int, _ tooltip: String? = nil)
        -> String
    {
        let height =
            switch phase {
            case .background: 8
            case .inactive: 20
            case .active: Self.barHeight
            }
        return "<rect class=\"\(phase.rawValue.prefix(1))\" x=\"\(x)\" y=\"\(bottom - height)\" "
            + "width=\"\(width)\" height=\"\(height)\">\(title(tooltip))</rect>"
    }

    private func text(_ style: String, _ text: String, x: Int, y: Int, _ tooltip: String? = nil) -> String {
        "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(Self.escaped(text))\(title(tooltip))</text>"
    }

    private func title(_ tooltip: String?) -> String {
        tooltip.map { "<title>\(Self.escaped($0))</title>" } ?? ""
    }

    /// Escapes text for XML. Names and titles come from windows: they may contain markup, or characters that XML
    /// forbids.
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
