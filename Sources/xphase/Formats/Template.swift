import Console
import PhaseWatch
import System

/// A line with fields in braces: `{time} {application} {from} {to}`.
struct Template {
    private enum Part {
        case literal(String)
        case field(EventField)
    }

    private var parts: [Part] = []

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
                parts += [.literal(literal), try Self.field(rest[..<end])]
                literal = ""
                rest = rest[rest.index(after: end)...]
            default: literal.append(character)
            }
        }
        parts.append(.literal(literal))
    }

    func line(for event: Event, sequence: Int, time: Timestamp) -> String {
        var values: [EventField: FieldValue] = [:]
        event.forEachField(sequence: sequence, time: time) { values[$0] = $1 }
        return parts.reduce(into: "") { line, part in
            switch part {
            case .literal(let text): line += text
            case .field(let field): line += values[field]?.text.escapedForTerminal ?? ""
            }
        }
    }

    func mentions(_ field: EventField) -> Bool {
        parts.contains {
            if case .field(field) = $0 { true } else { false }
        }
    }

    private static func field(_ text: Substring) throws(CommandFailure) -> Part {
        if let field = EventField.allCases.first(where: { $0.rawValue == text }) { return .field(field) }
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
