import Console
import PhaseWatch

/// The contents of config.toml.
public struct Configuration: Hashable, Sendable {
    public var watch = WatchSettings()
    public var journal = JournalSettings()
    /// In file order.
    public var hooks: [Hook] = []

    public init() {}

    /// Parses TOML.
    ///
    /// - Parameter file: The file name at the start of each fault.
    /// - Throws: The first syntax error, or else every wrong key and value.
    public init(text: String, file: String) throws(ConfigurationError) {
        let (table, lines) = try Self.document(text, file)
        var reader = TableReader(table)
        reader.refuseKeys(notIn: Self.allKeys)
        watch = WatchSettings(&reader)
        journal = JournalSettings(&reader)
        var list = HookList()
        for item in reader.tables("hook") { list.read(item) }
        hooks = list.hooks
        list.faults = reader.faults.map { ("", $0.text, $0.key) } + list.faults
        guard list.faults.isEmpty else {
            throw ConfigurationError(
                faults: list.faults.map { table, text, key in
                    let line = lines.line(of: key, in: table).map { ":\($0)" } ?? ""
                    return "\(file.escapedForTerminal)\(line): \(text)"
                })
        }
    }

    /// The keys that stand above all tables.
    static let keys = WatchSettings.keys + JournalSettings.keys
    private static let allKeys = Vocabulary(one: "key", many: "keys", words: keys + ["hook"])

    private static func document(
        _ text: String, _ file: String
    ) throws(ConfigurationError) -> (table: TOML, lines: TOML.Lines) {
        do throws(TOML.SyntaxError) {
            return try TOML.document(text)
        } catch {
            throw ConfigurationError(
                "\(file):\(error.line):\(error.column)", error.description.escapedForTerminal)
        }
    }
}

extension TableReader {
    /// Returns the items of an array of tables, such as `[[hook]]`.
    fileprivate mutating func tables(_ key: String) -> [TOML] {
        value(key, "[[\(key)]], in double brackets, above each \(key)") { $0.array } ?? []
    }
}

/// The hooks of a configuration and the faults in its tables.
private struct HookList {
    private(set) var hooks: [Hook] = []
    /// Each fault with its table, `hook[2]`, and its key. The text contains both: `hook[2] 'slow down': after: …`.
    var faults: [(table: String, text: String, key: String?)] = []
    private var count = 0
    /// The place of the first hook with each name: `hook[2]`.
    private var places: [String: String] = [:]

    mutating func read(_ item: TOML) {
        count += 1
        let place = "hook[\(count)]"
        guard case .table(let values, _) = item else {
            faults.append((place, "\(place): found \(item.withArticle): write a table", nil))
            return
        }
        var reader = TableReader(item)
        let name = values["name"]?.string
        if let hook = Hook(&reader) { hooks.append(hook) }
        if let name {
            if let first = places[name] { reader.fault("name", "\(first) already has this name") }
            places[name] = places[name] ?? place
        }
        let words = place + (name.map { " \($0.quoted)" } ?? "")
        faults += reader.faults.map { (place, "\(words): \($0.text)", $0.key) }
    }
}

/// The faults of a configuration.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// One line for each fault: `config.toml:12: hook[2] 'slow down': after: …`.
    public let faults: [String]

    public init(faults: [String]) {
        self.faults = faults
    }

    init(_ path: String, _ faults: [String]) {
        self.init(faults: faults.map { "\(path.escapedForTerminal): \($0)" })
    }

    init(_ path: String, _ fault: String) {
        self.init(path, [fault])
    }

    public var description: String { faults.joined(separator: "\n") }
}
