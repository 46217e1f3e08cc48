import Console
import Hooks
import PhaseWatch
import System

extension HookStatus {
    /// One line of `hooks status --json`.
    var json: [UInt8] {
        [UInt8](jsonLine: [
            ("v", .number(1)), ("hook", .text(hook)), ("state", .text(state.rawValue)),
            ("application", .text(application)), ("subject", .text(subject)), ("since", .time(since?.time)),
            ("until", .time(until?.time)), ("reactions", .texts(reactions)),
            ("unit", .text(unit)), ("processes", .number(processes)), ("reason", .text(reason)),
        ])
    }

    /// `Slack: entered since 12:03:41`, without the name of the hook.
    var line: String { (subject.map { "\($0): " } ?? "") + inWords }

    private var inWords: String {
        let words = [
            state == .unpowered ? "off" : state.rawValue,
            since.map { "since \(TimeText.local($0.time).prefix(8))" },
            until.map {
                "\(state == .entered ? "but thawed " : "")until \(TimeText.local($0.time).prefix(8))"
            },
        ]
        let parts = [words.compactMap(\.self).joined(separator: " ")] + reactions
        let text = parts.joined(separator: ", ") + held
        return reason.map { "\(text): \($0)" } ?? text
    }

    private var held: String {
        let words = [unit, processes.map { $0 == 1 ? "1 process" : "\($0) processes" }].compactMap(\.self)
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }
}

extension HookEvent {
    /// One line of `hooks why --json`.
    var json: [UInt8] {
        [UInt8](jsonLine: [
            ("v", .number(1)), ("hook", .text(hook)), ("application", .text(application)),
            ("what", .text(kind.rawValue)), ("time", .time(time.time)), ("reason", .text(reason)),
        ])
    }

    /// `12:03:41  matched  active → background, iconify (4m12s ago)`.
    func line(at now: Timestamp) -> String {
        let age = TimeText.short(.seconds(max(0, now.seconds - time.time.seconds)))
        let width = (Kind.allCases.map(\.rawValue.count).max() ?? 0) + 2
        let what = kind.rawValue.replacing("-", with: " ").padded(to: width)
        return "\(TimeText.local(time.time).prefix(8))  \(what)\(reason) (\(age) ago)"
    }
}

extension [HookEvent] {
    /// Returns the events for people: each application, followed by its events, indented.
    func inWords(at now: Timestamp) -> [String] {
        var (lines, application) = ([String](), String?.none)
        for event in self {
            if event.application != application { lines.append("\(event.application):") }
            application = event.application
            lines.append("  \(event.line(at: now))")
        }
        return lines
    }
}
