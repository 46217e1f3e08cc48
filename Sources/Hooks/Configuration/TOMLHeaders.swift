extension TOML {
    /// Finds what toml++ asserts not to be there, so that it would end the process: a header of a table whose name begins with
    /// what no name can, `[!]` say, and in place of a value of an array a brace, as in `[1, }`, or a line separator of Unicode.
    /// All that is not ASCII is refused there: TOML has it only in strings and comments.
    ///
    /// It knows of TOML only what tells headers from values, strings and comments.
    struct Headers {
        private let bytes: [UInt8]
        private var index = 0
        private var line = 1
        private var lineStart = 0
        /// The brackets and braces of a value that are open.
        private var open: [UInt8] = []
        /// Nothing but white space is in front of it in its line.
        private var isFirst = true

        private init(_ text: String) {
            bytes = Array(text.utf8)
            // The mark of a file in UTF-8.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (index, lineStart) = (3, 3) }
        }

        static func check(_ text: String) throws(TOML.SyntaxError) {
            var headers = Headers(text)
            while let byte = headers.current { try headers.pass(byte) }
        }

        private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

        private mutating func pass(_ byte: UInt8) throws(TOML.SyntaxError) {
            switch byte {
            case UInt8(ascii: "\n"):
                isFirst = open.isEmpty
                (line, lineStart) = (line + 1, index + 1)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                break
            case UInt8(ascii: "#"):
                return skip { $0 == UInt8(ascii: "\n") }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if isFirst && byte == UInt8(ascii: "[") { return try passHeader() }
                isFirst = false
                open.append(byte)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if open.popLast() == UInt8(ascii: "[") && byte == UInt8(ascii: "}") {
                    throw error(at: index, "'}' stands in an array: expected a value, ',' or ']'")
                }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                isFirst = false
                return passString(byte)
            case 0x80... where open.last == UInt8(ascii: "["):
                throw error(at: index, "what is not ASCII stands in an array: it belongs in a string")
            default:
                isFirst = false
            }
            index += 1
        }

        private mutating func skip(until isEnd: (UInt8) -> Bool) {
            while let byte = current, !isEnd(byte) { index += 1 }
        }

        private mutating func passHeader() throws(TOML.SyntaxError) {
            isFirst = false
            index += 1
            skip { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            if current == UInt8(ascii: "[") {
                index += 1
                skip { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            }
            guard let byte = current else { return }
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "]"):
                break
            default:
                throw error(
                    at: index, "the name of a table begins with a letter, a digit, '_', '-' or a quote")
            }
        }

        private func error(at index: Int, _ description: String) -> TOML.SyntaxError {
            TOML.SyntaxError(
                line: UInt32(clamping: line), column: UInt32(clamping: index - lineStart + 1),
                description: description)
        }

        private mutating func passString(_ quote: UInt8) {
            let isLong = bytes[index...].starts(with: [quote, quote, quote])
            index += isLong ? 3 : 1
            while let byte = current {
                if byte == UInt8(ascii: "\n") {
                    // A mistake, which toml++ tells.
                    if !isLong { return }
                    (line, lineStart) = (line + 1, index + 1)
                }
                if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count,
                    bytes[index + 1] != UInt8(ascii: "\n")
                {
                    index += 1
                } else if !isLong && byte == quote {
                    index += 1
                    return
                } else if isLong && bytes[index...].starts(with: [quote, quote, quote]) {
                    // Two more may belong to the string.
                    let end = bytes.dropFirst(index).prefix(5).prefix { $0 == quote }
                    index = end.endIndex
                    return
                }
                index += 1
            }
        }
    }
}
