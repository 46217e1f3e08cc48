/// A key of a table: how it is written, and what it sets.
struct Key<Target>: Sendable {
    let name: String
    /// The name of its kind, its default and its meaning, as in the manual.
    let kind: String
    let usual: String
    let meaning: String
    let scope: KeyScope
    /// Reads the value of the key, if the table has one.
    let read: @Sendable (inout TableReader, inout Target) -> Void

    init<Value>(
        _ name: String, _ kind: Kind<Value>, _ usual: String, _ meaning: String, _ scope: KeyScope = .every,
        sets path: WritableKeyPath<Target, Value> & Sendable
    ) {
        (self.name, self.kind, self.usual, self.meaning) = (name, kind.name, usual, meaning)
        self.scope = scope
        read = { reader, target in reader.read(name, kind).map { target[keyPath: path] = $0 } }
    }

    init<Value>(
        _ name: String, _ kind: Kind<Value>, _ usual: String, _ meaning: String, _ scope: KeyScope = .every,
        sets path: WritableKeyPath<Target, Value?> & Sendable
    ) {
        self.init(name, kind.map { Optional($0) }, usual, meaning, scope, sets: path)
    }
}

/// What a hook does, which decides the keys that it may have.
enum HookKind {
    /// Runs a program at a change.
    case run
    /// A pair of programs.
    case programs
    /// A pair of built-in reactions.
    case reactions

    init(_ reader: TableReader) {
        self = reader.has("do") ? .reactions : reader.has("while") ? .programs : .run
    }
}

/// The hooks that may have a key.
enum KeyScope {
    case every
    /// Names a change, at which no pair begins or ends.
    case change
    /// Names a program that runs at a change.
    case run
    /// Names a program of a pair.
    case half
    /// Selects some of the windows of an application, whose processes may have others.
    case window
    /// The same, for a property that only scenes have.
    case scene
    case reaction

    /// Returns why a hook of a kind cannot have the key; nil if it can.
    func refusal(in kind: HookKind) -> String? {
        switch (self, kind) {
        case (.change, .programs), (.change, .reactions):
            "it cannot be combined with while, which determines when the pair begins and ends"
        case (.run, .programs): "it cannot be combined with while, which runs enter and leave"
        case (.half, .run): "it needs while"
        case (.run, .reactions), (.half, .reactions): "it cannot be combined with do: write two hooks"
        case (.window, .reactions), (.scene, .reactions):
            "it cannot be combined with do: a built-in reaction applies to whole applications"
        case (.reaction, .run), (.reaction, .programs): "it needs do"
        default: nil
        }
    }
}

/// A reader of a TOML table, which collects the faults of its keys.
struct TableReader {
    private let values: [String: TOML]
    /// Each fault with its key; without one if it is of the whole table.
    private(set) var faults: [(key: String?, text: String)] = []

    init(_ values: [String: TOML]) { self.values = values }

    func has(_ key: String) -> Bool { values[key] != nil }

    func string(_ key: String) -> String? { values[key]?.string }

    func isFaulty(_ key: String) -> Bool { faults.contains { $0.key == key } }

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
            if key.usual == "required" && !has(key.name) { fault(key.name, "it is missing") }
        }
    }
}
