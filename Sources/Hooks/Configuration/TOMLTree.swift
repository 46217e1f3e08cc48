import CLinux
import CTOML
import Glibc

/// A document parsed by toml++. The caller frees the strings and arrays that CTOML returns; nodes belong to the tree.
struct TOMLTree {
    /// Greater than the depth of any valid value.
    private static let mostDepth = 8

    private let root: OpaquePointer
    private let mayHoldNUL: Bool

    /// Parses a document. Call `delete` when the tree is no longer used.
    init(_ text: String) throws(TOML.SyntaxError) {
        let error = UnsafeMutablePointer<CTOMLParseError>.allocate(capacity: 1)
        defer { error.deallocate() }
        guard let root = tableCreateFromString(text, error) else {
            let place = error.pointee.source.begin
            throw TOML.SyntaxError(
                line: place.line, column: place.column,
                description: Self.consume(error.pointee.description) ?? "")
        }
        self.root = root
        // The escapes for NUL. In a literal string, these characters stand for themselves.
        mayHoldNUL = text.contains("\\u0000") || text.contains("\\U00000000")
    }

    var value: TOML { copy(table: root, 0) }

    private func copy(table: OpaquePointer, _ depth: Int) -> TOML {
        let names = tableGetKeys(table)
        defer { free(UnsafeMutablePointer(mutating: names)) }
        var values: [String: TOML] = [:]
        let keys = (0..<tableSize(table)).map { index in
            // C truncates a key at a NUL, and no node has the truncated key.
            let value = tableGetNode(table, names[index]).map { copy($0, depth + 1) } ?? .stringWithNUL
            let key = Self.consume(names[index]) ?? ""
            values[key] = value
            return key
        }
        return .table(values, keys: keys)
    }

    private func copy(_ node: OpaquePointer, _ depth: Int) -> TOML {
        if depth > Self.mostDepth { return .other("a value that is nested too deep") }
        switch nodeType(node) {
        case .table:
            return nodeAsTable(node).map { copy(table: $0, depth) } ?? .other("nothing")
        case .array:
            guard let array = nodeAsArray(node) else { return .other("nothing") }
            return .array((0..<arraySize(array)).map { copy(arrayGetNode(array, Int64($0)), depth + 1) })
        case .string:
            if mayHoldNUL && holdsNUL(node) { return .stringWithNUL }
            return .string(Self.consume(nodeAsString(node)) ?? "")
        case .boolean:
            let value = nodeAsBool(node)
            defer { free(UnsafeMutablePointer(mutating: value)) }
            return .boolean(value?.pointee ?? false)
        case .integer:
            let value = nodeAsInt(node)
            defer { free(UnsafeMutablePointer(mutating: value)) }
            return (value?.pointee).flatMap { Int(exactly: $0) }.map { .integer($0) } ?? .other("an integer")
        case .floatingPoint: return .other("a floating-point number")
        case .date: return .other("a date")
        case .timeType: return .other("a time")
        case .dateTime: return .other("a date and time")
        @unknown default: return .other("something else")
        }
    }

    /// Returns whether a string contains a NUL. C truncates the string there, but its serialized form has an escape.
    private func holdsNUL(_ string: OpaquePointer) -> Bool {
        let table = tableCreate()
        tableInsertNode(table, "_", string)
        defer {
            tableClear(table)
            linux_cxx_delete(UnsafeMutableRawPointer(table))
        }
        var text = Substring(Self.consume(tableConvertToTOML(table, 0)) ?? "")
        while let escape = text.firstIndex(of: "\\") {
            text = text[escape...].dropFirst()
            if text.hasPrefix("u0000") { return true }
            text = text.dropFirst()
        }
        return false
    }

    /// Copies a string and frees it.
    private static func consume(_ text: UnsafePointer<CChar>?) -> String? {
        defer { free(UnsafeMutablePointer(mutating: text)) }
        return text.map { String(cString: $0) }
    }
}

extension TOMLTree {
    /// Deletes the tree, leaves first. The destructor of toml++ recurses, and a hostile file has thousands of levels.
    func delete() {
        var containers = [TOMLContainer.table(root)]
        var next = 0
        while next < containers.count {
            containers += containers[next].nested
            next += 1
        }
        for container in containers.reversed() { container.clear() }
        // CTOML can empty a table, but has no function that deletes it.
        linux_cxx_delete(UnsafeMutableRawPointer(root))
    }
}

/// A node with child nodes.
private enum TOMLContainer {
    case table(OpaquePointer)
    case array(OpaquePointer)

    init?(_ node: OpaquePointer) {
        if let table = nodeAsTable(node) {
            self = .table(table)
        } else if let array = nodeAsArray(node) {
            self = .array(array)
        } else {
            return nil
        }
    }

    var nested: [TOMLContainer] {
        switch self {
        case .table(let table):
            let nodes = tableGetValues(table)
            defer { free(UnsafeMutablePointer(mutating: nodes)) }
            return (0..<tableSize(table)).compactMap { TOMLContainer(nodes[$0]) }
        case .array(let array):
            return (0..<arraySize(array)).compactMap { TOMLContainer(arrayGetNode(array, Int64($0))) }
        }
    }

    func clear() {
        switch self {
        case .table(let table): tableClear(table)
        case .array(let array): arrayClear(array)
        }
    }
}
