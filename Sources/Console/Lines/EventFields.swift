import PhaseWatch
import System

/// A field of the line of an event. The raw value is its key.
public enum EventField: String, CaseIterable {
    case v, seq, time, kind, change, application, group, scene, from, to, cause, held, title, pid, desktop
    case monitor, extent, role, scenes, pids, notice, text
    case desktopName = "desktop_name"
}

/// The value of a field.
public enum FieldValue {
    case text(String?)
    case number(Int?)
    case seconds(Duration?)
    case time(Timestamp)
    case counts(Change.Counts)
    case pids([Int32])
}

extension Event {
    /// Calls `add` with each field of the event, in the order of JSON. Readers may rely on that order.
    public func forEachField(sequence: Int?, time: Timestamp, _ add: (EventField, FieldValue) -> Void) {
        add(.v, .number(1))
        add(.seq, .number(sequence))
        add(.time, .time(time))
        switch self {
        case .notice(let notice):
            add(.kind, .text("notice"))
            add(.notice, .text(notice.name))
            add(.text, .text(notice.text))
            if case .session(let change) = notice { add(.cause, .text(change.cause?.rawValue)) }
        case .change(let change):
            add(.kind, .text(change.level.rawValue))
            add(.change, .text(change.kind.rawValue))
            add(.application, .text(change.application))
            if case .application = change.subject {} else { add(.group, .text(change.group)) }
            if case .scene(let facts) = change.subject { add(.scene, .text(facts.id.description)) }
            add(.from, .text(change.from?.rawValue))
            add(.to, .text(change.to?.rawValue))
            add(.cause, .text(change.cause.rawValue))
            add(.held, .seconds(change.held))
            switch change.subject {
            case .scene(let facts):
                add(.title, .text(facts.title))
                add(.pid, .number(facts.pid.map { Int($0) }))
                add(.desktop, .number(facts.desktop))
                add(.role, .text(facts.role))
                add(.monitor, .text(facts.monitor))
                add(.desktopName, .text(facts.desktopName))
                add(.extent, .text(facts.extent?.rawValue))
            case .group(let members), .application(let members):
                add(.scenes, .counts(members.counts))
                add(.pids, .pids(members.pids))
            }
        }
    }

    /// Returns the event as a JSON object.
    public func json(sequence: Int?, time: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        forEachField(sequence: sequence, time: time) { json.add($0.rawValue, $1) }
        return json.object()
    }
}

extension FieldValue {
    /// The value for `--format`; empty if there is none.
    public var text: String {
        switch self {
        case .text(let text): text ?? ""
        case .number(let number): number.map { String($0) } ?? ""
        case .seconds(let duration): duration.map(TimeText.seconds) ?? ""
        case .time(let time): TimeText.utc(time)
        case .counts(let counts): String(counts.all)
        case .pids(let pids): pids.map { String($0) }.joined(separator: ",")
        }
    }
}

extension [UInt8] {
    mutating func append(json value: FieldValue) {
        switch value {
        case .text(let text): append(json: text)
        case .number(let number?): append(decimal: number)
        case .seconds(let duration?): append(seconds: duration)
        case .number, .seconds: append("null")
        case .time(let time):
            append(UInt8(ascii: "\""))
            append(utc: time)
            append(UInt8(ascii: "\""))
        case .counts(let counts):
            append("{\"active\":")
            append(decimal: counts.active)
            append(",\"inactive\":")
            append(decimal: counts.inactive)
            append(",\"background\":")
            append(decimal: counts.background)
            append(UInt8(ascii: "}"))
        case .pids(let pids):
            append(json: pids) { $0.append(decimal: Int($1)) }
        }
    }
}
