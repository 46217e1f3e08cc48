/// The type of a key's value: how it is read, and how faults and the manual describe it.
struct Kind<Value: Sendable>: Sendable {
    /// The name in the manual. A * marks one value or a list.
    let name: String
    /// The valid values, for the fault of another one: `true or false`.
    let wanted: String
    /// Returns nil for a value that is not valid. In a list, other items are read all the same.
    let convert: @Sendable (TOML, inout [String]) -> Value?

    /// - Parameter convert: Returns nil for a value that is not valid, and may add a fault that says more.
    init(_ name: String, _ wanted: String, _ convert: @escaping @Sendable (TOML, inout [String]) -> Value?) {
        (self.name, self.wanted, self.convert) = (name, wanted, convert)
    }

    /// Creates a kind of strings.
    init(
        _ name: String, _ wanted: String, text convert: @escaping @Sendable (String, inout [String]) -> Value?
    ) {
        self.init(name, wanted) { toml, faults in toml.string.flatMap { convert($0, &faults) } }
    }

    /// Returns the value; nil if it has faults.
    func read(_ toml: TOML, _ faults: inout [String]) -> Value? {
        var found: [String] = []
        let value = convert(toml, &found)
        if value == nil && found.isEmpty { found = ["found \(toml.words): write \(wanted)"] }
        faults += found
        return found.isEmpty ? value : nil
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Kind<Other> {
        Kind<Other>(name, wanted) { toml, faults in convert(toml, &faults).map(transform) }
    }

    /// Returns the same kind without some values, which get a fault.
    func refusing(_ fault: String, where isRefused: @escaping @Sendable (Value) -> Bool) -> Kind {
        Kind(name, wanted) { toml, faults in
            let value = convert(toml, &faults)
            if value.map(isRefused) ?? false { faults.append(fault) }
            return value
        }
    }

    /// One item or a list of items.
    static func list<Item>(of item: Kind<Item>, mayBeEmpty: Bool = false) -> Kind where Value == [Item] {
        Kind(item.name + "*", "\(item.wanted), or a list of them") { toml, faults in
            guard let items = toml.array else { return item.convert(toml, &faults).map { [$0] } }
            if items.isEmpty && !mayBeEmpty {
                faults.append("the list is empty: add an item or omit the key")
            }
            return items.enumerated().compactMap { index, toml in
                var found: [String] = []
                defer { faults += found.map { "item \(index + 1): \($0)" } }
                return item.read(toml, &found)
            }
        }
    }
}
