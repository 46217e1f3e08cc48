import Console
import Hooks
import PhaseWatch
import System

/// What hooks match on a display.
extension Hook {
    /// Returns the present scenes, groups or applications that the hook reacts to, in words.
    ///
    /// - Parameters:
    ///   - changes: What is present.
    ///   - states: The states of the hook. What it acts on may have no window any longer.
    /// - Returns: nil for a hook on the session.
    func matches(among changes: [Change], and states: [HookStatus] = []) -> String? {
        if !condition.session.isEmpty { return nil }
        let applications = Set(changes.map(\.application))
        let closed = Set(states.compactMap(\.application)).subtracting(applications).sorted()
        let matches =
            changes.filter { $0.level == condition.changes && condition.concerns($0) }
            .map { "\($0.path) (\(PhaseOrClosed($0.to).rawValue))" } + closed.map { "\($0) (closed)" }
        if !matches.isEmpty { return "matches now: \(matches.joined(separator: ", "))" }
        return "matches nothing now" + (absence(among: changes).map { "; \($0.description)" } ?? "")
    }

    /// Returns why none of the applications is there that the hook names; nil if one is there, or the hook names none.
    ///
    /// - Parameter suggests: Whether only a name counts that is probably misspelled.
    func absence(among changes: [Change], suggests: Bool = false) -> CommandFailure? {
        let patterns = condition.criteria.application
        if changes.contains(where: { change in patterns.contains { $0.matches(change) } }) { return nil }
        let names = Set(changes.map(\.application)).sorted()
        let misspelled = patterns.first { pattern in
            CommandFailure.nearest(to: pattern.text, among: names) != nil
                || changes.contains { $0.scene?.title.map(pattern.matches) ?? false }
        }
        if let misspelled { return .noApplication(misspelled.text, among: changes) }
        let all = patterns.map(\.text).joined(separator: "' or '")
        return suggests || patterns.isEmpty ? nil : .noApplication(all, among: changes)
    }

    /// Returns which window keeps each application from the phases of the hook: one that is more active.
    ///
    /// - Parameters:
    ///   - changes: What is present.
    ///   - isMeant: Returns whether an application is reported.
    func obstacles(among changes: [Change], _ isMeant: (String) -> Bool) -> [String] {
        let phases = (pair?.times ?? condition.to).compactMap(\.phase)
        guard condition.changes == .application, let most = phases.max() else { return [] }
        return changes.compactMap { change in
            guard change.level == .application, condition.concerns(change), isMeant(change.application),
                let phase = change.to, phase > most,
                let window = changes.first(where: {
                    $0.level == .scene && $0.application == change.application && $0.to == phase
                })?.scene
            else { return nil }
            let title = window.title.map { " \($0.quoted)" } ?? ""
            let reason = "because its window \(window.id)\(title) is"
            return "\(change.application) is \(phase.rawValue) now, \(reason)"
        }
    }

    /// What begins and ends the states of the session that the hook is about.
    var sessionChanges: [SessionChange] {
        SessionChange.plain.filter { condition.session.contains($0.limit) }
    }

    /// Returns whether a change would make the hook run, enter or leave.
    func reacts(to change: Change) -> Bool {
        pair == nil ? condition.matches(change) : condition.concerns(change)
    }

    /// Returns a change to `phase`, from the present phase if it differs, with a cause that the hook reacts to.
    func change(to state: PhaseOrClosed, of found: Change) -> Change {
        var change = found
        let phase = state.phase
        // An application enters the background before it closes.
        let others = condition.from.sorted() + (phase == nil ? [.background] : ScenePhase.allCases.reversed())
        (change.kind, change.to) = (phase == nil ? .closed : .phase, phase)
        change.from = found.to == phase || phase == nil ? others.first { $0 != phase } : found.to
        change.cause =
            Cause.allCases.first(where: condition.cause.contains)
            ?? state.usualCause
        change.held = .zero
        return change
    }
}

extension PhaseOrClosed {
    fileprivate var usualCause: Cause {
        switch self {
        case .active: .focus
        case .inactive: .blur
        case .background: .iconify
        case .closed: .close
        }
    }
}

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
        if !session.isEmpty {
            let states = session.sorted().map(\.inWords).alternatives
            return switch reaction {
            case .run: "when \(states)\(initial ? ", or is found so at the start" : "")"
            case .pair: "while \(states)\(initial ? "" : ", from the next time on")"
            }
        }
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
        if isOfTitles {
            return "gets that title" + (to.isEmpty ? "" : " while it is \(to.words.alternatives)")
        }
        return switch (from.isEmpty, to.isEmpty) {
        case (true, true): "\(getsTitle ? "gets that title, " : "")opens, changes its phase or closes"
        case (false, true): "leaves \(from.names)"
        case (true, false) where to == [.closed]: "closes"
        case (true, false):
            "becomes \(to.words.alternatives)" + (getsTitle ? ", or gets that title while it is" : "")
        case (false, false): "goes from \(from.names) to \(to.words.alternatives)"
        }
    }
}

extension SessionLimit {
    fileprivate var inWords: String {
        switch self {
        case .away: "another terminal is shown"
        case .lock: "the screen is locked"
        case .displayOff: "the display is off"
        case .idle: "the user is idle"
        }
    }
}

extension Set<ScenePhase> {
    fileprivate var names: String { sorted(by: >).map(\.rawValue).alternatives }
}

extension Hook.Pair {
    fileprivate var inWords: String {
        times.wordsOfState.alternatives
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

    /// `frozen since 14:02 by 'sleep-unseen-chat'`, or `by hand`; nil if nothing is frozen now.
    var freeze: String? {
        guard application != nil, reactions.contains(BuiltIn.freeze.rawValue), processes != nil,
            until == nil || state == .entered
        else { return nil }
        let start = since.map { " since \(TimeText.moment($0.time).dropLast(3))" } ?? ""
        return "frozen\(start) by \(isByHand ? "hand" : "'\(hook)'")"
    }

    /// Whether it is that of a freeze by hand.
    var isByHand: Bool { application.map { hook == Hook.byHand($0).name } ?? false }

    /// `Slack: entered since 12:03:41`, without the name of the hook.
    var line: String { (subject.map { "\($0): " } ?? "") + inWords }

    private var inWords: String {
        let words = [
            state == .unpowered ? "off" : state.rawValue,
            since.map { "since \(TimeText.moment($0.time))" },
            until.map {
                let isThawed = state == .entered && processes == nil
                return "\(isThawed ? "but thawed " : "")until \(TimeText.moment($0.time))"
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
        var (lines, last) = ([String](), String?.none)
        for event in self {
            let subject = event.application ?? "session"
            if subject != last { lines.append("\(subject):") }
            last = subject
            lines.append("  \(event.line(at: now))")
        }
        return lines
    }
}
