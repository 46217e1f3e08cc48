import Console
import Hooks
import PhaseWatch

/// What hooks match on a display.
extension Hook {
    /// Returns the present scenes, groups or applications that the hook reacts to, in words.
    ///
    /// - Parameters:
    ///   - changes: What is present.
    ///   - states: The states of the hook. What it acts on may have no window any longer.
    func matches(among changes: [Change], and states: [HookStatus] = []) -> String {
        let applications = Set(changes.map(\.application))
        let closed = Set(states.compactMap(\.application)).subtracting(applications).sorted()
        let matches =
            changes.filter { $0.level == condition.changes && condition.concerns($0) }
            .map { "\($0.path) (\($0.to?.rawValue ?? "closed"))" } + closed.map { "\($0) (closed)" }
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
        let misspelled = patterns.first { CommandFailure.nearest(to: $0.text, among: names) != nil }
        if let misspelled { return .noApplication(misspelled.text, among: changes) }
        let all = patterns.map(\.text).joined(separator: "' or '")
        return suggests || patterns.isEmpty ? nil : .noApplication(all, among: changes)
    }

    /// Returns whether a change would make the hook run, enter or leave.
    func reacts(to change: Change) -> Bool {
        pair == nil ? condition.matches(change) : condition.concerns(change)
    }

    /// Returns a change to `phase`, from the present phase if it differs, with a cause that the hook reacts to.
    func change(to phase: ScenePhase, of found: Change) -> Change {
        var change = found
        let others = condition.from.sorted() + ScenePhase.allCases.reversed()
        (change.kind, change.to) = (.phase, phase)
        change.from = found.to == phase ? others.first { $0 != phase } : found.to
        change.cause =
            Cause.allCases.first(where: condition.cause.contains)
            ?? (phase == .background ? .iconify : phase == .active ? .focus : .blur)
        change.held = .zero
        return change
    }
}
