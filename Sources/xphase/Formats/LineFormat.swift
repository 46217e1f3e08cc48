import Console
import PhaseWatch
import System

/// The format of lines, one for each event.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// Returns whether an event becomes a line. A template may have no field of a notice.
    func hasPlace(for event: Event) -> Bool {
        guard case .template(let template) = self, event.change == nil else { return true }
        return template.mentions(.notice) || template.mentions(.text)
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

    /// Appends the line of an event, with its newline.
    func append(_ event: Event, sequence: Int, time: Timestamp, to bytes: inout [UInt8]) {
        switch self {
        case .json: bytes.append(json: event, sequence: sequence, time: time)
        case .text(let format): bytes.append(format.line(for: event, time: time))
        case .template(let template):
            bytes.append(template.line(for: event, sequence: sequence, time: time))
        }
        bytes.append("\n")
    }

    /// Returns the line of an event, with its newline.
    func line(_ event: Event, sequence: Int, time: Timestamp) -> [UInt8] {
        var line: [UInt8] = []
        append(event, sequence: sequence, time: time, to: &line)
        return line
    }
}
