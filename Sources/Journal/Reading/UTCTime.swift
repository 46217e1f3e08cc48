import Glibc

/// Reads `2026-11-20T11:03:41.207113Z`, without the calendar of the C library, which takes a microsecond.
enum UTCTime {
    private static let form: StaticString = "0000-00-00T00:00:00.000000Z"

    /// Milliseconds since 1970; nil for any other text.
    static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count == form.utf8CodeUnitCount else { return nil }
        let form = form.utf8Start
        for index in 0..<text.count {
            let (byte, wanted) = (text[index], form[index])
            guard wanted == 0x30 ? byte &- 0x30 < 10 : byte == wanted else { return nil }
        }
        func number(_ start: Int, _ count: Int) -> Int64 {
            var value: Int64 = 0
            for index in start..<start + count { value = value &* 10 &+ Int64(text[index] &- 0x30) }
            return value
        }
        let (month, day) = (number(5, 2), number(8, 2))
        let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else {
            return nil
        }
        let seconds = days(number(0, 4), month, day) &* 86_400 &+ hour &* 3600 &+ minute &* 60 &+ second
        return seconds &* 1000 &+ number(20, 3)
    }

    /// Days since 1970 in the Gregorian calendar. Years begin in March here, so that the leap day is the last of one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + dayOfYear - 719_468
    }
}

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
        var copy = parts
        mktime(&copy)
        parts = copy
    }

    /// Since 1970.
    public var milliseconds: Int64 {
        var copy = parts
        copy.tm_isdst = parts.tm_isdst
        return Int64(mktime(&copy)) * 1000
    }

    public var hour: Int { Int(parts.tm_hour) }

    /// The first moment of the day, or of one that many days later.
    public func day(_ offset: Int = 0) -> LocalTime {
        LocalTime(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday) + offset)
    }

    /// This hour of the day.
    public func at(hour: Int, minute: Int) -> LocalTime {
        LocalTime(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
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
