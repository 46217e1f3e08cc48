extension [UInt8] {
    package mutating func append(decimal value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: value.magnitude, base: 10)
    }

    package mutating func append(hexadecimal value: UInt32) {
        append(digits: UInt(value), base: 16)
    }

    /// With zeros in front up to `width`.
    package mutating func append(decimal value: Int, width: Int) {
        var power = 10
        for _ in 1..<width {
            if value < power { append(UInt8(ascii: "0")) }
            power *= 10
        }
        append(decimal: value)
    }

    private mutating func append(digits value: UInt, base: UInt) {
        let start = count
        var rest = value
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % base)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            rest /= base
        } while rest > 0
        self[start...].reverse()
    }

    /// Appends text as it may stand in a JSON string.
    mutating func append(escapingForJSON text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var next = 0
        while next < text.count {
            let length = Self.lengthToEscape(text, at: next)
            if length > 0 {
                append(contentsOf: text[start..<next])
                append(escaping: length == 2 ? text[next + 1] : text[next])
                start = next + length
            }
            next += Swift.max(1, length)
        }
        append(contentsOf: text[start...])
    }

    /// How many bytes the character has if it must be escaped, 0 if not: quotes, the backslash, and what can
    /// drive a terminal, which is C0, DEL and C1 (in UTF-8, C2 80 to C2 9F).
    private static func lengthToEscape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let byte = text[index]
        if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { return 1 }
        guard byte == 0xC2, index + 1 < text.count else { return 0 }
        return text[index + 1] < 0xA0 ? 2 : 0
    }

    private mutating func append(escaping code: UInt8) {
        append(UInt8(ascii: "\\"))
        switch code {
        case 0x22, 0x5C: append(code)
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append(contentsOf: code < 0x10 ? [0x75, 0x30, 0x30, 0x30] : [0x75, 0x30, 0x30])
            append(hexadecimal: UInt32(code))
        }
    }
}
