extension TOML {
    /// The lines of tables and keys, which the C interface of toml++ does not expose.
    ///
    /// The scan refuses input on which an assertion of toml++ would end the process: a table header that begins with an
    /// invalid character, as `[!]`, and a brace or a Unicode line separator in place of an array item, as in `[1, }`.
    /// In arrays, it refuses all non-ASCII characters, since TOML allows these only in strings and comments. The scan
    /// distinguishes only headers, values, strings and comments.
    struct Lines {
        private let bytes: [UInt8]
        private var index = 0
        private var line = 1
        private var lineStart = 0
        /// The open brackets and braces of a value.
        private var open: [UInt8] = []
        /// Whether only white space precedes the current byte in its line.
        private var isFirst = true
        /// The place of the last header: `hook[2]`; empty above all tables.
        private var table = ""
        /// The lines by the place of a table, or of a key: `hook[2].after`.
        private var lines: [String: Int] = [:]
        private var counts: [String: Int] = [:]

        /// - Throws: For refused input, and for an unclosed quote, which toml++ reports at the end of the line.
        init(_ text: String) throws(TOML.SyntaxError) {
            bytes = Array(text.utf8)
            // The byte order mark in UTF-8.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (index, lineStart) = (3, 3) }
            while let byte = current { try pass(byte) }
        }

        /// Returns the line of a key, or else that of the table.
        ///
        /// - Parameter table: `hook[2]`; empty for keys above all tables.
        func line(of key: String?, in table: String) -> Int? {
            key.flatMap { lines[Self.place($0, in: table)] } ?? lines[table]
                // Inline tables have the line of their list.
                ?? lines[String(table.prefix { $0 != "[" })]
        }

        private static func place(_ key: String, in table: String) -> String {
            table.isEmpty ? key : "\(table).\(key)"
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
                    throw error(at: index, "unexpected '}' in an array: expected a value, ',' or ']'")
                }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                noteKey { $0 != byte && $0 != UInt8(ascii: "\n") }
                return try passString(byte)
            case 0x80... where open.last == UInt8(ascii: "["):
                throw error(at: index, "non-ASCII character in an array: put it in a string")
            default:
                noteKey { Self.isBare($0) }
            }
            index += 1
        }

        /// Records the line of a key that begins here.
        private mutating func noteKey(_ isPart: (UInt8) -> Bool) {
            defer { isFirst = false }
            guard isFirst && open.isEmpty else { return }
            let start = current.map(Self.isBare) ?? false ? index : index + 1
            let key = String(decoding: bytes[start...].prefix(while: isPart), as: UTF8.self)
            note(Self.place(key, in: table))
        }

        private mutating func note(_ place: String) { lines[place] = lines[place] ?? line }

        private static func isBare(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }

        private mutating func skip(until isEnd: (UInt8) -> Bool) {
            while let byte = current, !isEnd(byte) { index += 1 }
        }

        private mutating func passHeader() throws(TOML.SyntaxError) {
            isFirst = false
            index += 1
            skip { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            let isOfArray = current == UInt8(ascii: "[")
            if isOfArray {
                index += 1
                skip { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            }
            guard let byte = current else { return }
            guard Self.isBare(byte) || "\"']".utf8.contains(byte) else {
                throw error(
                    at: index, "the name of a table begins with a letter, a digit, '_', '-' or a quote")
            }
            noteTable(isOfArray: isOfArray)
        }

        /// Records the line of the table whose name begins here. A subtable of an array of tables belongs to its last
        /// table.
        private mutating func noteTable(isOfArray: Bool) {
            var (parts, next) = ([String](), index)
            func skipBlanks() { while next < bytes.count, " \t".utf8.contains(bytes[next]) { next += 1 } }
            repeat {
                skipBlanks()
                guard next < bytes.count else { return }
                let quote = bytes[next]
                let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
                let start = isQuoted ? next + 1 : next
                let part = bytes[start...].prefix { isQuoted ? $0 != quote : Self.isBare($0) }
                parts.append(String(decoding: part, as: UTF8.self))
                next = part.endIndex + (isQuoted ? 1 : 0)
                skipBlanks()
                next += 1
            } while next <= bytes.count && bytes[next - 1] == UInt8(ascii: ".")
            guard let first = parts.first else { return }
            if isOfArray && parts.count == 1 { counts[first, default: 0] += 1 }
            let item = counts[first].map { "\(first)[\($0)]" } ?? first
            table = ([item] + parts.dropFirst()).joined(separator: ".")
            note(table)
        }

        private func error(at index: Int, _ description: String) -> TOML.SyntaxError {
            TOML.SyntaxError(
                line: UInt32(clamping: line), column: UInt32(clamping: index - lineStart + 1),
                description: description)
        }

        private mutating func passString(_ quote: UInt8) throws(TOML.SyntaxError) {
            let isLong = bytes[index...].starts(with: [quote, quote, quote])
            let unclosed = error(at: index, "this quote begins a string that is not closed")
            index += isLong ? 3 : 1
            while let byte = current {
                if byte == UInt8(ascii: "\n") {
                    if !isLong { throw unclosed }
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
                    // Two more quotes may belong to the string.
                    let end = bytes.dropFirst(index).prefix(5).prefix { $0 == quote }
                    index = end.endIndex
                    return
                }
                index += 1
            }
            throw unclosed
        }
    }
}
