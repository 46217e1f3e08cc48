import Glibc

/// A moment in the time zone of the user.
public struct LocalTime {
    private var parts = tm()

    /// - Parameter milliseconds: Since 1970.
    public init(_ milliseconds: Int64) {
        var seconds = time_t(milliseconds / 1000)
        localtime_r(&seconds, &parts)
    }

    /// The first moment of a day; days beyond the end of a month count on.
    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
        parts.tm_year = Int32(clamping: year - 1900)
        parts.tm_mon = Int32(clamping: month - 1)
        parts.tm_mday = Int32(clamping: day)
        parts.tm_hour = Int32(clamping: hour)
        parts.tm_min = Int32(clamping: minute)
        parts.tm_isdst = -1
        mktime(&parts)
    }

    /// Since 1970.
    public var milliseconds: Int64 {
        var copy = parts
        return Int64(mktime(&copy)) * 1000
    }

    /// The first moment of the day, or of one that many days later.
    public func day(_ offset: Int = 0) -> LocalTime { at(day: offset, hour: 0, minute: 0) }

    /// This hour of the day.
    public func at(day offset: Int = 0, hour: Int, minute: Int) -> LocalTime {
        LocalTime(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday) + offset,
            hour: hour, minute: minute)
    }

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
