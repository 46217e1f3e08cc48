import Console
import Loop
import PhaseWatch

/// How events are written, one line each.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// Whether there are words for an element of a batch; only templates may have none, for notices.
    func hasPlace(for delta: Delta) -> Bool {
        guard case .template(let template) = self, delta.level == nil else { return true }
        return template.mentions(.notice) || template.mentions(.text)
    }

    /// Whether lines about scenes say their titles.
    var usesTitles: Bool {
        guard case .template(let template) = self else { return true }
        return template.mentions(.title)
    }

    /// The line with its newline.
    func line(for event: Event, sequence: Int, time: Timestamp) -> [UInt8] {
        var buffer = ByteBuffer()
        append(event, sequence: sequence, time: time, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    /// Writes the line of an element behind what is there already.
    func append(
        _ delta: Delta, of batch: ChangeBatch, sequence: Int, time: Timestamp, to buffer: inout ByteBuffer
    ) {
        if case .json = self {
            JSONLine.append(delta, of: batch, sequence: sequence, time: time, to: &buffer)
        } else if let change = batch.change(delta) {
            append(.change(change), sequence: sequence, time: time, to: &buffer)
        } else if let notice = batch.notice(delta) {
            append(.notice(notice), sequence: sequence, time: time, to: &buffer)
        }
    }

    /// Writes the line behind what is there already.
    func append(_ event: Event, sequence: Int, time: Timestamp, to buffer: inout ByteBuffer) {
        switch self {
        case .json: JSONLine.append(event, sequence: sequence, time: time, to: &buffer)
        case .text(let format): buffer.append(format.line(for: event, time: time))
        case .template(let template):
            buffer.append(template.line(for: event, sequence: sequence, time: time))
        }
    }
}
