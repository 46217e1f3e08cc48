import PhaseWatch
import System

/// One event as a JSON object. Readers may rely on the order of its keys.
public enum JSONLine {
    /// Returns the line of an event, which need not come from a watcher.
    public static func bytes(of event: Event, sequence: Int?, time: Timestamp) -> [UInt8] {
        var buffer = ByteBuffer()
        var clock = UTCText()
        let batch: ChangeBatch = [event]
        for delta in batch.deltas {
            append(delta, of: batch, sequence: sequence, time: time, &clock, to: &buffer)
        }
        return buffer.withBytes { Array($0) }
    }

    /// Appends the line of an element of a batch.
    public static func append(
        _ delta: Delta, of batch: borrowing ChangeBatch, sequence: Int?, time: Timestamp,
        _ clock: inout UTCText,
        to line: inout ByteBuffer
    ) {
        line.append("{\"v\":1,\"seq\":")
        line.append(json: sequence)
        appendRest(delta, of: batch, time: time, &clock, to: &line)
        line.append("\n")
    }

    /// Appends the part after the sequence number, up to the end of the object. It is the same for every reader.
    @inline(__always)
    public static func appendRest(
        _ delta: Delta, of batch: borrowing ChangeBatch, time: Timestamp, _ clock: inout UTCText,
        to line: inout ByteBuffer
    ) {
        line.append(",\"time\":\"")
        clock.append(time, to: &line)
        line.append("\",\"kind\":\"")
        if let notice = batch.notice(delta) {
            line.append("notice\",\"notice\":")
            line.append(json: notice.name)
            line.append(",\"text\":")
            line.append(json: notice.text)
            if case .session(let change) = notice {
                line.append(",\"cause\":")
                line.append(json: change.cause?.rawValue)
            }
        } else {
            append(delta, of: batch, to: &line)
        }
        line.append("}")
    }

    private static func append(_ delta: Delta, of batch: borrowing ChangeBatch, to line: inout ByteBuffer) {
        switch delta.level {
        case .scene: line.append("scene\",\"change\":\"")
        case .group: line.append("group\",\"change\":\"")
        case .application, nil: line.append("application\",\"change\":\"")
        }
        switch delta.kind {
        case .initial: line.append("initial\",\"application\":")
        case .opened: line.append("opened\",\"application\":")
        case .phase: line.append("phase\",\"application\":")
        case .closed: line.append("closed\",\"application\":")
        case .title: line.append("title\",\"application\":")
        case .facts: line.append("facts\",\"application\":")
        }
        line.append(json: batch.application(of: delta))
        if delta.level != .application {
            line.append(",\"group\":")
            line.append(json: batch.group(of: delta))
        }
        if let scene = batch.sceneID(of: delta) {
            line.append(",\"scene\":\"0x")
            line.append(hexadecimal: scene.xid)
            line.append("\"")
        }
        switch delta.from {
        case .active: line.append(",\"from\":\"active\",\"to\":")
        case .inactive: line.append(",\"from\":\"inactive\",\"to\":")
        case .background: line.append(",\"from\":\"background\",\"to\":")
        case nil: line.append(",\"from\":null,\"to\":")
        }
        switch delta.to {
        case .active: line.append("\"active\",\"cause\":\"")
        case .inactive: line.append("\"inactive\",\"cause\":\"")
        case .background: line.append("\"background\",\"cause\":\"")
        case nil: line.append("null,\"cause\":\"")
        }
        line.append(text: delta.cause.rawValue)
        line.append("\",\"held\":")
        if let held = delta.heldMilliseconds { line.append(seconds: held) } else { line.append("null") }
        if delta.level == .scene {
            appendScene(delta, of: batch, to: &line)
        } else {
            let counts = batch.counts(of: delta)
            line.append(",\"scenes\":{\"active\":")
            line.append(decimal: counts.active)
            line.append(",\"inactive\":")
            line.append(decimal: counts.inactive)
            line.append(",\"background\":")
            line.append(decimal: counts.background)
            line.append("},\"pids\":[")
            for (index, pid) in batch.pids(of: delta).enumerated() {
                if index > 0 { line.append(",") }
                line.append(decimal: Int(pid))
            }
            line.append("]")
        }
    }

    /// Not inlined: the facts of a scene are large, and most lines are about applications.
    @inline(never)
    private static func appendScene(
        _ delta: Delta, of batch: borrowing ChangeBatch, to line: inout ByteBuffer
    ) {
        guard let scene = batch.scene(of: delta) else { return }
        line.append(",\"title\":")
        line.append(json: scene.title)
        line.append(",\"pid\":")
        line.append(json: scene.pid.map { Int($0) })
        line.append(",\"desktop\":")
        line.append(json: scene.desktop)
        line.append(",\"role\":")
        line.append(json: scene.role)
        line.append(",\"monitor\":")
        line.append(json: scene.monitor)
        line.append(",\"desktop_name\":")
        line.append(json: scene.desktopName)
        line.append(",\"extent\":")
        line.append(json: scene.extent?.rawValue)
    }
}

extension ByteBuffer {
    /// Appends a number or `null`.
    fileprivate mutating func append(json value: Int?) {
        if let value { append(decimal: value) } else { append("null") }
    }
}
