import Console
import PhaseWatch

/// What the configuration file says.
public struct Configuration: Hashable, Sendable {
    /// nil where it says nothing about it.
    public var policy: PhasePolicy?
    public var settle: Duration?
    /// In the order of the file.
    public var hooks: [Hook] = []

    public init() {}

    /// Reads TOML.
    ///
    /// - Parameter file: The name that faults begin with.
    /// - Throws: All faults of the syntax, or else of the meaning.
    public init(text: String, file: String) throws(ConfigurationError) {
        var reader = TableReader(try Self.document(text, file))
        reader.refuseKeys(notIn: Self.keys)
        policy = reader.word("policy")
        settle = reader.duration("settle")
        var list = HookList()
        for item in reader.hooks("hook") { list.read(item) }
        hooks = list.hooks
        let faults = reader.faults + list.faults
        guard faults.isEmpty else {
            throw ConfigurationError(faults: faults.map { "\(file.escapedForTerminal): \($0)" })
        }
    }

    private static let keys = Vocabulary(one: "key", many: "keys", words: ["policy", "settle", "hook"])

    private static func document(_ text: String, _ file: String) throws(ConfigurationError) -> TOML {
        do throws(TOML.SyntaxError) {
            return try TOML(document: text)
        } catch {
            throw ConfigurationError(
                "\(file):\(error.line):\(error.column)", error.description.escapedForTerminal)
        }
    }
}

extension TableReader {
    /// The items of the array that `[[hook]]` makes.
    fileprivate mutating func hooks(_ key: String) -> [TOML] {
        value(key, "[[\(key)]], in double brackets, above each hook") { $0.array } ?? []
    }
}

/// The hooks of a configuration, as they are read one after the other.
private struct HookList {
    private(set) var hooks: [Hook] = []
    /// Each behind its place: `hook[2] 'slow down': after: …`.
    private(set) var faults: [String] = []
    private var count = 0
    /// Where each name was first.
    private var places: [String: Int] = [:]

    mutating func read(_ item: TOML) {
        count += 1
        guard case .table(let values, _) = item else {
            faults.append("hook[\(count)]: found \(item.withArticle): write a table")
            return
        }
        var reader = TableReader(item)
        let name = values["name"]?.string
        if let hook = Hook(&reader) { hooks.append(hook) }
        if let name { refuseTwice(name, &reader) }
        let place = "hook[\(count)]" + (name.map { " \($0.quoted)" } ?? "")
        faults += reader.faults.map { "\(place): \($0)" }
    }

    private mutating func refuseTwice(_ name: String, _ reader: inout TableReader) {
        if let place = places[name] {
            reader.fault("name", "hook[\(place)] has it already")
        } else {
            places[name] = count
        }
    }
}
