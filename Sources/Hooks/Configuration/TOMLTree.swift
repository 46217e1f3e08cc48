import CLinux
import CTOML
import Glibc

/// A document parsed by toml++. The caller frees the strings and arrays that CTOML returns; nodes belong to the tree.
///
/// Parsing, copying and freeing recurse: `TOML.Lines` has limited the depth.
enum TOMLTree {
    static func parse(_ text: String) throws(TOML.SyntaxError) -> TOML {
        let error = UnsafeMutablePointer<CTOMLParseError>.allocate(capacity: 1)
        defer { error.deallocate() }
        guard let root = tableCreateFromString(text, error) else {
            let place = error.pointee.source.begin
            throw TOML.SyntaxError(
                line: Int(place.line), column: Int(place.column),
                description: consume(error.pointee.description) ?? "")
        }
        defer {
            tableClear(root)
            // CTOML can empty a table, but has no function that deletes it.
            linux_cxx_delete(UnsafeMutableRawPointer(root))
        }
        return copy(table: root)
    }

    private static func copy(table: OpaquePointer) -> TOML {
        let names = tableGetKeys(table)
        defer { free(UnsafeMutablePointer(mutating: names)) }
        var values: [String: TOML] = [:]
        for index in 0..<tableSize(table) {
            let value = tableGetNode(table, names[index]).map { copy($0) }
            if let name = consume(names[index]) { values[name] = value }
        }
        return .table(values)
    }

    private static func copy(_ node: OpaquePointer) -> TOML {
        switch nodeType(node) {
        case .table:
            return nodeAsTable(node).map { copy(table: $0) } ?? .other("nothing")
        case .array:
            guard let array = nodeAsArray(node) else { return .other("nothing") }
            return .array((0..<arraySize(array)).map { copy(arrayGetNode(array, Int64($0))) })
        case .string:
            return .string(consume(nodeAsString(node)) ?? "")
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

    /// Copies a string and frees it.
    private static func consume(_ text: UnsafePointer<CChar>?) -> String? {
        defer { free(UnsafeMutablePointer(mutating: text)) }
        return text.map { String(cString: $0) }
    }
}
