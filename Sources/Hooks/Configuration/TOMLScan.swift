import Console

extension TOML {
    /// Returns the TOML value for what other languages write, such as `True` or `yes`; nil for other words.
    static func boolean(_ word: String) -> Bool? {
        ["true": true, "yes": true, "on": true, "false": false, "no": false, "off": false][word.lowercased()]
    }

    /// A check of a text before toml++ parses it.
    ///
    /// An assertion of toml++ ends the process at a table name that begins with an invalid character, as `[!]`, at a
    /// brace or a Unicode line separator in place of an array item, as in `[1, }`, and at a time with a letter or its end
    /// in place of a digit, as `1979-05-27Tx07:32` and `1979-05-27 0`. Nested tables may overflow the stack, since
    /// parsing, copying and freeing recurse. The scan refuses all times, which no key has, and all non-ASCII characters
    /// outside of strings and comments, where TOML allows none. It distinguishes only headers, brackets, numbers, strings
    /// and comments.
    struct Scan {
        /// The maximum number of brackets in each other, and of dots in a key, for each of which toml++ nests a table.
        private static let mostNested = 16

        private let file: String
        private let text: [Unicode.Scalar]
        private var index = 0
        /// The open brackets and braces of a value.
        private var open: [Unicode.Scalar] = []
        /// The last scalar that is no blank.
        private var last: Unicode.Scalar = "\n"
        /// The number of dots since the last key or value began.
        private var dots = 0

        /// - Throws: For refused input, for an unclosed quote, which toml++ reports at the end of the line, and for NUL,
        ///   at which C would cut the text or the string.
        init(_ document: String, file: String) throws(ConfigurationError) {
            self.file = file
            // toml++ ignores a byte order mark.
            text = Array(document.unicodeScalars.drop { $0 == "\u{FEFF}" })
            if let place = text.firstIndex(of: "\0") {
                throw error("a NUL character: save the file as UTF-8", at: place)
            }
            while index < text.count {
                let isFirst = open.isEmpty && last == "\n"
                let scalar = text[index]
                switch scalar {
                case " ", "\t", "\r":
                    index += 1
                    continue
                case "#":
                    skip { $0 != "\n" }
                    continue
                case "\"", "'": try skipString()
                case "[" where isFirst: try skipBrackets()
                default:
                    try pass(scalar)
                    index += 1
                }
                // A line of an array may begin with a value.
                if scalar != "\n" || open.isEmpty { last = scalar }
            }
        }

        private mutating func pass(_ scalar: Unicode.Scalar) throws(ConfigurationError) {
            switch scalar {
            case "[", "{":
                open.append(scalar)
                dots = 0
            case "]", "}":
                if open.popLast() == "[" && scalar == "}" {
                    throw error("unexpected '}' in an array: expected a value, ',' or ']'")
                }
            case "=" where beginsValue: throw error("unexpected '='")
            case _ where beginsValue && "+-.~$/*".unicodeScalars.contains(scalar):
                let next = text[(index + 1)...].first ?? "\n"
                if !("0"..."9" ~= next || "in".unicodeScalars.contains(next)) { try checkWord() }
            case ".": dots += 1
            case "=", ",", "\n": dots = 0
            case "0"..."9" where beginsValue: try checkNumber()
            case "A"..."z" where beginsValue: try checkWord()
            default:
                if !scalar.isASCII {
                    throw error("non-ASCII character outside of a string: put it in quotes")
                }
            }
            if max(open.count, dots) > Self.mostNested {
                throw error("more than \(Self.mostNested) nested tables or arrays")
            }
        }

        /// Whether a value begins at the current place.
        private var beginsValue: Bool {
            last == "=" || open.last == "[" && (last == "[" || last == ",")
        }

        /// Refuses a text without quotes, of which toml++ only says that it is no value.
        private func checkWord() throws(ConfigurationError) {
            let rest = text[index...].prefix { !",]}#\r\n".unicodeScalars.contains($0) }
            let word = String(String.UnicodeScalarView(rest)).withoutSpacesAtTheEnd
            if !["true", "false", "inf", "nan"].contains(word) {
                if let meant = TOML.boolean(word) { throw error("write \(meant) instead of \(word)") }
                throw error("put quotes around \(word.escapedForTerminal)")
            }
        }

        /// Refuses what begins as a number and is none. toml++ takes quotes and brackets for parts of it.
        private func checkNumber() throws(ConfigurationError) {
            let rest = text[index...].drop { "0123456789_.eE+-".unicodeScalars.contains($0) }.prefix(2)
            let isTime = rest.first == " " && rest.last.map { "0"..."9" ~= $0 } ?? false
            if isTime || rest.first.map({ !" \t\r\n,]}#".unicodeScalars.contains($0) }) ?? false {
                throw error("this is not a decimal number: put text and times in quotes")
            }
        }

        /// Skips the beginning of the header of a table, or of one in an array.
        private mutating func skipBrackets() throws(ConfigurationError) {
            let start = index
            skip { $0 == "[" }
            let count = index - start
            skip { $0 == " " || $0 == "\t" }
            let name = index < text.count ? text[index] : "\n"
            guard count <= 2, name.isASCII,
                name.properties.isAlphabetic || "0123456789_-\"'".unicodeScalars.contains(name)
            else {
                throw error("the name of a table begins with a letter, a digit, '_', '-' or a quote")
            }
        }

        private mutating func skipString() throws(ConfigurationError) {
            let (start, quote) = (index, text[index])
            let long = [quote, quote, quote]
            let isLong = text[index...].starts(with: long)
            index += isLong ? 3 : 1
            while index < text.count, isLong || text[index] != "\n" {
                let rest = text[index...]
                if isLong ? rest.starts(with: long) : rest.first == quote {
                    // Two more quotes may belong to a long string.
                    index += isLong ? rest.prefix(5).prefix { $0 == quote }.count : 1
                    return
                }
                if rest.first == "\\" && quote == "\"" {
                    if ["u0000", "U00000000"].contains(where: {
                        rest.dropFirst().starts(with: $0.unicodeScalars)
                    }) {
                        throw error("a NUL character is not allowed")
                    }
                    index += 1
                }
                index += 1
            }
            throw error("this string is not closed", at: start)
        }

        private mutating func skip(while isPart: (Unicode.Scalar) -> Bool) {
            index += text[index...].prefix(while: isPart).count
        }

        /// Returns an error at the current place or another one.
        private func error(_ description: String, at place: Int? = nil) -> ConfigurationError {
            let before = text[..<(place ?? index)].split(separator: "\n", omittingEmptySubsequences: false)
            let column = (before.last?.count ?? 0) + 1
            return ConfigurationError("\(file):\(before.count):\(column)", [description])
        }
    }
}
