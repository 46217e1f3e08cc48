/// The decoding of text properties, whose types cannot be trusted.
enum Text {
    /// The maximum length of a stored name or title, in bytes of UTF-8.
    static let limit = 1024
    /// The same in units of 32 bits, as GetProperty counts.
    static let limitInWords = UInt32(limit / 4)

    /// Decodes valid UTF-8, and anything else as Latin-1: many clients put UTF-8 into properties of type STRING.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        // String(validating:) is not specialized, and most texts are plain ASCII.
        if bytes.allSatisfy({ $0 < 0x80 }) { return decodeUTF8(bytes) }
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return cut(text)
    }

    /// Decodes UTF-8, replacing each invalid sequence with U+FFFD.
    static func decodeUTF8(_ bytes: some Collection<UInt8>) -> String {
        cut(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the bytes before the first NUL and those after it; `rest` is nil if there is no NUL.
    static func split<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> (
        first: Bytes.SubSequence, rest: Bytes.SubSequence?
    ) {
        guard let end = bytes.firstIndex(of: 0) else { return (bytes[...], nil) }
        return (bytes[..<end], bytes[bytes.index(after: end)...])
    }

    /// Returns the bytes without an incomplete UTF-8 character at their end.
    static func withoutPartialCharacter<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes)
        -> Bytes.SubSequence
    {
        guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 else {
            return bytes[...]
        }
        let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
        return bytes[start...].count < length ? bytes[..<start] : bytes[...]
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text.unicodeScalars[..<end])
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
