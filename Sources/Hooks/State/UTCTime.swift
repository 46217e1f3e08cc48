import Console
import Glibc
import System

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
