import Console
import PhaseWatch

/// The frame of all pictures: a page with a caption, in the colours of the reader's scheme, without scripts.
struct SVGPage {
    var width: Int
    var height: Int
    var caption: String

    /// Returns the contents of the file.
    ///
    /// - Parameter body: The contents of the page below its caption, as SVG.
    func text(_ body: String) -> String {
        let caption = Self.escaped(caption)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" role="img" aria-label="\(caption)">
            <title>\(caption)</title>
            <style>
            .name{font-family:"DejaVu Sans Mono",monospace;font-size:12px}
            .page{fill:#fff}.ink{fill:#1b1b1b}.soft{fill:#595959}.line{stroke:#d8d8d8}
            .a{fill:#0072b2}.i{fill:#9cc8e3}.b{fill:#c4c4c4}
            @media (prefers-color-scheme: dark){
            .page{fill:#14171a}.ink{fill:#f0f0f0}.soft{fill:#b0b0b0}.line{stroke:#363b40}
            .a{fill:#56b4e9}.i{fill:#2f5f80}.b{fill:#565d64}}
            </style>
            <rect class="page" width="\(width)" height="\(height)"/>
            <text class="ink" x="10" y="24" font-size="15" font-weight="bold">\(caption)</text>
            \(body)
            </svg>

            """
    }

    /// Escapes text for XML. Names and titles come from windows: they may contain markup, or characters that XML
    /// forbids.
    static func escaped(_ text: String) -> String {
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

    static func rectangle(_ style: String, x: Int, y: Int, width: Int, height: Int, tooltip: String? = nil)
        -> String
    {
        let start = "<rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\""
        return tooltip.map { "\(start)><title>\(escaped($0))</title></rect>" } ?? start + "/>"
    }

    /// - Parameter anchor: The part of the text that is at `x`: `start`, `middle` or `end`.
    static func text(
        _ style: String, _ text: String, x: Int, y: Int, anchor: String = "start", tooltip: String? = nil
    )
        -> String
    {
        let tip = tooltip.map { "<title>\(escaped($0))</title>" } ?? ""
        let place = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
        return "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\"\(place)>\(escaped(text))\(tip)</text>"
    }
}

extension Report {
    /// `Sun 22 Nov 2026, 00:00 to 14:05`, or only the days.
    var period: String {
        let (from, last) = (LocalTime(window.lowerBound), LocalTime(window.upperBound - 1))
        if from.date == last.date {
            return "\(from.dayName) \(from.year), \(from.clock) to \(LocalTime(window.upperBound).clock)"
        }
        return "\(from.dayName) \(from.year) to \(last.dayName) \(last.year)"
    }
}
