import PhaseWatch
import Scenes

/// How events are written, one line each.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// Whether there are words for an event; only templates may have none, for notices.
    func hasPlace(for event: Event) -> Bool {
        guard case .template(let template) = self, case .notice = event else { return true }
        return template.mentionsNotices
    }

    /// The line with its newline.
    func line(for event: Event, sequence: Int, time: Timestamp) -> [UInt8] {
        switch self {
        case .json: JSONLine.bytes(of: event, sequence: sequence, time: time)
        case .text(let format): Array(format.line(for: event, time: time).utf8)
        case .template(let template): Array(template.line(for: event, sequence: sequence, time: time).utf8)
        }
    }
}
