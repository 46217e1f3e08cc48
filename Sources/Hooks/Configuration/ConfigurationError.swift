import PhaseWatch

/// A configuration that is wrong.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// Every fault as a line for people: `config.toml: hook[2] 'slow down': after: …`.
    package let faults: [String]

    package init(faults: [String]) {
        self.faults = faults
    }

    init(_ path: String, _ fault: String) {
        self.init(faults: ["\(path.escapedForTerminal): \(fault)"])
    }

    package var description: String { faults.joined(separator: "\n") }
}

extension String {
    private static let mostQuoted = 60

    /// The text between quotation marks, as a message may show it.
    var quoted: String {
        let text = count > Self.mostQuoted ? prefix(Self.mostQuoted) + "…" : self[...]
        return "'\(String(text).escapedForTerminal)'"
    }
}
