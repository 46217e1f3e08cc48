/// A TOML value, reduced to the types that keys of the configuration have.
///
/// The value is a copy of the tree of toml++. TOMLKit's Swift types never free the tree or the strings read from it,
/// and `xphase run` reads its configuration again at each change.
enum TOML {
    /// The keys are sorted.
    case table([String: TOML], keys: [String])
    case array([TOML])
    case string(String)
    /// A string with a NUL, at which C would truncate it.
    case stringWithNUL
    case boolean(Bool)
    case integer(Int)
    /// A value of another type, described as in a message.
    case other(String)

    /// A syntax error and its place.
    struct SyntaxError: Error {
        let line: UInt32
        let column: UInt32
        let description: String
    }

    /// Parses a document, which is a table.
    ///
    /// - Returns: The table, and the lines of its tables and keys.
    static func document(_ text: String) throws(SyntaxError) -> (table: TOML, lines: Lines) {
        let lines = try Lines(text)
        let tree = try TOMLTree(text)
        defer { tree.delete() }
        return (tree.value, lines)
    }

    var array: [TOML]? { if case .array(let items) = self { items } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// Whether the value is a string with a NUL, or an array with one.
    var holdsNUL: Bool {
        switch self {
        case .stringWithNUL: true
        case .array(let items): items.contains { if case .stringWithNUL = $0 { true } else { false } }
        default: false
        }
    }

    /// The type with its article, for messages.
    var withArticle: String {
        switch self {
        case .table: "a table"
        case .array: "an array"
        case .string, .stringWithNUL: "a string"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .other(let words): words
        }
    }
}
