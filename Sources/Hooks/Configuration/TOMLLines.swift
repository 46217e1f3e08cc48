extension TOML {
    /// The lines of keys, which the C interface of toml++ does not expose.
    ///
    /// The scan refuses input on which an assertion of toml++ would end the process: a table header that begins with an
    /// invalid character, as `[!]`, and a brace or a Unicode line separator in place of an array item, as in `[1, }`.
    /// In arrays, it refuses all non-ASCII characters, since TOML allows these only in strings and comments. It refuses
    /// times, which no key has, since `1979-05-27Tx07:32` would also end the process, and nesting on which toml++ would
    /// overflow the stack. It distinguishes only headers, values, strings and comments.
    struct Lines {
        /// The maximum number of brackets in each other, and of dots in a key, for each of which toml++ nests a table.
        private static let mostNested = 16

        private enum Token: Equatable {
            /// A bare word, or the contents of a string.
            case name(String)
            /// The end of a line, or another character; of a character that is not ASCII, each byte.
            case mark(Unicode.Scalar)
        }

        /// The lines of the keys above all tables, then those of each `[[hook]]`, whose own line has the key "".
        private var lines: [[String: Int]] = [[:]]
        /// Whether the keys that follow belong to the last of these tables.
        private var isInTable = true

        private let bytes: [UInt8]
        private var index = 0
        private var line = 1
        private var lineStart = 0
        /// The place of the last token.
        private var start = (line: 1, column: 1)
        /// The open brackets and braces of a value.
        private var open: [Unicode.Scalar] = []
        /// The number of dots since the last key or value began.
        private var dots = 0
        /// Whether the next token is the first of a line that continues no value.
        private var isFirst = true

        /// - Throws: For refused input, and for an unclosed quote, which toml++ reports at the end of the line.
        init(_ text: String) throws(SyntaxError) {
            bytes = Array(text.utf8)
            // The byte order mark in UTF-8.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (index, lineStart) = (3, 3) }
            while let token = try next() { try pass(token) }
        }

        /// Returns the line of a key, or else that of its table.
        ///
        /// - Parameter table: The number of a hook; 0 for keys above all tables.
        func line(of key: String?, in table: Int) -> Int? {
            // Inline tables have the line of their list.
            if !lines.indices.contains(table) { return lines[0]["hook"] }
            return key.flatMap { lines[table][$0] } ?? lines[table][""]
        }

        private mutating func note(_ key: String, in table: Int) {
            lines[table][key] = lines[table][key] ?? start.line
        }

        private mutating func pass(_ token: Token) throws(SyntaxError) {
            let isFirst = isFirst
            self.isFirst = false
            switch token {
            case .name(let key):
                if isFirst && isInTable { note(key, in: lines.count - 1) }
            case .mark("\n"):
                (self.isFirst, dots) = (open.isEmpty, 0)
            case .mark("[") where isFirst:
                try passHeader()
            case .mark(let bracket) where bracket == "[" || bracket == "{":
                dots = 0
                open.append(bracket)
                try refuse(nesting: open.count)
            case .mark(let bracket) where bracket == "]" || bracket == "}":
                if open.popLast() == "[" && bracket == "}" {
                    throw error("unexpected '}' in an array: expected a value, ',' or ']'")
                }
            case .mark("."):
                dots += 1
                try refuse(nesting: dots)
            case .mark(":"):
                throw error("no key has a time: put a text in quotes")
            case .mark("="), .mark(","):
                dots = 0
            case .mark(let other):
                if !other.isASCII && open.last == "[" {
                    throw error("non-ASCII character in an array: put it in a string")
                }
            }
        }

        private func refuse(nesting depth: Int) throws(SyntaxError) {
            if depth > Self.mostNested {
                throw error("more than \(Self.mostNested) tables or arrays in each other")
            }
        }

        /// Records the line of the table whose header begins here. A subtable `[hook.wake]` is a key of the last hook.
        private mutating func passHeader() throws(SyntaxError) {
            var token = try next()
            let isOfArray = token == .mark("[")
            if isOfArray { token = try next() }
            var names: [String] = []
            while case .name(let name) = token {
                names.append(name)
                try refuse(nesting: names.count)
                token = try next()
                if token == .mark(".") { token = try next() }
            }
            if names.isEmpty && token != .mark("]") {
                throw error("the name of a table begins with a letter, a digit, '_', '-' or a quote")
            }
            isInTable = isOfArray && names == ["hook"]
            if isInTable {
                lines.append(["": start.line])
            } else if names.count > 1, names[0] == "hook", lines.count > 1 {
                note(names[1], in: lines.count - 1)
            } else if let name = names.first {
                note(name, in: 0)
            }
            if let token { try pass(token) }
        }

        // MARK: Tokens

        /// Returns the next token. Blanks and comments are none.
        ///
        /// - Throws: For a string without its end, and for an escape of NUL, at which C would cut the string.
        private mutating func next() throws(SyntaxError) -> Token? {
            _ = take { " \t\r".utf8.contains($0) }
            if index < bytes.count, bytes[index] == UInt8(ascii: "#") {
                _ = take { $0 != UInt8(ascii: "\n") }
            }
            start = (line, index - lineStart + 1)
            guard index < bytes.count else { return nil }
            let byte = bytes[index]
            if Self.isBare(byte) { return .name(take(while: Self.isBare)) }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return .name(try string(byte)) }
            index += 1
            if byte == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, index) }
            return .mark(Unicode.Scalar(byte))
        }

        /// Returns an error at the last token.
        private func error(_ description: String) -> SyntaxError {
            SyntaxError(line: start.line, column: start.column, description: description)
        }

        private static func isBare(_ byte: UInt8) -> Bool {
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII && scalar.properties.isAlphabetic || "0123456789_-".utf8.contains(byte)
        }

        private mutating func take(while isPart: (UInt8) -> Bool) -> String {
            let part = bytes[index...].prefix(while: isPart)
            index = part.endIndex
            return String(decoding: part, as: UTF8.self)
        }

        private mutating func string(_ quote: UInt8) throws(SyntaxError) -> String {
            let isLong = bytes[index...].starts(with: [quote, quote, quote])
            index += isLong ? 3 : 1
            let first = index
            while index < bytes.count {
                let (byte, rest) = (bytes[index], bytes[index...])
                if isLong ? rest.starts(with: [quote, quote, quote]) : byte == quote {
                    let text = String(decoding: bytes[first..<index], as: UTF8.self)
                    // Two more quotes may belong to a long string.
                    index += isLong ? rest.prefix(5).prefix { $0 == quote }.count : 1
                    return text
                }
                if byte == UInt8(ascii: "\n") {
                    if !isLong { break }
                    (line, lineStart) = (line + 1, index + 1)
                } else if byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") {
                    let escape = rest.dropFirst()
                    if escape.starts(with: "u0000".utf8) || escape.starts(with: "U00000000".utf8) {
                        start = (line, index - lineStart + 1)
                        throw error("a NUL character, which no program or name can have")
                    }
                    if escape.first != UInt8(ascii: "\n") { index += 1 }
                }
                index += 1
            }
            throw error("this quote begins a string that is not closed")
        }
    }
}
