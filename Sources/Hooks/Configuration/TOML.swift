import CLinux
import CTOML
import Glibc

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

    var table: [String: TOML]? { if case .table(let values) = self { values } else { nil } }
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

/// The caller frees the strings and numbers that CTOML returns; nodes belong to the tree.
extension TOML {
    /// Parses a document.
    ///
    /// - Returns: The keys above all tables, and the lines of the keys.
    static func document(_ text: String) throws(SyntaxError) -> (values: [String: TOML], lines: Lines) {
        // First, since this refuses what toml++ cannot parse safely. Parsing, copying and freeing recurse.
        let lines = try Lines(text)
        let error = UnsafeMutablePointer<CTOMLParseError>.allocate(capacity: 1)
        defer { error.deallocate() }
        guard let root = tableCreateFromString(text, error) else {
            let place = error.pointee.source.begin
            throw SyntaxError(
                line: Int(place.line), column: Int(place.column),
                description: consume(error.pointee.description))
        }
        defer {
            tableClear(root)
            // CTOML can empty a table, but has no function that deletes it.
            linux_cxx_delete(UnsafeMutableRawPointer(root))
        }
        return (values(of: root), lines)
    }

    private static func values(of table: OpaquePointer?) -> [String: TOML] {
        guard let table else { return [:] }
        let names = tableGetKeys(table)
        defer { free(UnsafeMutablePointer(mutating: names)) }
        var values: [String: TOML] = [:]
        for index in 0..<tableSize(table) {
            let value = tableGetNode(table, names[index]).map { TOML($0) }
            values[consume(names[index])] = value
        }
        return values
    }

    private init(_ node: OpaquePointer) {
        switch nodeType(node) {
        case .table: self = .table(Self.values(of: nodeAsTable(node)))
        case .array:
            let array = nodeAsArray(node)
            self = .array(
                (0..<(array.map(arraySize) ?? 0)).compactMap { index in
                    array.map { TOML(arrayGetNode($0, Int64(index))) }
                })
        case .string: self = .string(Self.consume(nodeAsString(node)))
        case .boolean: self = .boolean(Self.consume(nodeAsBool(node)) ?? false)
        case .integer: self = .integer(Int(Self.consume(nodeAsInt(node)) ?? 0))
        case .floatingPoint: self = .other("a floating-point number")
        case .date: self = .other("a date")
        case .timeType: self = .other("a time")
        case .dateTime: self = .other("a date and time")
        @unknown default: self = .other("something else")
        }
    }

    /// Copies a number and frees it.
    private static func consume<Value>(_ value: UnsafePointer<Value>?) -> Value? {
        defer { free(UnsafeMutablePointer(mutating: value)) }
        return value?.pointee
    }

    /// Copies a string and frees it.
    private static func consume(_ text: UnsafePointer<CChar>?) -> String {
        defer { free(UnsafeMutablePointer(mutating: text)) }
        return text.map { String(cString: $0) } ?? ""
    }
}
