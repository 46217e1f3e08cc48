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

extension TableReader {
    fileprivate mutating func days(_ key: String) -> Int? {
        let wanted = "a number of days, \"90d\", at most 36500"
        guard let text = string(key, wanted) else { return nil }
        if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...36_500).contains(days) { return days }
        fault(key, "\(text.quoted) is not valid: write \(wanted)")
        return nil
    }
}
