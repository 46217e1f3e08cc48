import Console
import Loop
import PhaseWatch

/// The format of lines, one for each event.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// Whether an event makes a line. A template may have no field of a notice.
    func hasPlace(for event: Event) -> Bool {
        guard case .template(let template) = self, case .notice = event else { return true }
        return template.mentions(.notice) || template.mentions(.text)
    }

    /// Whether lines of scenes contain titles.
    var usesTitles: Bool {
        guard case .template(let template) = self else { return true }
        return template.mentions(.title)
    }

    /// The line of an event, with its newline.
    func line(for event: Event, sequence: Int, time: Timestamp) -> [UInt8] {
        var buffer = ByteBuffer()
        append(event, sequence: sequence, time: time, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    /// Appends the line of an event, with its newline.
    func append(_ event: Event, sequence: Int, time: Timestamp, to buffer: inout ByteBuffer) {
        switch self {
        case .json: JSONLine.append(event, sequence: sequence, time: time, to: &buffer)
        case .text(let format): buffer.append(format.line(for: event, time: time))
        case .template(let template):
            buffer.append(template.line(for: event, sequence: sequence, time: time))
        }
    }
}
