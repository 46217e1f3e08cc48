import Console
import PhaseWatch
import System

/// A line with fields in braces: `{time} {application} {from} {to}`.
struct Template {
    /// The valid fields: the JSON keys.
    enum Field: String, CaseIterable {
        case v, seq, time, kind, change, application, group, scene, from, to, cause, held, title, pid, desktop
        case monitor, extent, role, scenes, pids, notice, text
        case desktopName = "desktop_name"
    }

    private enum Part {
        case literal(String)
        case field(Field)
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
        var line = ""
        for part in parts {
            switch part {
            case .literal(let text): line += text
            case .field(.seq): line += String(sequence)
            case .field(.time): line += TimeText.utc(time)
            case .field(let field): line += field.value(of: event).escapedForTerminal
            }
        }
        return line + "\n"
    }

    func mentions(_ field: Field) -> Bool {
        parts.contains {
            if case .field(field) = $0 { true } else { false }
        }
    }

    private static func field(_ text: Substring) throws(CommandFailure) -> Part {
        if let field = Field(rawValue: String(text)) { return .field(field) }
        let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
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

extension Template.Field {
    /// Returns the value of the field; empty if the event has none.
    fileprivate func value(of event: Event) -> String {
        switch event {
        case .notice(let notice):
            switch self {
            case .kind: "notice"
            case .notice: notice.name
            case .text: notice.text
            case .cause: notice.cause?.rawValue ?? ""
            case .v: "1"
            default: ""
            }
        case .change(let change): value(of: change)
        }
    }

    private func value(of change: Change) -> String {
        switch self {
        case .v: "1"
        case .kind: change.level.rawValue
        case .change: change.kind.rawValue
        case .application: change.application
        case .group: change.group ?? ""
        case .from: change.from?.rawValue ?? ""
        case .to: change.to?.rawValue ?? ""
        case .cause: change.cause.rawValue
        case .held: change.held.map(TimeText.seconds) ?? ""
        case .scene, .title, .pid, .desktop, .role, .monitor, .desktopName, .extent:
            sceneValue(of: change.subject)
        case .scenes, .pids: memberValue(of: change.subject)
        case .seq, .time, .notice, .text: ""
        }
    }

    private func sceneValue(of subject: Change.Subject) -> String {
        guard case .scene(let facts) = subject else { return "" }
        return switch self {
        case .scene: facts.id.description
        case .title: facts.title ?? ""
        case .pid: facts.pid.map { String($0) } ?? ""
        case .role: facts.role ?? ""
        case .monitor: facts.monitor ?? ""
        case .desktopName: facts.desktopName ?? ""
        case .extent: facts.extent?.rawValue ?? ""
        default: facts.desktop.map { String($0) } ?? ""
        }
    }

    private func memberValue(of subject: Change.Subject) -> String {
        switch subject {
        case .scene: ""
        case .group(let members), .application(let members):
            self == .scenes
                ? String(members.counts.all) : members.pids.map { String($0) }.joined(separator: ",")
        }
    }
}
