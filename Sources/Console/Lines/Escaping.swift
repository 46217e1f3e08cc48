import PhaseWatch

extension Unicode.Scalar {
    /// C0, DEL and C1, which can control a terminal.
    var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value)
    }

    /// For the characters that control a terminal, or that start a new line or change the direction of text in one with
    /// Unicode support.
    fileprivate var escaped: String? {
        switch self {
        case "\u{1B}": "\\e"
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        case _ where isControl, "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
            "\u{2066}"..."\u{2069}":
            "\\u{\(String(value, radix: 16))}"
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
        return unicodeScalars.map { $0.escaped ?? String($0) }.joined()
    }
}

extension Int {
    /// `1 hook`, `3 hooks`.
    public func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
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
