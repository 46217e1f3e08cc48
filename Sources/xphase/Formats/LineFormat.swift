import Console
import PhaseWatch
import System

/// The format of lines, one for each event.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// Returns whether an element of a batch becomes a line. A template may have no field of a notice.
    func hasPlace(for delta: Delta) -> Bool {
        guard case .template(let template) = self, delta.level == nil else { return true }
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

    /// Appends the line of an element, with its newline. Only text and templates need the event itself.
    func append(
        _ delta: Delta, of batch: ChangeBatch, sequence: Int, time: Timestamp, _ clock: inout UTCText,
        to buffer: inout ByteBuffer
    ) {
        switch self {
        case .json: JSONLine.append(delta, of: batch, sequence: sequence, time: time, &clock, to: &buffer)
        case .text(let format): buffer.append(text: format.line(for: batch.event(delta), time: time))
        case .template(let template):
            buffer.append(text: template.line(for: batch.event(delta), sequence: sequence, time: time))
        }
    }
}
