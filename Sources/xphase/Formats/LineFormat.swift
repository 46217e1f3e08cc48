import PhaseWatch
import Scenes

/// How events are written, one line each.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// The line with its newline; nil for an event that the format has no words for.
    func line(for event: Event, sequence: Int, time: Timestamp) -> [UInt8]? {
        switch self {
        case .json: JSONLine.bytes(of: event, sequence: sequence, time: time)
        case .text(let format): Array(format.line(for: event, time: time).utf8)
        case .template(let template): template.line(for: event, sequence: sequence, time: time)
        }
    }
}
