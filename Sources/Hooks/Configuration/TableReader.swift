/// A reader of a TOML table, which collects the faults of its keys.
struct TableReader {
    private let values: [String: TOML]
    /// Each fault with its key; without one if it is of the whole table.
    private(set) var faults: [(key: String?, text: String)] = []
    /// The keys whose values have faults.
    private(set) var misread: Set<String> = []

    /// - Parameter table: A value of another type counts as an empty table.
    init(_ table: TOML) {
        values = if case .table(let values) = table { values } else { [:] }
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    func string(_ key: String) -> String? { values[key]?.string }

    /// Adds a fault of a key, or of the whole table.
    mutating func fault(_ key: String?, _ what: String) {
        faults.append((key, key.map { "\($0): \(what)" } ?? what))
    }

    /// Returns the value of a key; nil if it is missing or has faults.
    mutating func read<Value>(_ key: String, _ kind: Kind<Value>) -> Value? {
        guard let toml = values[key] else { return nil }
        var found: [String] = []
        let value = kind.read(toml, &found)
        for text in found { fault(key, text) }
        if value == nil { misread.insert(key) }
        return value
    }

    /// Reads all keys. Other keys in the table are faults.
    ///
    /// - Parameters:
    ///   - what: What the keys are: `keys of a hook`.
    ///   - others: More valid keys, which are not read.
    ///   - above: Keys that belong above all tables. The fault of such a key explains where to move it.
    mutating func read<Target>(
        _ keys: [Key<Target>], of what: String, into target: inout Target, others: [String] = [],
        above: [String] = []
    ) {
        let known = Vocabulary(one: "key", many: what, words: keys.map(\.name) + others)
        for key in values.keys.sorted() where !known.words.contains(key) {
            if above.contains(key) {
                fault(key, "it is a key of the whole file: move the line above the first [[hook]]")
            } else {
                faults.append((key, known.refusal(of: key)))
            }
        }
        for key in keys {
            key.read(&self, &target)
            if key.isRequired && !has(key.name) { fault(key.name, "it is missing") }
        }
    }
}
