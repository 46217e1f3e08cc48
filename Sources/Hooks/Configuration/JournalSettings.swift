import Console
import PhaseWatch

extension JournalSettings {
    /// Reads the keys of a configuration.
    init(_ reader: inout TableReader) {
        self.init()
        isOn = reader.boolean("journal") ?? isOn
        titles = reader.boolean("titles") ?? titles
        days = reader.days("keep") ?? days
    }

    static let keys = ["journal", "titles", "keep"]
}

extension Category {
    private static let keys = Vocabulary(
        one: "key", many: "keys of a category", words: ["name", "application", "title"])

    /// Reads a `[[category]]` table. Returns nil and leaves the faults in the reader if the table is wrong.
    init?(_ reader: inout TableReader) {
        reader.refuseKeys(notIn: Self.keys, above: Configuration.keys)
        let name = reader.string("name")
        self.init(
            name: name ?? "", application: reader.patterns("application"), title: reader.patterns("title"))
        if name?.isEmpty ?? !reader.has("name") {
            reader.fault("name", "it is missing: the name of the category in reports")
        }
        if application.isEmpty && title.isEmpty && reader.faults.isEmpty {
            reader.fault("write application, title or both")
        }
        if !reader.faults.isEmpty { return nil }
    }
}

extension TableReader {
    fileprivate mutating func days(_ key: String) -> Int? {
        let wanted = "a number of days, \"90d\", at most 36500"
        guard let text = string(key, wanted) else { return nil }
        if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...36_500).contains(days) { return days }
        fault(key, "\(text.quoted) is not valid: write \(wanted)")
        return nil
    }
}
