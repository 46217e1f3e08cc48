import Console
import PhaseWatch

/// A configuration that is wrong.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// Every fault as a line for people: `config.toml: hook[2] 'slow down': after: …`.
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

extension String {
    private static let mostQuoted = 60

    /// The text between quotation marks, as a message may show it.
    var quoted: String {
        let text = count > Self.mostQuoted ? prefix(Self.mostQuoted) + "…" : self[...]
        return "'\(String(text).escapedForTerminal)'"
    }
}
