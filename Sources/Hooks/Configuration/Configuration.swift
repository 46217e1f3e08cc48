import Console
import PhaseWatch

/// The contents of config.toml.
public struct Configuration: Hashable, Sendable {
    public var watch = WatchSettings()
    public var journal = JournalSettings()
    /// In file order.
    public var hooks: [Hook] = []

    public init() {}

    /// The keys above all tables, in the order of the manual.
    static let keys: [Key<Configuration>] = [
        Key("policy", .word(), "focus", "windows that count as active", sets: \.watch.policy),
        Key("settle", .duration(), "100ms", "time that a change must last", sets: \.watch.settle),
        Key("session", .wordsOrNone(), "all three", "states that hide all scenes", sets: \.watch.session),
        Key("occlusion", .limit(), "none", "covered time before background", sets: \.watch.occlusion),
        Key("idle", .idle(), "none", "idle time before inactive", sets: \.watch.idle),
        Key("journal", .boolean(), "false", "journal of phase changes", sets: \.journal.isOn),
        Key("titles", .boolean(), "false", "write titles to the journal", sets: \.journal.titles),
        Key("keep", .days(), "90d", "how long journal files are kept", sets: \.journal.days),
    ]

    /// Parses TOML.
    ///
    /// - Parameter file: The file name at the start of each fault.
    /// - Throws: The first syntax error, or else every wrong key and value.
    public init(text: String, file: String) throws(ConfigurationError) {
        let (document, lines) = try Self.document(text, file)
        var reader = TableReader(document)
        reader.read(Self.keys, of: "keys", into: &self, others: ["hook"])
        let tables = reader.read("hook", .hooks()) ?? []
        var faults = reader.faults.map { (lines.line(of: $0.key, in: ""), $0.text) }
        // The place of the first hook with each name: `hook[2]`.
        var places: [String: String] = [:]
        for (index, item) in tables.enumerated() {
            let place = "hook[\(index + 1)]"
            var reader = TableReader(item)
            if let hook = HookTable.hook(&reader) { hooks.append(hook) }
            let name = reader.string("name")
            if let first = name.flatMap({ places[$0] }) {
                reader.fault("name", "\(first) already has this name")
            } else if let name {
                places[name] = place
            }
            let words = place + (name.map { " \($0.quoted)" } ?? "")
            faults += reader.faults.map { (lines.line(of: $0.key, in: place), "\(words): \($0.text)") }
        }
        if faults.isEmpty { return }
        faults.sort { $0.0 ?? 0 < $1.0 ?? 0 }
        throw ConfigurationError(
            faults: faults.map { "\(file.escapedForTerminal)\($0.0.map { ":\($0)" } ?? ""): \($0.1)" })
    }

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

    init(_ path: String, _ fault: String) { self.init(path, [fault]) }

    public var description: String { faults.joined(separator: "\n") }
}
