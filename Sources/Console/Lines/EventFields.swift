import PhaseWatch
import System

/// A field of the line of an event. The raw value is its key, for what reads such lines, too.
public enum EventField: String, CaseIterable, CodingKey {
    case v, seq, time, kind, change, application, group, scene, from, to, cause, held, title, pid, desktop
    case monitor, extent, role, scenes, pids, notice, text
    case desktopName = "desktop_name"
}

/// The value of a field.
public enum FieldValue {
    case text(String?)
    case number(Int?)
    case flag(Bool)
    case seconds(Duration?)
    case time(Timestamp?)
    case counts(Change.Counts)
    case list([FieldValue])
    case object([(key: String, value: FieldValue)])
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
                add(.pids, .list(members.pids.map { .number(Int($0)) }))
            }
        }
    }

    /// Returns the event as a JSON object.
    public func json(sequence: Int?, time: Timestamp) -> [UInt8] {
        // Without a list of the fields, which would cost as much as the line.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes.append(UInt8(ascii: "{"))
        forEachField(sequence: sequence, time: time) { bytes.append($0.rawValue, $1) }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension FieldValue {
    public static func texts(_ texts: [String]) -> Self { .list(texts.map { .text($0) }) }

    /// The value for `--format`; empty if there is none.
    public var text: String {
        switch self {
        case .text(let text): text ?? ""
        case .number(let number): number.map { String($0) } ?? ""
        case .flag(let isTrue): "\(isTrue)"
        case .seconds(let duration): duration.map(TimeText.seconds) ?? ""
        case .time(let time): time.map(TimeText.utc) ?? ""
        case .counts(let counts): String(counts.all)
        case .list(let values): values.map(\.text).joined(separator: ",")
        case .object(let fields): fields.map(\.value.text).joined(separator: ",")
        }
    }
}

/// JSON whose objects keep the order of their keys, unlike that of JSONEncoder.
extension [UInt8] {
    public init(json fields: [(key: String, value: FieldValue)]) {
        self = []
        reserveCapacity(512)
        append(json: .object(fields))
    }

    /// Creates an object and a newline.
    public init(jsonLine fields: [(key: String, value: FieldValue)]) {
        self.init(json: fields)
        append("\n")
    }

    private mutating func append(json value: FieldValue) {
        switch value {
        case .text(let text?): append(json: text)
        case .number(let number?): append(decimal: number)
        case .seconds(let duration?): append(seconds: duration)
        case .time(let time?):
            append("\"")
            append(utc: time)
            append("\"")
        case .text, .number, .seconds, .time: append("null")
        case .flag(let isTrue): append("\(isTrue)")
        case .counts(let counts):
            append(UInt8(ascii: "{"))
            append("active", .number(counts.active))
            append("inactive", .number(counts.inactive))
            append("background", .number(counts.background))
            append(UInt8(ascii: "}"))
        case .list(let values):
            append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: value)
            }
            append(UInt8(ascii: "]"))
        case .object(let fields):
            append(UInt8(ascii: "{"))
            for field in fields { append(field.key, field.value) }
            append(UInt8(ascii: "}"))
        }
    }

    /// Appends a field of an object. Its key is a word of this program, which needs no escapes.
    fileprivate mutating func append(_ key: String, _ value: FieldValue) {
        if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(key)
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        append(json: value)
    }
}
