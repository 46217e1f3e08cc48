/// Reads a table of TOML key by key, and collects what is wrong with it.
struct TableReader {
    private let values: [String: TOML]
    /// In their order.
    private let keys: [String]
    /// Each behind its key: `after: …`.
    private(set) var faults: [String] = []

    /// - Parameter table: Anything else has no keys.
    init(_ table: TOML) {
        (values, keys) = if case .table(let values, let keys) = table { (values, keys) } else { ([:], []) }
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    mutating func fault(_ key: String, _ what: String) {
        faults.append("\(key): \(what)")
    }

    /// A fault of the table as a whole.
    mutating func fault(_ what: String) {
        faults.append(what)
    }

    mutating func refuseKeys(notIn keys: Vocabulary) {
        for key in self.keys where !keys.words.contains(key) { fault(keys.refusal(of: key)) }
    }

    /// A value of a type; nil where there is none, and for one of another type, which is a fault.
    mutating func value<Value>(
        _ key: String, _ wanted: String, _ convert: (TOML) -> Value?
    ) -> Value? {
        guard let value = values[key] else { return nil }
        if value.holdsNUL {
            fault(key, "there is a NUL character, which no program and no name can hold")
            return nil
        }
        guard let converted = convert(value) else {
            fault(key, "found \(value.withArticle): write \(wanted)")
            return nil
        }
        return converted
    }

    mutating func boolean(_ key: String) -> Bool? {
        value(key, "true or false") { $0.boolean }
    }

    mutating func string(_ key: String, _ wanted: String = "a string") -> String? {
        value(key, wanted) { $0.string }
    }

    /// A string, or a list of at least one; empty where there is none.
    mutating func strings(_ key: String, _ wanted: String) -> [String] {
        let items = value(key, "\(wanted), or a list of them") { value in
            value.string == nil ? value.array : [value]
        }
        guard let items else { return [] }
        if items.isEmpty { fault(key, "the list is empty: name something, or leave the key out") }
        return strings(key, items, wanted)
    }

    /// A list of strings; those that are something else are faults.
    mutating func strings(_ key: String, _ items: [TOML], _ wanted: String) -> [String] {
        items.enumerated().compactMap { index, item in
            let text = item.string
            if text == nil { fault(key, "item \(index + 1): found \(item.withArticle): write \(wanted)") }
            return text
        }
    }
}
