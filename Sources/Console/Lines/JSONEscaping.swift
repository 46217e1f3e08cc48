import Glibc

extension ByteBuffer {
    /// Appends the key of a value: `,"key":`.
    mutating func append(jsonKey key: StaticString, isFirst: Bool) {
        append(isFirst ? "\"" as StaticString : ",\"")
        append(key)
        append("\":")
    }

    /// Appends a JSON string or `null`.
    mutating func append(json text: String?) {
        guard var text else { return append("null") }
        append(UInt8(ascii: "\""))
        text.withUTF8 {
            if Self.isPlain($0) { append($0) } else { append(escapingForJSON: $0) }
        }
        append(UInt8(ascii: "\""))
    }

    /// Returns whether text is ASCII without characters to escape; checks eight bytes at a time.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= bytes.count {
            if hasSpecial(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return false }
            index += 8
        }
        var rest: UInt64 = 0x2020_2020_2020_2020
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        return !hasSpecial(rest)
    }

    /// Returns whether any of eight bytes is below space, a quote, a backslash, DEL or above ASCII.
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        // The top bit of a byte of x - n is set where x < n, for bytes below 0x80.
        func isZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        let quotes = isZero(word ^ ones &* 0x22) | isZero(word ^ ones &* 0x5C) | isZero(word ^ ones &* 0x7F)
        return (word | (word &- ones &* 0x20) | quotes) & tops != 0
    }

    /// Appends text, escaped for a JSON string.
    mutating func append(escapingForJSON text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var next = 0
        while next < text.count {
            let length = Self.lengthToEscape(text, at: next)
            if length > 0 {
                append(UnsafeBufferPointer(rebasing: text[start..<next]))
                append(escaping: Self.code(text, at: next, length))
                start = next + length
            }
            next += max(1, length)
        }
        append(UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// Returns the length of the character in bytes if it must be escaped, otherwise 0. Escaped are quotes, the
    /// backslash, the characters that can control a terminal, which are C0, DEL and C1 (in UTF-8, C2 80 to C2 9F), and
    /// the line separators of JavaScript and Unicode, U+2028 and U+2029 (E2 80 A8 and E2 80 A9).
    private static func lengthToEscape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let byte = text[index]
        if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { return 1 }
        if byte == 0xC2, index + 1 < text.count { return text[index + 1] < 0xA0 ? 2 : 0 }
        guard byte == 0xE2, index + 2 < text.count, text[index + 1] == 0x80 else { return 0 }
        return text[index + 2] & 0xFE == 0xA8 ? 3 : 0
    }

    /// Returns the code point of such a character.
    private static func code(_ text: UnsafeBufferPointer<UInt8>, at index: Int, _ length: Int) -> UInt16 {
        switch length {
        case 1: UInt16(text[index])
        case 2: UInt16(text[index + 1])
        default: 0x2000 + UInt16(text[index + 2] - 0x80)
        }
    }

    private mutating func append(escaping code: UInt16) {
        append(UInt8(ascii: "\\"))
        switch code {
        case 0x22, 0x5C: append(UInt8(code))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append(UInt8(ascii: "u"))
            append(hexadecimal: UInt32(code), width: 4)
        }
    }
}
