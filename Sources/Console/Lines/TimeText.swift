import Glibc
import System

/// Times as text, without Foundation, whose formatters require ICU.
public enum TimeText {
    /// `2026-11-20T11:03:41.207113Z`.
    public static func utc(_ time: Timestamp) -> String { text { append(utc: time, to: &$0) } }

    static func append(utc time: Timestamp, to bytes: inout ByteBuffer) {
        var clock = UTCText()
        clock.append(time, to: &bytes)
    }

    /// `12:03:41.207`, in the time zone of the user.
    public static func local(_ time: Timestamp) -> String {
        var seconds = time_t(time.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return text {
            append(clock: parts, to: &$0)
            $0.append(UInt8(ascii: "."))
            $0.append(decimal: time.nanoseconds / 1_000_000, width: 3)
        }
    }

    /// `252.114`.
    public static func seconds(_ duration: Duration) -> String {
        text { $0.append(seconds: duration.milliseconds) }
    }

    /// `250ms`, `3.2s`, `4m12s`, `2h05m`, `3d04h`.
    public static func short(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        let seconds = milliseconds / 1000
        switch seconds {
        case ..<1: return "\(milliseconds)ms"
        case ..<60: return "\(seconds).\(milliseconds % 1000 / 100)s"
        case ..<3600: return "\(seconds / 60)m\(digits(seconds % 60, 2))s"
        case ..<86_400: return "\(seconds / 3600)h\(digits(seconds % 3600 / 60, 2))m"
        default: return "\(seconds / 86_400)d\(digits(seconds % 86_400 / 3600, 2))h"
        }
    }

    /// For people: `<1 s`, `45 s`, `12 min`, `6 h 12 min`, `70 h`.
    public static func spoken(_ duration: Duration) -> String {
        let seconds = duration.milliseconds / 1000
        let minutes = (seconds + 30) / 60
        if seconds < 1 { return "<1 s" }
        if seconds < 60 { return "\(seconds) s" }
        if minutes < 60 { return "\(minutes) min" }
        if minutes >= 24 * 60 { return "\((minutes + 30) / 60) h" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    fileprivate static func append(clock parts: tm, to bytes: inout ByteBuffer) {
        bytes.append(decimal: Int(parts.tm_hour), width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(decimal: Int(parts.tm_min), width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(decimal: Int(parts.tm_sec), width: 2)
    }

    private static func digits(_ value: Int64, _ width: Int) -> String {
        text { $0.append(decimal: Int(value), width: width) }
    }

    private static func text(_ write: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer()
        write(&buffer)
        return buffer.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// A writer of times as `2026-11-20T11:03:41.207113Z`. Most successive times are in the same second, so its text is
/// kept.
public struct UTCText: ~Copyable {
    private var second: Int?
    private var text = ByteBuffer()

    public init() {}

    mutating func append(_ time: Timestamp, to bytes: inout ByteBuffer) {
        if second != time.seconds { write(time.seconds) }
        text.withBytes { bytes.append($0) }
        bytes.append(decimal: time.nanoseconds / 1000, width: 6)
        bytes.append(UInt8(ascii: "Z"))
    }

    private mutating func write(_ seconds: Int) {
        second = seconds
        var moment = time_t(seconds)
        var parts = tm()
        gmtime_r(&moment, &parts)
        text.removeFirst(text.count)
        text.append(decimal: Int(parts.tm_year) + 1900)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: Int(parts.tm_mon) + 1, width: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: Int(parts.tm_mday), width: 2)
        text.append(UInt8(ascii: "T"))
        TimeText.append(clock: parts, to: &text)
        text.append(UInt8(ascii: "."))
    }
}

extension ByteBuffer {
    /// Appends milliseconds as seconds: `252.114`.
    mutating func append(seconds milliseconds: Int64) {
        append(decimal: Int(milliseconds / 1000))
        append(UInt8(ascii: "."))
        append(decimal: Int(milliseconds % 1000), width: 3)
    }
}

extension Duration {
    /// Parses `250ms`, `30s`, `5m`, `1h` or `0`; returns nil for anything else, and for more than a hundred years.
    public init?(text: String) {
        if text == "0" {
            self = .zero
            return
        }
        for (unit, milliseconds) in Self.units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            guard let count = Int(digits), count <= Self.longest / milliseconds else { return nil }
            self = .milliseconds(count * milliseconds)
            return
        }
        return nil
    }

    /// The duration in the largest unit that needs no fraction: `90s`, `2m`. Fractions of a millisecond are dropped.
    public var text: String {
        let all = milliseconds
        guard all != 0, let (unit, size) = Self.units.last(where: { all % Int64($0.1) == 0 }) else {
            return "0"
        }
        return "\(all / Int64(size))\(unit)"
    }

    private static let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
    private static let longest = 100 * 366 * 24 * 3_600_000
}

/// A time that is encoded as its text in UTC.
public struct UTCTime: Hashable, Comparable, Sendable, Codable {
    public let time: Timestamp

    public init(_ time: Timestamp) { self.time = time }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let numbers = text.split { !$0.isNumber }.compactMap { Int32($0) }
        guard numbers.count == 7, text.utf8.count == 27 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time")
        }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        time = Timestamp(seconds: timegm(&parts), nanoseconds: Int(numbers[6]) * 1000)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(TimeText.utc(time))
    }

    public static func < (one: UTCTime, other: UTCTime) -> Bool { one.time < other.time }
}
