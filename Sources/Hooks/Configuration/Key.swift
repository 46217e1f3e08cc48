/// A key of a table: how it is written, and what it sets.
struct Key<Target>: Sendable {
    let name: String
    let isRequired: Bool
    /// Reads the value of the key, if the table has one.
    let read: @Sendable (inout TableReader, inout Target) -> Void

    init<Value>(
        _ name: String, _ kind: Kind<Value>, sets path: WritableKeyPath<Target, Value> & Sendable,
        isRequired: Bool = false
    ) {
        (self.name, self.isRequired) = (name, isRequired)
        read = { reader, target in reader.read(name, kind).map { target[keyPath: path] = $0 } }
    }

    init<Value>(
        _ name: String, _ kind: Kind<Value>, sets path: WritableKeyPath<Target, Value?> & Sendable
    ) {
        self.init(name, kind.map { Optional($0) }, sets: path)
    }
}

/// A reader of a TOML table, which collects the faults of its keys.
struct TableReader {
    private let table: TOML
    /// Each fault with its key, or nil if it is of the whole table, and its line.
    private(set) var faults: [(key: String?, line: Int, text: String)] = []

    init(_ table: TOML) { self.table = table }

    private func value(of key: String) -> TOML? { table.table?[key] }

    func has(_ key: String) -> Bool { value(of: key) != nil }

    func string(_ key: String) -> String? { value(of: key)?.string }

    func isFaulty(_ key: String) -> Bool { faults.contains { $0.key == key } }

    /// Adds a fault of a key, or of the whole table.
    mutating func fault(_ key: String?, _ what: String) {
        add(key.map { "\($0): \(what)" } ?? what, of: key)
    }

    /// Adds the fault of each of these keys that the table has.
    mutating func refuse(_ keys: [String], if isWrong: Bool, _ reason: String) {
        for key in keys where isWrong && has(key) { fault(key, reason) }
    }

    private mutating func add(_ text: String, of key: String?) {
        faults.append((key, (key.flatMap(value) ?? table).line, text))
    }

    /// Returns the value of a key; nil if it is missing or has faults.
    mutating func read<Value>(_ key: String, _ kind: Kind<Value>) -> Value? {
        guard let toml = value(of: key) else { return nil }
        var found: [String] = []
        let value = kind.read(toml, &found)
        for text in found { fault(key, text) }
        return value
    }

    /// Reads all keys. Other keys in the table are faults.
    ///
    /// - Parameters:
    ///   - what: What the keys are: `keys of a hook`.
    ///   - others: More valid keys, which are not read.
    ///   - elsewhere: Keys that belong to another place, and the fault of such a key, which names the place.
    mutating func read<Target>(
        _ keys: [Key<Target>], of what: String, into target: inout Target, others: [String] = [],
        elsewhere: (keys: [String], fault: String) = ([], "")
    ) {
        let known = Vocabulary(one: "key", many: what, words: keys.map(\.name) + others)
        for key in (table.table ?? [:]).keys.sorted() where !known.words.contains(key) {
            if elsewhere.keys.contains(key) {
                fault(key, elsewhere.fault)
            } else {
                add(known.refusal(of: key), of: key)
            }
        }
        for key in keys {
            key.read(&self, &target)
            if key.isRequired && !has(key.name) { fault(key.name, "it is missing") }
        }
    }
}
