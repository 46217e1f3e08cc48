import Glibc

/// Reads `2026-11-20T11:03:41.207113Z`, without the calendar of the C library, which takes a microsecond.
struct UTCTime {
    private static let form: StaticString = "0000-00-00T00:00:00.000000Z"
    /// Up to the minute: lines of the same one follow each other.
    private static let headLength = 16

    private var head: (UInt64, UInt64) = (0, 0)
    /// What the head stands for.
    private var minute: Int64 = 0

    /// Milliseconds since 1970; nil for any other text.
    mutating func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count == Self.form.utf8CodeUnitCount, let start = text.baseAddress else { return nil }
        let bytes = UnsafeRawPointer(start)
        let head = (
            bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        )
        if head != self.head {
            guard let minute = Self.minute(text) else { return nil }
            (self.head, self.minute) = (head, minute)
        }
        guard Self.hasForm(text, Self.headLength..<text.count) else { return nil }
        let second = Self.number(text, 17, 2)
        return second < 61 ? minute &+ second &* 1000 &+ Self.number(text, 20, 3) : nil
    }

    private static func minute(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard hasForm(text, 0..<headLength) else { return nil }
        let (month, day) = (number(text, 5, 2), number(text, 8, 2))
        let (hour, minute) = (number(text, 11, 2), number(text, 14, 2))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60 else { return nil }
        return (days(number(text, 0, 4), month, day) &* 1440 &+ hour &* 60 &+ minute) &* 60_000
    }

    private static func hasForm(_ text: UnsafeBufferPointer<UInt8>, _ places: Range<Int>) -> Bool {
        let form = form.utf8Start
        for index in places {
            let (byte, wanted) = (text[index], form[index])
            guard wanted == 0x30 ? byte &- 0x30 < 10 : byte == wanted else { return false }
        }
        return true
    }

    private static func number(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int64 {
        var value: Int64 = 0
        for index in start..<start + count { value = value &* 10 &+ Int64(text[index] &- 0x30) }
        return value
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
