/// The tokens of a TOML document. Blanks and comments are none.
struct TOMLTokens {
    enum Token: Equatable {
        /// A bare word, or the contents of a string.
        case name(String)
        /// The end of a line, or another character; of a character that is not ASCII, each byte.
        case mark(Unicode.Scalar)
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The place of the last token.
    private(set) var start = (line: 1, column: 1)

    init(_ text: String) {
        bytes = Array(text.utf8)
        // The byte order mark in UTF-8.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (index, lineStart) = (3, 3) }
    }

    /// - Throws: For a string without its end, and for an escape of NUL, at which C would cut the string.
    mutating func next() throws(TOML.SyntaxError) -> Token? {
        _ = take { " \t\r".utf8.contains($0) }
        if index < bytes.count, bytes[index] == UInt8(ascii: "#") { _ = take { $0 != UInt8(ascii: "\n") } }
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
    func error(_ description: String) -> TOML.SyntaxError {
        TOML.SyntaxError(line: start.line, column: start.column, description: description)
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let part = bytes[index...].prefix(while: isPart)
        index = part.endIndex
        return String(decoding: part, as: UTF8.self)
    }

    private mutating func string(_ quote: UInt8) throws(TOML.SyntaxError) -> String {
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
