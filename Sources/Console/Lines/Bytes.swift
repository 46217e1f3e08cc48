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
        let digits = String(value.magnitude)
        if value < 0 { append(UInt8(ascii: "-")) }
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, width - digits.utf8.count)))
        append(digits)
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
        append(parts.text("%Y-%m-%dT%H:%M:%S."))
        append(decimal: time.nanoseconds / 1000, width: 6)
        append("Z")
    }

    /// Appends a JSON string. Escaped are quotes, the backslash, the characters that can control a terminal, and the line
    /// separators of JavaScript and Unicode.
    mutating func append(json text: String) {
        let isPlain = text.utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        append(UInt8(ascii: "\""))
        defer { append(UInt8(ascii: "\"")) }
        if isPlain { return append(text) }
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

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
