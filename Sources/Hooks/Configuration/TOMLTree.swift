import CLinux
import CTOML
import Glibc

/// A document as toml++ holds it. Text and arrays of keys that CTOML returns are the caller's to free; nodes are the
/// tree's.
struct TOMLTree {
    /// No key has a value that is nested deeper.
    private static let mostDepth = 8

    private let root: OpaquePointer
    private let mayHoldNUL: Bool

    /// To be deleted.
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
        // In any spelling; in other kinds of strings the same characters may stand for themselves.
        mayHoldNUL = text.contains("\\u0000") || text.contains("\\U00000000")
    }

    var value: TOML { copy(table: root, 0) }

    private func copy(table: OpaquePointer, _ depth: Int) -> TOML {
        let names = tableGetKeys(table)
        defer { free(UnsafeMutablePointer(mutating: names)) }
        var values: [String: TOML] = [:]
        let keys = (0..<tableSize(table)).map { index in
            // A key with a NUL is not found by what C leaves of it.
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
        case .integer: return .other("an integer")
        case .floatingPoint: return .other("a floating-point number")
        case .date: return .other("a date")
        case .timeType: return .other("a time")
        case .dateTime: return .other("a date and time")
        @unknown default: return .other("something else")
        }
    }

    /// Written out, a NUL is an escape.
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

    private static func consume(_ text: UnsafePointer<CChar>?) -> String? {
        defer { free(UnsafeMutablePointer(mutating: text)) }
        return text.map { String(cString: $0) }
    }
}

extension TOMLTree {
    /// Deletes the tree from its leaves up: its destructor calls itself for each level, of which a hostile file has
    /// thousands.
    func delete() {
        var containers = [TOMLContainer.table(root)]
        var next = 0
        while next < containers.count {
            containers += containers[next].nested
            next += 1
        }
        for container in containers.reversed() { container.clear() }
        // What is left is an empty table, which CTOML has no function to delete.
        linux_cxx_delete(UnsafeMutableRawPointer(root))
    }
}

/// A node that holds others.
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
