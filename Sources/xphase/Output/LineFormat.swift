import Console
import Hooks
import PhaseWatch
import System

/// The format of lines, one for each event.
enum LineFormat {
    case json
    case text(TextLine)
    case template(Template)

    /// Returns whether an event becomes a line. A template may have no field of a notice, and for people, the last phase
    /// of an application and its end are one line.
    func hasPlace(for event: Event) -> Bool {
        switch (self, event) {
        case (.template(let template), .notice): template.mentions(.notice) || template.mentions(.text)
        case (.text, .change(let change)): !(change.kind == .closed && change.held == .zero)
        default: true
        }
    }

    /// The details that lines of scenes contain besides phases.
    var details: PhaseWatcher.Details {
        switch self {
        case .text: return .titles
        case .json: return [.titles, .locations]
        case .template(let template):
            let locations = template.mentions(.monitor) || template.mentions(.desktopName)
            return [template.mentions(.title) ? .titles : [], locations ? .locations : []]
        }
    }

    /// Returns the line of an event, with its newline.
    func line(_ event: Event, sequence: Int, time: Timestamp) -> [UInt8] {
        var line =
            switch self {
            case .json: event.json(sequence: sequence, time: time)
            case .text(let format): Array(format.line(for: event, time: time).utf8)
            case .template(let template):
                Array(template.line(for: event, sequence: sequence, time: time).utf8)
            }
        line.append("\n")
        return line
    }
}

/// The line of an event for people and the journal.
struct TextLine {
    private static let phaseWidth = 10
    private static let causeWidth = 14
    private static let countWidth = 9

    let palette: Palette
    /// The levels of the lines, which decide the width of the column of names.
    var levels: Set<Change.Level> = [.application]

    private var nameWidth: Int { levels.contains(.scene) ? 36 : levels.contains(.group) ? 26 : 18 }

    func line(for event: Event, time: Timestamp) -> String {
        let clock = palette.faint(TimeText.local(time))
        switch event {
        case .notice(let notice):
            return "\(clock)  \(palette.strong("notice"))  \(notice.text.escapedForTerminal)"
        case .change(let change): return "\(clock)  \(text(of: change))"
        }
    }

    private func text(of change: Change) -> String {
        let isStep = change.kind != .title
        let from = (isStep ? change.from?.rawValue ?? "" : "").padded(leftTo: Self.phaseWidth)
        let end = change.isEnd ? nil : change.to
        let to = (end?.rawValue ?? "closed").padded(to: Self.phaseWidth)
        var columns = [
            palette.strong(change.path.padded(to: nameWidth)),
            "\(palette.phase(from, change.from)) \(isStep ? "→" : " ") \(palette.phase(to, end))",
            change.cause.rawValue.padded(to: Self.causeWidth),
            (change.members?.counts.all.of("scene") ?? "").padded(to: Self.countWidth),
        ]
        if isStep, let held = change.held { columns.append(palette.faint("after \(TimeText.short(held))")) }
        if let title = change.scene?.title { columns.append("\"\(title.escapedForTerminal)\"") }
        return columns.joined(separator: "  ").withoutSpacesAtTheEnd
    }
}

extension Change {
    /// Whether the change leads into the background because the last scene has closed. The end of the subject follows.
    fileprivate var isEnd: Bool { kind == .phase && cause == .close && members?.counts.all == 0 }
}

/// A line with fields in braces: `{time} {application} {from} {to} {title:20}`.
struct Template {
    private struct Field {
        let name: EventField
        /// The number of columns that it takes at most; nil for no limit.
        let width: Int?
    }

    /// Literal texts, each before a field; the last one has none.
    private var parts: [(literal: String, field: Field?)] = []

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
            guard let field else { return literal }
            let text = values[field.name]?.text.escapedForTerminal ?? ""
            return literal + (field.width.map { text.fitted(toColumns: $0) } ?? text)
        }.joined()
    }

    var hasFields: Bool { parts.count > 1 }

    func mentions(_ name: EventField) -> Bool { parts.contains { $0.field?.name == name } }

    private static func field(_ text: Substring) throws(CommandFailure) -> Field {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // Who looks for the phase means the one that begins.
        let name = words[0] == "phase" ? EventField.to : EventField(rawValue: String(words[0]))
        guard let name else {
            let names = EventField.allCases.map(\.rawValue)
            let near = NearestWord.to(String(words[0]), among: names).map { " (did you mean '{\($0)}'?)" }
            let all = names.joined(separator: ", ")
            throw .misuse("there is no '{\(text)}'\(near ?? ""); the fields are \(all)")
        }
        if words.count == 1 { return Field(name: name, width: nil) }
        guard let width = Int(words[1]), width > 0 else {
            throw .misuse("'{\(text)}' needs a number of columns, as in '{\(words[0]):20}'")
        }
        return Field(name: name, width: width)
    }

    /// Replaces `\t` and `\n`, which shells do not.
    private static func unescape(_ rest: inout Substring) -> String {
        let escapes: [Character: String] = ["t": "\t", "n": "\n", "\\": "\\"]
        guard let character = rest.first, let text = escapes[character] else { return "\\" }
        rest.removeFirst()
        return text
    }
}
