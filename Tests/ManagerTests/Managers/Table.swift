/// The values as a table for people.
extension Manager {
    static var table: String {
        let head = [
            "window manager", "asked in its own way", "cannot", "hides what is covered by", "other causes",
        ]
        let rows = everyOne.map(\.row)
        return ([head, head.map { _ in "---" }] + rows)
            .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private var row: [String] {
        let reasons = Dictionary(grouping: cannot.keys) { cannot[$0] ?? "" }
            .map { reason, wishes in "\(Self.list(wishes)): \(reason)" }.sorted()
        let other = causes.keys.sorted { $0.rawValue < $1.rawValue }
            .map { "\($0.rawValue): `\(causes[$0] ?? "")`" }
        return [
            name, Self.list(Array(ways.keys)), reasons.joined(separator: "; "),
            Self.list(Array(hidesCovered)),
            other.joined(separator: ", "),
        ].map { $0.isEmpty ? "–" : $0 }
    }

    /// The names in the order of the declaration.
    private static func list(_ wishes: [Wish]) -> String {
        Wish.allCases.filter(wishes.contains).map(\.rawValue).joined(separator: ", ")
    }
}
