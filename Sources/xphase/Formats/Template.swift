import Console
import PhaseWatch
import System

/// A line with fields in braces: `{time} {application} {from} {to}`.
struct Template {
    /// Literal texts, each before a field; the last one has none.
    private var parts: [(literal: String, field: EventField?)] = []

    /// - Throws: `CommandFailure` that names the valid fields.
    init(_ text: String) throws(CommandFailure) {
        var rest = text[...]
        var literal = ""
        while let character = rest.popFirst() {
            switch character {
            case "\\": literal += Self.unescape(&rest)
            case "{" where rest.first == "{", "}" where rest.first == "}":
                literal.append(character)
                rest.removeFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw .misuse("'{' is not closed; write '{{' for a brace")
                }
                parts.append((literal, try Self.field(rest[..<end])))
                literal = ""
                rest = rest[rest.index(after: end)...]
            default: literal.append(character)
            }
        }
        parts.append((literal, nil))
    }

    func line(for event: Event, sequence: Int, time: Timestamp) -> String {
        var values: [EventField: FieldValue] = [:]
        event.forEachField(sequence: sequence, time: time) { values[$0] = $1 }
        return parts.map { literal, field in
            literal + (field.flatMap { values[$0] }?.text.escapedForTerminal ?? "")
        }.joined()
    }

    func mentions(_ field: EventField) -> Bool { parts.contains { $0.field == field } }

    private static func field(_ text: Substring) throws(CommandFailure) -> EventField {
        if let field = EventField(rawValue: String(text)) { return field }
        let names = EventField.allCases.map(\.rawValue).joined(separator: ", ")
        throw .misuse("there is no '{\(text)}'; the fields are \(names)")
    }

    /// Replaces `\t` and `\n`, which shells do not.
    private static func unescape(_ rest: inout Substring) -> String {
        let escapes: [Character: String] = ["t": "\t", "n": "\n", "\\": "\\"]
        guard let character = rest.first, let text = escapes[character] else { return "\\" }
        rest.removeFirst()
        return text
    }
}
