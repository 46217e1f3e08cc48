import PhaseWatch

extension Unicode.Scalar {
    /// C0, DEL and C1, which can control a terminal.
    var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value)
    }

    /// Whether the character starts a new line, or changes the direction of text, in a terminal with Unicode support.
    private var isMisleading: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var escaped: String? {
        switch self {
        case "\u{1B}": "\\e"
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        case _ where isControl || isMisleading: "\\u{\(String(value, radix: 16))}"
        default: nil
        }
    }
}

extension String {
    /// The text, escaped for display on a terminal.
    public var escapedForTerminal: String {
        // Most texts are plain ASCII.
        var text = self
        if text.withUTF8({ $0.allSatisfy { (0x20..<0x7F).contains($0) } }) { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if let escaped = scalar.escaped {
                text += escaped
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Change {
    /// The subject of the change, from the application down: `Firefox/Navigator 0x2c00007`.
    public var path: String {
        var path = application.escapedForTerminal
        if let group { path += "/" + group.escapedForTerminal }
        if let facts = scene { path += " \(facts.id)" }
        return path
    }
}
