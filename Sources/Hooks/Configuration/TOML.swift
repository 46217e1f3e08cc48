import CLinux
import CTOML
import Console
import Glibc

/// A TOML value, reduced to the types that keys of the configuration have.
///
/// The value is a copy of the tree of toml++. TOMLKit's Swift types never free the tree or the strings read from it,
/// and `xphase run` reads its configuration again at each change.
struct TOML: Sendable {
    enum Value: Sendable {
        case table([String: TOML])
        case array([TOML])
        case string(String)
        case boolean(Bool)
        case integer(Int)
        /// A value of another type, described as in a message.
        case other(String)
    }

    let value: Value
    /// The line on which the value or the header of the table begins; 0 for the document.
    let line: Int

    var table: [String: TOML]? { if case .table(let values) = value { values } else { nil } }
    var array: [TOML]? { if case .array(let items) = value { items } else { nil } }
    var string: String? { if case .string(let text) = value { text } else { nil } }
    var integer: Int? { if case .integer(let value) = value { value } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = value { value } else { nil } }

    /// The value of a string, or the type with its article, for messages.
    var words: String {
        switch value {
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
    /// - Parameters:
    ///   - text: The document.
    ///   - file: The name of its file, for the error.
    init(document text: String, file: String) throws(ConfigurationError) {
        _ = try Scan(text, file: file)
        let error = UnsafeMutablePointer<CTOMLParseError>.allocate(capacity: 1)
        defer { error.deallocate() }
        guard let root = tableCreateFromString(text, error) else {
            let place = error.pointee.source.begin
            let text: String = Self.consume(error.pointee.description)
            throw ConfigurationError("\(file):\(place.line):\(place.column)", [text.escapedForTerminal])
        }
        defer {
            tableClear(root)
            // CTOML can empty a table, but has no function that deletes it.
            linux_cxx_delete(UnsafeMutableRawPointer(root))
        }
        self.init(value: .table(Self.values(of: root)), line: 0)
    }

    private init(_ node: OpaquePointer) {
        // CTOML has no function for the place of a node. It is the first member of `toml::node`, behind the pointer to
        // the virtual functions.
        let line = UnsafeRawPointer(node).load(fromByteOffset: MemoryLayout<Int>.size, as: UInt32.self)
        self.init(value: Self.value(of: node), line: Int(line))
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

    private static func value(of node: OpaquePointer) -> Value {
        switch nodeType(node) {
        case .table: return .table(values(of: nodeAsTable(node)))
        case .array:
            guard let array = nodeAsArray(node) else { return .array([]) }
            return .array((0..<arraySize(array)).map { TOML(arrayGetNode(array, Int64($0))) })
        case .string: return .string(consume(nodeAsString(node)))
        case .boolean: return .boolean(consume(nodeAsBool(node)) ?? false)
        case .integer: return .integer(Int(consume(nodeAsInt(node)) ?? 0))
        case .floatingPoint: return .other("a floating-point number")
        case .date: return .other("a date")
        // The scan refuses times.
        default: return .other("something else")
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
