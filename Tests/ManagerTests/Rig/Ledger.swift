/// Counts what was told per action, and what of that was wrong.
struct Ledger {
    struct Entry {
        var action: String
        var lines: [Told]
        var flaps: [String]
        var faults: [String]
    }

    let name: String
    private(set) var entries: [Entry] = []
    private(set) var skipped: [String] = []

    init(_ name: String) { self.name = name }

    mutating func note(_ action: String, lines: [Told], faults: [String]) {
        entries.append(Entry(action: action, lines: lines, flaps: Self.flaps(in: lines), faults: faults))
    }

    mutating func skip(_ wish: Wish) {
        if !skipped.contains(wish.rawValue) { skipped.append(wish.rawValue) }
    }

    var changes: Int { entries.reduce(0) { $0 + $1.lines.count { $0.subject != nil } } }
    var flaps: Int { entries.reduce(0) { $0 + $1.flaps.count } }
    var faults: Int { entries.reduce(0) { $0 + $1.faults.count } }

    var summary: String {
        "\(name): \(entries.count) actions, \(changes) changes, \(flaps) flaps, \(faults) wrong phases; "
            + "it cannot: \(skipped.isEmpty ? "-" : skipped.joined(separator: ", "))"
    }

    /// More than one change of a scene or an application in one action.
    ///
    /// One that ends goes to the background first, so that these two count as one.
    private static func flaps(in lines: [Told]) -> [String] {
        Dictionary(grouping: lines.filter { $0.subject != nil }) { "\($0.kind) \($0.subject ?? "")" }
            .filter { _, lines in
                let isEnd = lines.count == 2 && lines[0].to == "background" && lines[1].change == "closed"
                return lines.count > 1 && !isEnd
            }
            .map { "\($0.key): \($0.value.map(\.description).joined(separator: ", "))" }.sorted()
    }
}
