extension TOML {
    /// The lines of tables and keys, which the C interface of toml++ does not expose.
    ///
    /// The scan refuses input on which an assertion of toml++ would end the process: a table header that begins with an
    /// invalid character, as `[!]`, and a brace or a Unicode line separator in place of an array item, as in `[1, }`.
    /// In arrays, it refuses all non-ASCII characters, since TOML allows these only in strings and comments. It refuses
    /// times, which no key has, since `1979-05-27Tx07:32` would also end the process, and nesting on which toml++ would
    /// overflow the stack. It distinguishes only headers, values, strings and comments.
    struct Lines {
        /// The maximum number of brackets in each other, and of dots in a key, for each of which toml++ nests a table.
        private static let mostNested = 16

        private var tokens: TOMLTokens
        /// The open brackets and braces of a value.
        private var open: [Unicode.Scalar] = []
        /// The number of dots since the last key or value began.
        private var dots = 0
        /// Whether the next token is the first of a line that continues no value.
        private var isFirst = true
        /// The place of the last header: `hook[2]`; empty above all tables.
        private var table = ""
        /// The lines by the place of a table, or of a key: `hook[2].after`.
        private var lines: [String: Int] = [:]
        private var counts: [String: Int] = [:]

        /// - Throws: For refused input, and for an unclosed quote, which toml++ reports at the end of the line.
        init(_ text: String) throws(SyntaxError) {
            tokens = TOMLTokens(text)
            while let token = try tokens.next() { try pass(token) }
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

        private mutating func pass(_ token: TOMLTokens.Token) throws(SyntaxError) {
            let isFirst = isFirst
            self.isFirst = false
            switch token {
            case .name(let key):
                if isFirst { note(Self.place(key, in: table)) }
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
                    throw tokens.error("unexpected '}' in an array: expected a value, ',' or ']'")
                }
            case .mark("."):
                dots += 1
                try refuse(nesting: dots)
            case .mark(":"):
                throw tokens.error("no key has a time: put a text in quotes")
            case .mark("="), .mark(","):
                dots = 0
            case .mark(let other):
                if !other.isASCII && open.last == "[" {
                    throw tokens.error("non-ASCII character in an array: put it in a string")
                }
            }
        }

        private func refuse(nesting depth: Int) throws(SyntaxError) {
            if depth > Self.mostNested {
                throw tokens.error("more than \(Self.mostNested) tables or arrays in each other")
            }
        }

        private mutating func note(_ place: String) { lines[place] = lines[place] ?? tokens.start.line }

        /// Records the line of the table whose header begins here. A subtable of an array of tables belongs to its last
        /// table.
        private mutating func passHeader() throws(SyntaxError) {
            var token = try tokens.next()
            let isOfArray = token == .mark("[")
            if isOfArray { token = try tokens.next() }
            switch token {
            case .name, .mark("]"): break
            default:
                throw tokens.error(
                    "the name of a table begins with a letter, a digit, '_', '-' or a quote")
            }
            var parts: [String] = []
            while case .name(let part) = token {
                parts.append(part)
                try refuse(nesting: parts.count)
                token = try tokens.next()
                if token == .mark(".") { token = try tokens.next() }
            }
            if let first = parts.first {
                if isOfArray && parts.count == 1 { counts[first, default: 0] += 1 }
                let item = counts[first].map { "\(first)[\($0)]" } ?? first
                table = ([item] + parts.dropFirst()).joined(separator: ".")
                note(table)
            }
            if let token { try pass(token) }
        }
    }
}
