import Glibc
import System

/// A time that is encoded as its text in UTC.
public struct UTCTime: Hashable, Comparable, Sendable, Codable {
    public let time: Timestamp

    public init(_ time: Timestamp) { self.time = time }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let numbers = [Int32](text, form: "0000-00-00T00:00:00.000000Z") ?? [Int32](repeating: 0, count: 7)
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        time = Timestamp(seconds: timegm(&parts), nanoseconds: Int(numbers[6]) * 1000)
        // The C library converts impossible times to others, such as those of no month.
        let read = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
        guard read == Array(numbers[1..<6]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(TimeText.utc(time))
    }

    public static func < (one: UTCTime, other: UTCTime) -> Bool { one.time < other.time }
}
