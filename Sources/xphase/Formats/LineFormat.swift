import Console
import PhaseWatch
import System

/// The format of lines, one for each event.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// Returns whether an event becomes a line. A template may have no field of a notice, and for people, the last phase
    /// of an application and its end are one line.
    func hasPlace(for event: Event) -> Bool {
        switch (self, event) {
        case (.template(let template), .notice): template.mentions(.notice) || template.mentions(.text)
        case (.text, .change(let change)): !(change.kind == .closed && change.held == .zero)
        default: true
        }
    }

    /// The details that lines of scenes contain besides phases.
    var details: PhaseWatcher.Details {
        switch self {
        case .text: return .titles
        case .json: return [.titles, .places]
        case .template(let template):
            let places = template.mentions(.monitor) || template.mentions(.desktopName)
            return [template.mentions(.title) ? .titles : [], places ? .places : []]
        }
    }

    /// Returns the line of an event, with its newline.
    func line(_ event: Event, sequence: Int, time: Timestamp) -> [UInt8] {
        var line =
            switch self {
            case .json: event.json(sequence: sequence, time: time)
            case .text(let format): Array(format.line(for: event, time: time).utf8)
            case .template(let template):
                Array(template.line(for: event, sequence: sequence, time: time).utf8)
            }
        line.append("\n")
        return line
    }
}
