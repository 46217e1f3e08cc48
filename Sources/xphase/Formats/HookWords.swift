import Console
import Hooks
import PhaseWatch
import System

extension Hook {
    /// The first lines of `hooks status`: the name and, indented, when the hook runs and what it does.
    var inWords: [String] {
        let limit = " (time limit \(timeout.text))"
        func list(_ words: [String]) -> String? {
            words.isEmpty ? nil : words.sorted().joined(separator: ", ")
        }
        let lines = [
            occasion,
            unless.map { "unless \($0.words) exits 0" },
            program(of: .enter).map { "\(pair == nil ? "run" : "enter"): \($0.words)\(limit)" },
            list(builtIns.map(\.rawValue)).map { "do: \($0)" },
            cap.map { "cap: \($0.rawValue) of one processor" },
            list(except.map(\.rawValue)).map { "except: \($0)" },
            wake.map { "wake: for \($0.duration.text) every \($0.interval.text)" },
            pair?.leave.map { "leave: \($0.words)\(limit)" },
        ].compactMap(\.self)
        return ([name] + lines.map { "  \($0)" }).map(\.escapedForTerminal)
    }

    /// When the hook runs: `while Slack is in the background, for at least 30s`.
    var occasion: String {
        condition.inWords(for: reaction) + holding + (power.map { ", on \($0.rawValue)" } ?? "")
    }

    private var holding: String {
        let rest = every.map { ", at most every \($0.text)" } ?? ""
        guard after > .zero else { return rest }
        return switch reaction {
        case .run: ", and stays so for \(after.text)\(rest)"
        case .pair: ", for at least \(after.text)"
        }
    }
}

extension Condition {
    fileprivate func inWords(for reaction: Hook.Reaction) -> String {
        let causes = Cause.allCases.filter(cause.contains).map(\.rawValue)
        let because = causes.isEmpty || isOfTitles ? "" : " because of \(causes.alternatives)"
        return switch reaction {
        case .run: "when \(subject) \(step)\(because)\(initial ? ", or is found so at the start" : "")"
        case .pair(let pair):
            "while \(subject) is \(pair.inWords)\(because)\(initial ? "" : ", from its next change on")"
        }
    }

    /// Whether the condition is only about titles.
    private var isOfTitles: Bool { cause == [.title] && !criteria.title.isEmpty }

    private var subject: String {
        var applications = criteria.application.isEmpty ? "any application" : criteria.application.inWords
        if !criteria.instance.isEmpty { applications += " in group \(criteria.instance.inWords)" }
        if !criteria.process.isEmpty { applications += " run by \(criteria.process.inWords)" }
        if !criteria.desktop.isEmpty {
            applications += " on desktop \(criteria.desktop.sorted().map { String($0) }.alternatives)"
        }
        if !criteria.exclude.isEmpty { applications += " but not \(criteria.exclude.inWords)" }
        return switch level {
        case .application: applications
        case .group: "a group of \(applications)"
        case .scene: "a scene of \(applications)\(sceneFacts)"
        case .all where changes == .scene: "scenes of \(applications)\(sceneFacts), as one,"
        case .all: "\(applications), as one,"
        }
    }

    /// What only scenes have.
    private var sceneFacts: String {
        let facts: [(String, [String])] = [
            ("on monitor", criteria.monitor.map(\.text)), ("on desktop", criteria.desktopName.map(\.text)),
            ("with the extent", criteria.extent.map(\.rawValue).sorted()),
            ("in the role", criteria.role.map(\.text)), ("titled", criteria.title.map(\.text)),
        ]
        return facts.filter { !$0.1.isEmpty }.map { " \($0.0) \($0.1.alternatives)" }.joined()
    }

    /// The change to which the hook reacts. With a title, getting that title is such a change, too, unless the hook
    /// names the phase that is left.
    private var step: String {
        let getsTitle = !criteria.title.isEmpty && (cause.isEmpty || cause.contains(.title))
        if isOfTitles { return "gets that title" + (to.isEmpty ? "" : " while it is \(to.names)") }
        return switch (from.isEmpty, to.isEmpty) {
        case (true, true): "\(getsTitle ? "gets that title, " : "")opens, changes its phase or closes"
        case (false, true): "leaves \(from.names)"
        case (true, false): "becomes \(to.names)" + (getsTitle ? ", or gets that title while it is" : "")
        case (false, false): "goes from \(from.names) to \(to.names)"
        }
    }
}

extension Set<ScenePhase> {
    fileprivate var names: String { sorted(by: >).map(\.rawValue).alternatives }
}

extension Hook.Pair {
    fileprivate var inWords: String {
        let words = phases.sorted(by: >).map { $0 == .background ? "in the background" : $0.rawValue }
        return (words + (lastsClosed ? ["closed"] : [])).alternatives
    }
}

extension [Pattern] {
    fileprivate var inWords: String { map(\.text).alternatives }
}

extension [String] {
    /// `a, b or c`.
    fileprivate var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or \(last)"
    }
}
