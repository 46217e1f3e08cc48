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

    var isRequired: Bool { usual == "required" }

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
