import Loop
import PhaseWatch

/// One event as a JSON object, its keys in the order that readers may rely on.
public enum JSONLine {
    public static func bytes(of event: Event, sequence: Int?, time: Timestamp) -> [UInt8] {
        var buffer = ByteBuffer()
        append(event, sequence: sequence, time: time, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    /// Writes an element of a batch.
    public static func append(
        _ delta: Delta, of batch: ChangeBatch, sequence: Int?, time: Timestamp, to buffer: inout ByteBuffer
    ) {
        if let change = batch.change(delta) {
            append(.change(change), sequence: sequence, time: time, to: &buffer)
        } else if let notice = batch.notice(delta) {
            append(.notice(notice), sequence: sequence, time: time, to: &buffer)
        }
    }

    public static func append(_ event: Event, sequence: Int?, time: Timestamp, to buffer: inout ByteBuffer) {
        var json = JSONWriter(behind: buffer)
        json.add("v", 1)
        json.add("seq", sequence)
        json.add("time", utc: time)
        switch event {
        case .change(let change): add(change, to: &json)
        case .notice(let notice):
            json.add("kind", "notice")
            json.add("notice", notice.name)
            json.add("text", notice.text)
        }
        buffer = json.finish()
    }

    private static func add(_ change: Change, to json: inout JSONWriter) {
        json.add("kind", change.level.rawValue)
        json.add("change", change.kind.rawValue)
        json.add("application", change.application)
        if change.level != .application { json.add("group", change.group) }
        if case .scene(let facts) = change.subject { json.add("scene", facts.id) }
        json.add("from", change.from?.rawValue)
        json.add("to", change.to?.rawValue)
        json.add("cause", change.cause.rawValue)
        json.add("held", seconds: change.held)
        switch change.subject {
        case .scene(let facts):
            json.add("title", facts.title)
            json.add("pid", facts.pid.map { Int($0) })
            json.add("desktop", facts.desktop)
        case .group(let members), .application(let members):
            json.add("scenes", members.counts)
            json.add("pids", members.pids)
        }
    }
}
