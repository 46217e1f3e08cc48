import Console
import PhaseWatch
import TOMLKit

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
        let document = try TOMLTable(text: text, file: file)
        // In any spelling; in other kinds of strings the same characters may stand for themselves.
        let mayHoldNUL = text.contains("\\u0000") || text.contains("\\U00000000")
        var reader = TableReader(document, mayHoldNUL: mayHoldNUL)
        reader.refuseKeys(notIn: Self.keys)
        policy = reader.word("policy")
        settle = reader.duration("settle")
        var list = HookList(mayHoldNUL: mayHoldNUL)
        for item in reader.hooks("hook") { list.read(item) }
        hooks = list.hooks
        let faults = reader.faults + list.faults
        guard faults.isEmpty else {
            throw ConfigurationError(faults: faults.map { "\(file.escapedForTerminal): \($0)" })
        }
    }

    private static let keys = Vocabulary(one: "key", many: "keys", words: ["policy", "settle", "hook"])
}

extension TOMLTable {
    fileprivate convenience init(text: String, file: String) throws(ConfigurationError) {
        do {
            try self.init(string: text)
        } catch let error as TOMLParseError {
            let place = error.source.begin
            throw ConfigurationError(
                "\(file):\(place.line):\(place.column)", error.description.escapedForTerminal)
        } catch {
            throw ConfigurationError(file, "\(error)".escapedForTerminal)
        }
    }
}

extension TableReader {
    /// The items of the array that `[[hook]]` makes.
    fileprivate mutating func hooks(_ key: String) -> [any TOMLValueConvertible] {
        value(key, "[[\(key)]], in double brackets, above each hook") { $0.array.map(Array.init) } ?? []
    }
}
