import Glibc
import System

/// Text in UTF-8, appended piece by piece: an interpolated string would be allocated for each line.
extension [UInt8] {
    /// Contiguous bytes are copied four times as fast as a `UTF8View`.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends a number, with zeros in front up to `width` digits.
    mutating func append(decimal value: Int, width: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var (divisor, digits) = (UInt(1), 1)
        while digits < width || value.magnitude / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(value.magnitude / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends a duration in seconds: `252.114`.
    mutating func append(seconds duration: Duration) {
        let milliseconds = Int(duration.milliseconds)
        append(decimal: milliseconds / 1000)
        append(UInt8(ascii: "."))
        append(decimal: milliseconds % 1000, width: 3)
    }

    /// Appends a time in UTC: `2026-11-20T11:03:41.207113Z`.
    mutating func append(utc time: Timestamp) {
        var (seconds, parts) = (time_t(time.seconds), tm())
        gmtime_r(&seconds, &parts)
        append(date: parts)
        append("T")
        append(clock: parts)
        append(".")
        append(decimal: time.nanoseconds / 1000, width: 6)
        append("Z")
    }

    /// Appends a date: `2026-11-20`. Unlike strftime(3), which looks for another time zone, this touches no disk.
    mutating func append(date parts: tm) {
        append(decimal: Int(parts.tm_year) + 1900, width: 4)
        append("-")
        append(decimal: Int(parts.tm_mon) + 1, width: 2)
        append("-")
        append(decimal: Int(parts.tm_mday), width: 2)
    }

    /// Appends a time of day in the same way: `11:03:41`.
    mutating func append(clock parts: tm) {
        append(decimal: Int(parts.tm_hour), width: 2)
        append(":")
        append(decimal: Int(parts.tm_min), width: 2)
        append(":")
        append(decimal: Int(parts.tm_sec), width: 2)
    }

    /// Appends a JSON string. Escaped are quotes, the backslash, the characters that can control a terminal, and the line
    /// separators of JavaScript and Unicode.
    mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        defer { append(UInt8(ascii: "\"")) }
        var text = text
        let isPlain = text.withUTF8 { bytes in
            let isPlain = bytes.allSatisfy { 0x20 <= $0 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
            if isPlain { append(contentsOf: bytes) }
            return isPlain
        }
        if isPlain { return }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\t": append("\\t")
            case "\r": append("\\r")
            case _ where scalar.isControl || scalar == "\u{2028}" || scalar == "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
            default: append(contentsOf: scalar.utf8)
            }
        }
    }
}

/// Times as text, without Foundation, whose formatters require ICU.
public enum TimeText {
    /// `2026-11-20T11:03:41.207113Z`.
    public static func utc(_ time: Timestamp) -> String { text { $0.append(utc: time) } }

    /// `252.114`.
    public static func seconds(_ duration: Duration) -> String { text { $0.append(seconds: duration) } }

    static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
