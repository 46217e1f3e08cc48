import TOMLKit

/// Reads a table of TOML key by key, and collects what is wrong with it.
struct TableReader {
    private let table: TOMLTable
    /// Whether the text has an escape for NUL, at which TOMLKit would cut a string.
    private let mayHoldNUL: Bool
    /// Each behind its key: `after: …`.
    private(set) var faults: [String] = []

    init(_ table: TOMLTable, mayHoldNUL: Bool) {
        self.table = table
        self.mayHoldNUL = mayHoldNUL
    }

    func has(_ key: String) -> Bool { table.contains(key: key) }

    mutating func fault(_ key: String, _ what: String) {
        faults.append("\(key): \(what)")
    }

    /// A fault of the table as a whole.
    mutating func fault(_ what: String) {
        faults.append(what)
    }

    mutating func refuseKeys(notIn keys: Vocabulary) {
        for key in table.keys where !keys.words.contains(key) { fault(keys.refusal(of: key)) }
    }

    /// A value of a type; nil where there is none, and for one of another type, which is a fault.
    mutating func value<Value>(
        _ key: String, _ wanted: String, _ convert: (any TOMLValueConvertible) -> Value?
    ) -> Value? {
        guard let value = table[key] else { return nil }
        guard let converted = convert(value) else {
            fault(key, "found \(value.type.withArticle): write \(wanted)")
            return nil
        }
        if mayHoldNUL && value.holdsNUL {
            fault(key, "there is a NUL character, which no program and no name can hold")
            return nil
        }
        return converted
    }

    mutating func boolean(_ key: String) -> Bool? {
        value(key, "true or false") { $0.bool }
    }

    mutating func string(_ key: String, _ wanted: String = "a string") -> String? {
        value(key, wanted) { $0.string }
    }

    /// A string, or a list of at least one; empty where there is none.
    mutating func strings(_ key: String, _ wanted: String) -> [String] {
        let items = value(key, "\(wanted), or a list of them") { value in
            value.string.map { [$0] as [any TOMLValueConvertible] } ?? value.array.map(Array.init)
        }
        guard let items else { return [] }
        if items.isEmpty { fault(key, "the list is empty: name something, or leave the key out") }
        return strings(key, items, wanted)
    }

    /// A list of strings; those that are something else are faults.
    mutating func strings(_ key: String, _ items: [any TOMLValueConvertible], _ wanted: String) -> [String] {
        items.enumerated().compactMap { index, item in
            if item.type != .string {
                fault(key, "item \(index + 1): found \(item.type.withArticle): write \(wanted)")
            }
            return item.string
        }
    }
}

extension TOMLType {
    var withArticle: String {
        switch self {
        case .table: "a table"
        case .array: "an array"
        case .string: "a string"
        case .int: "an integer"
        case .double: "a floating-point number"
        case .bool: "true or false"
        case .date: "a date"
        case .time: "a time"
        case .dateTime: "a date and time"
        }
    }
}

extension TOMLValueConvertible {
    /// Whether a string, or one in an array of strings, holds a NUL.
    fileprivate var holdsNUL: Bool {
        switch type {
        case .string: stringHoldsNUL
        case .array: array?.contains { $0.type == .string && $0.stringHoldsNUL } ?? false
        default: false
        }
    }

    /// TOMLKit's own `string` ends at the first NUL; written out, it is an escape.
    private var stringHoldsNUL: Bool {
        var text = Substring(TOMLTable(["_": self]).convert(options: []))
        while let escape = text.firstIndex(of: "\\") {
            text = text[escape...].dropFirst()
            if text.hasPrefix("u0000") { return true }
            text = text.dropFirst()
        }
        return false
    }
}
