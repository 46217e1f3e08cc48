import CLinux
import CTOML
import Console
import Glibc

/// A TOML value, reduced to the types that keys of the configuration have.
///
/// The value is a copy of the tree of toml++. TOMLKit's Swift types never free the tree or the strings read from it,
/// and `xphase run` reads its configuration again at each change.
struct TOML: Sendable {
    /// The line on which the value or the header of the table begins; 0 for the document.
    let line: Int
    var table: [String: TOML]?
    var array: [TOML]?
    var string: String?
    var boolean: Bool?
    var integer: Int?
    /// The type with its article, or the value of a string, for messages.
    var words = "a date"
}

/// The caller frees the strings and numbers that CTOML returns; nodes belong to the tree.
extension TOML {
    /// Parses a document.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - file: The name of its file, for the error.
    init(document text: String, file: String) throws(ConfigurationError) {
        // First: on what this refuses, toml++ ends the process, or overflows the stack.
        _ = try Scan(text, file: file)
        let error = UnsafeMutablePointer<CTOMLParseError>.allocate(capacity: 1)
        defer { error.deallocate() }
        guard let root = tableCreateFromString(text, error) else {
            let place = error.pointee.source.begin
            let text: String? = Self.consume(error.pointee.description)
            throw ConfigurationError(
                "\(file):\(place.line):\(place.column)", [Self.fault(text ?? "").escapedForTerminal])
        }
        defer {
            tableClear(root)
            // CTOML can empty a table, but has no function that deletes it.
            linux_cxx_delete(UnsafeMutableRawPointer(root))
        }
        self.init(line: 0, table: Self.values(of: root))
    }

    /// Returns a message of toml++ in the words of this program: what is there, and what is expected.
    private static func fault(_ message: String) -> String {
        let message = message.replacing(/^Error while parsing [^:]*:\s/, with: "")
        if message == "cannot redefine existing array 'hook' as table" {
            return "'[hook]' stands where '[[hook]]' is expected"
        }
        if message == "encountered end-of-file" { return "the file ends before this is complete" }
        guard let parts = message.wholeMatch(of: /expected (.+?), saw (.+)/)?.output else { return message }
        let (expected, found) = (String(parts.1), String(parts.2))
        let place = [
            "'\\n'": "the line ends", "EOF": "the file ends", "comma": "a comma stands",
            "closing '}' (dangling comma)": "'}' stands",
        ][found]
        return "\(place ?? "\(found) stands") where \(wanted[expected] ?? expected) is expected"
    }

    /// What toml++ expects, where its words are those of a parser.
    private static let wanted = [
        "value": "a value", "value-terminator": "the end of the value",
        "a comment or whitespace": "the end of the line",
        "keys, tables, whitespace or comments": "a key or a table",
        "bare key starting character or string delimiter": "a key", "comma or closing ']'": "a comma or ']'",
        "value or closing ']'": "a value or ']'", "comma or closing '}'": "a comma or '}'",
        "key or closing '}'": "a key or '}'", "key-value pair": "a key",
        "key-value pair or closing '}'": "a key or '}'",
    ]

    private init(_ node: OpaquePointer) {
        // CTOML has no function for the place of a node. It is the first member of `toml::node`, behind the pointer to
        // the virtual functions.
        line = Int(UnsafeRawPointer(node).load(fromByteOffset: MemoryLayout<Int>.size, as: UInt32.self))
        // Each function returns nil for a node of another type. `nodeType` would use the nil.
        if let node = nodeAsTable(node) {
            (table, words) = (Self.values(of: node), "a table")
        } else if let node = nodeAsArray(node) {
            array = (0..<arraySize(node)).map { TOML(arrayGetNode(node, Int64($0))) }
            words = "an array"
        } else if let text: String = Self.consume(nodeAsString(node)) {
            (string, words) = (text, text.quoted)
        } else if let value = Self.consume(nodeAsBool(node)) {
            (boolean, words) = (value, "a boolean")
        } else if let value = Self.consume(nodeAsInt(node)) {
            (integer, words) = (Int(value), "an integer")
        } else if Self.consume(nodeAsDouble(node)) != nil {
            words = "a floating-point number"
        }
    }

    private static func values(of table: OpaquePointer) -> [String: TOML] {
        let names = tableGetKeys(table)
        defer { free(UnsafeMutablePointer(mutating: names)) }
        var values: [String: TOML] = [:]
        for index in 0..<tableSize(table) {
            let value = tableGetNode(table, names[index]).map { TOML($0) }
            if let name: String = consume(names[index]) { values[name] = value }
        }
        return values
    }

    /// Copies a number and frees it.
    private static func consume<Value>(_ value: UnsafePointer<Value>?) -> Value? {
        defer { free(UnsafeMutablePointer(mutating: value)) }
        return value?.pointee
    }

    /// Copies a string and frees it.
    private static func consume(_ text: UnsafePointer<CChar>?) -> String? {
        defer { free(UnsafeMutablePointer(mutating: text)) }
        return text.map { String(cString: $0) }
    }
}
