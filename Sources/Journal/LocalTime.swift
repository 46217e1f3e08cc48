import Console
import Glibc
import System

/// A moment in the time zone of the user.
public struct LocalTime {
    private var parts = tm()

    /// - Parameter milliseconds: The time since 1970.
    public init(_ milliseconds: Int64) {
        var seconds = time_t(milliseconds / 1000)
        localtime_r(&seconds, &parts)
    }

    /// Creates a time of a day. Days beyond the end of a month continue in the next one.
    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
        parts.tm_year = Int32(clamping: year - 1900)
        parts.tm_mon = Int32(clamping: month - 1)
        parts.tm_mday = Int32(clamping: day)
        parts.tm_hour = Int32(clamping: hour)
        parts.tm_min = Int32(clamping: minute)
        parts.tm_isdst = -1
        mktime(&parts)
    }

    /// The time since 1970.
    public var milliseconds: Int64 {
        var copy = parts
        return Int64(mktime(&copy)) * 1000
    }

    /// Returns the first moment of the day that is `offset` days later.
    public func day(_ offset: Int = 0) -> LocalTime { at(day: offset, hour: 0, minute: 0) }

    /// Returns a time on the day that is `offset` days later.
    public func at(day offset: Int = 0, hour: Int, minute: Int) -> LocalTime {
        LocalTime(
            year: year, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday) + offset,
            hour: hour, minute: minute)
    }

    /// Returns the first moment of the latest day with this name, today included; nil if it is not a name such as
    /// `monday` or `mon`.
    public func last(weekday name: String) -> LocalTime? {
        let name = name.lowercased()
        guard name.utf8.count >= 3, let index = Self.weekdays.firstIndex(where: { $0.hasPrefix(name) }) else {
            return nil
        }
        return day(-((Int(parts.tm_wday) - index + 7) % 7))
    }

    /// `Sun 22 Nov`.
    public var dayName: String {
        let weekday = Self.weekdays[Int(parts.tm_wday)]
        return
            "\(weekday.prefix(1).uppercased())\(weekday.dropFirst().prefix(2)) \(parts.tm_mday) \(Self.months[Int(parts.tm_mon)])"
    }

    /// `2026`.
    public var year: Int { Int(parts.tm_year) + 1900 }

    private static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `2026-11-22`.
    public var date: String {
        "\(Self.digits(parts.tm_year + 1900, 4))-\(Self.digits(parts.tm_mon + 1))-\(Self.digits(parts.tm_mday))"
    }

    /// `14:05`.
    public var clock: String { "\(Self.digits(parts.tm_hour)):\(Self.digits(parts.tm_min))" }

    private static func digits(_ value: Int32, _ width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}

extension TimeText {
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
}
