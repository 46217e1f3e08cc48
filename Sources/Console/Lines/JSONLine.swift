import PhaseWatch
import System

/// One event as a JSON object. Readers may rely on the order of its keys.
public enum JSONLine {
    /// Returns the line of an event, which need not come from a watcher.
    public static func bytes(of event: Event, sequence: Int?, time: Timestamp) -> [UInt8] {
        var buffer = ByteBuffer()
        var clock = UTCText()
        append(event, sequence: sequence, time: time, &clock, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    /// Appends the line of an event.
    public static func append(
        _ event: Event, sequence: Int?, time: Timestamp, _ clock: inout UTCText, to line: inout ByteBuffer
    ) {
        line.append("{\"v\":1,\"seq\":")
        line.append(json: sequence)
        appendRest(event, time: time, &clock, to: &line)
        line.append("\n")
    }

    /// Appends the part after the sequence number, up to the end of the object. It is the same for every reader.
    public static func appendRest(
        _ event: Event, time: Timestamp, _ clock: inout UTCText, to line: inout ByteBuffer
    ) {
        line.append(",\"time\":\"")
        clock.append(time, to: &line)
        line.append("\",\"kind\":\"")
        switch event {
        case .notice(let notice):
            line.append("notice\",\"notice\":")
            line.append(json: notice.name)
            line.append(",\"text\":")
            line.append(json: notice.text)
            if case .session(let change) = notice {
                line.append(",\"cause\":")
                line.append(json: change.cause?.rawValue)
            }
        case .change(let change): append(change, to: &line)
        }
        line.append("}")
    }

    private static func append(_ change: Change, to line: inout ByteBuffer) {
        switch change.level {
        case .scene: line.append("scene\",\"change\":\"")
        case .group: line.append("group\",\"change\":\"")
        case .application: line.append("application\",\"change\":\"")
        }
        switch change.kind {
        case .initial: line.append("initial\",\"application\":")
        case .opened: line.append("opened\",\"application\":")
        case .phase: line.append("phase\",\"application\":")
        case .closed: line.append("closed\",\"application\":")
        case .title: line.append("title\",\"application\":")
        case .facts: line.append("facts\",\"application\":")
        }
        line.append(json: change.application)
        if let group = change.group {
            line.append(",\"group\":")
            line.append(json: group)
        }
        if case .scene(let scene) = change.subject {
            line.append(",\"scene\":\"0x")
            line.append(hexadecimal: scene.id.xid)
            line.append("\"")
        }
        switch change.from {
        case .active: line.append(",\"from\":\"active\",\"to\":")
        case .inactive: line.append(",\"from\":\"inactive\",\"to\":")
        case .background: line.append(",\"from\":\"background\",\"to\":")
        case nil: line.append(",\"from\":null,\"to\":")
        }
        switch change.to {
        case .active: line.append("\"active\",\"cause\":\"")
        case .inactive: line.append("\"inactive\",\"cause\":\"")
        case .background: line.append("\"background\",\"cause\":\"")
        case nil: line.append("null,\"cause\":\"")
        }
        line.append(text: change.cause.rawValue)
        line.append("\",\"held\":")
        if let held = change.held { line.append(seconds: held.milliseconds) } else { line.append("null") }
        switch change.subject {
        case .scene(let scene): append(scene, to: &line)
        case .group(let members), .application(let members):
            let counts = members.counts
            line.append(",\"scenes\":{\"active\":")
            line.append(decimal: counts.active)
            line.append(",\"inactive\":")
            line.append(decimal: counts.inactive)
            line.append(",\"background\":")
            line.append(decimal: counts.background)
            line.append("},\"pids\":[")
            for (index, pid) in members.pids.enumerated() {
                if index > 0 { line.append(",") }
                line.append(decimal: Int(pid))
            }
            line.append("]")
        }
    }

    private static func append(_ scene: Change.SceneFacts, to line: inout ByteBuffer) {
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
