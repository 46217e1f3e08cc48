import Glibc
import System

/// A moment in the time zone of the user.
public struct LocalTime {
    fileprivate var parts = tm()

    /// - Parameter milliseconds: The time since 1970.
    public init(_ milliseconds: Int64) {
        var seconds = time_t(milliseconds / 1000)
        localtime_r(&seconds, &parts)
    }

    /// Finds the first moment of a day; nil for another text than `2026-11-22`, or a day that does not exist.
    public init?(date: String) {
        guard let numbers = [Int32](date, form: "0000-00-00") else { return nil }
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        // The C library converts 2026-02-31 to a day of March. No clock change skips noon.
        self = at(hour: 12)
        guard self.date == date else { return nil }
        self = day()
    }

    /// The time since 1970.
    public var milliseconds: Int64 {
        var copy = parts
        return Int64(mktime(&copy)) * 1000
    }

    /// Returns the first moment of the day that is `offset` days later.
    public func day(_ offset: Int = 0) -> LocalTime { at(day: offset) }

    /// Returns a time on the day that is `offset` days later. Days beyond the end of a month continue in the next one.
    public func at(day offset: Int = 0, hour: Int = 0, minute: Int = 0) -> LocalTime {
        var other = self
        other.parts.tm_mday &+= Int32(clamping: offset)
        (other.parts.tm_hour, other.parts.tm_min) = (Int32(clamping: hour), Int32(clamping: minute))
        (other.parts.tm_sec, other.parts.tm_isdst) = (0, -1)
        mktime(&other.parts)
        return other
    }

    /// Returns a time on the same day; nil for another text than `14:05` or `9:05`.
    public func at(clock: String) -> LocalTime? {
        let clock = clock.count == 4 ? "0\(clock)" : clock
        guard let numbers = [Int32](clock, form: "00:00"), numbers[0] < 24, numbers[1] < 60
        else { return nil }
        return at(hour: Int(numbers[0]), minute: Int(numbers[1]))
    }

    /// Returns the first moment of the latest day with this name, today included; nil if it is not a name such as
    /// `monday` or `mon`.
    public func last(weekday name: String) -> LocalTime? {
        guard name.utf8.count >= 3 else { return nil }
        return (0..<7).map { day(-$0) }.first { $0.text("%A").lowercased().hasPrefix(name.lowercased()) }
    }

    /// `2026-11-22`.
    public var date: String { TimeText.text { $0.append(date: parts) } }

    /// Notices another time zone of the system. May wait for the disk, and so must not be called in a loop.
    public static func followZone() {
        var facts = stat()
        // First, since tzset(3) keeps other threads from converting times while it waits for the disk.
        if stat("/etc/localtime", &facts) == 0 { tzset() }
    }

    /// `14:05`.
    public var clock: String { text("%H:%M") }

    /// Returns the time in a format of strftime(3), in English: no code of xphase sets the locale of the process.
    public func text(_ format: String) -> String { parts.text(format) }
}

extension tm {
    /// Returns the time in a format of strftime(3).
    func text(_ format: String) -> String {
        var (bytes, parts) = ([CChar](repeating: 0, count: 64), self)
        let count = strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Timestamp {
    public init(milliseconds: Int64) {
        self.init(seconds: Int(milliseconds / 1000), nanoseconds: Int(milliseconds % 1000) * 1_000_000)
    }

    /// Milliseconds since 1970.
    public var milliseconds: Int64 { Int64(seconds) * 1000 + Int64(nanoseconds / 1_000_000) }

    /// The moment in the time zone of the user.
    public var local: LocalTime { LocalTime(milliseconds) }
}

extension [Int32] {
    /// Parses the numbers of a text in a form such as `0000-00-00`, in which zeros stand for digits; nil for another text.
    public init?(_ text: String, form: String) {
        guard text.utf8.count == form.utf8.count else { return nil }
        self = [0]
        for (byte, pattern) in zip(text.utf8, form.utf8) {
            if pattern == UInt8(ascii: "0"), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                self[count - 1] = self[count - 1] &* 10 &+ Int32(byte - pattern)
            } else if byte == pattern {
                append(0)
            } else {
                return nil
            }
        }
    }
}

/// Times and durations for people.
extension TimeText {
    /// `12:03:41.207`, in the time zone of the user.
    public static func local(_ time: Timestamp) -> String {
        text {
            $0.append(clock: time.local.parts)
            $0.append(".")
            $0.append(decimal: time.nanoseconds / 1_000_000, width: 3)
        }
    }

    /// `12:03:41`, or `2026-11-22 12:03:41` if it is not today.
    public static func moment(_ time: Timestamp, now: Timestamp = .now()) -> String {
        let clock = String(local(time).prefix(8))
        let date = time.local.date
        return date == now.local.date ? clock : "\(date) \(clock)"
    }

    /// `250ms`, `3.2s`, `4m12s`, `2h05m`, `3d04h`.
    public static func short(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        let seconds = milliseconds / 1000
        func digits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        switch seconds {
        case ..<1: return "\(milliseconds)ms"
        case ..<60: return "\(seconds).\(milliseconds % 1000 / 100)s"
        case ..<3600: return "\(seconds / 60)m\(digits(seconds % 60))s"
        case ..<86_400: return "\(seconds / 3600)h\(digits(seconds % 3600 / 60))m"
        default: return "\(seconds / 86_400)d\(digits(seconds % 86_400 / 3600))h"
        }
    }

    /// Returns a sum of milliseconds: `-`, `<1 s`, `45 s`, `12 min`, `6 h 12 min`, `70 h`.
    public static func spoken(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        let minutes = (seconds + 30) / 60
        if milliseconds == 0 { return "-" }
        if seconds < 1 { return "<1 s" }
        if seconds < 60 { return "\(seconds) s" }
        if minutes < 60 { return "\(minutes) min" }
        if minutes >= 24 * 60 { return "\((minutes + 30) / 60) h" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
