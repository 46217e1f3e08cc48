/// A TOML value, reduced to the types that keys of the configuration have.
///
/// The value is a copy of the tree of toml++. TOMLKit's Swift types never free the tree or the strings read from it,
/// and `xphase run` reads its configuration again at each change.
enum TOML: Sendable {
    case table([String: TOML])
    case array([TOML])
    case string(String)
    case boolean(Bool)
    case integer(Int)
    /// A value of another type, described as in a message.
    case other(String)

    /// A syntax error and its place.
    struct SyntaxError: Error {
        let line: Int
        let column: Int
        let description: String
    }

    /// Parses a document, which is a table.
    ///
    /// - Returns: The table, and the lines of its tables and keys.
    static func document(_ text: String) throws(SyntaxError) -> (table: TOML, lines: Lines) {
        // Refuses what toml++ cannot parse safely.
        let lines = try Lines(text)
        return (try TOMLTree.parse(text), lines)
    }

    var isTable: Bool { if case .table = self { true } else { false } }
    var array: [TOML]? { if case .array(let items) = self { items } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The value of a string, or the type with its article, for messages.
    var words: String {
        switch self {
        case .table: "a table"
        case .array: "an array"
        case .string(let text): text.quoted
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .other(let words): words
        }
    }
}
