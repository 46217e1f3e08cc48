/// Determines when pending changes are due: changes that one action of the user caused settle together.
struct Settler: Sendable {
    /// Changes that settle together.
    struct Batch {
        var scenes: [Int]
        var due: Int64
    }

    let delays: Delays
    /// Whether the active phase follows the focus: one window becomes active when another ceases to be.
    let couplesFocus: Bool
    /// Whether the focus is known to be about to move to another window.
    let awaitsFocus: Bool
    /// The scenes whose changes need not settle.
    let conclusive: Set<Int>
    /// The scenes of destroyed windows that had the focus. Another window may be about to get it, even if their change is
    /// conclusive: then both are one batch.
    let bereft: Set<Int>
    /// The scenes that open in a temporary state.
    let unfinished: Set<Int>

    /// All scenes that gain or lose the focus belong together, so a rising window waits for the one that it replaces.
    /// All scenes of one application belong together, so the application does not leave its phase for a moment.
    func batches(of pending: [Int], in scenes: [TrackedScene]) -> [Batch] {
        var batches: [Batch] = []
        let immediate = conclusive.subtracting(bereft)
        if !immediate.isEmpty { batches.append(Batch(scenes: immediate.sorted(), due: 0)) }
        let others = pending.filter { !immediate.contains($0) }
        var focus = others.filter {
            couplesFocus && movesFocus(scenes[$0].reported.judgement, scenes[$0].judged)
        }
        var sets = others.filter {
            !couplesFocus || !movesFocus(scenes[$0].reported.judgement, scenes[$0].judged)
        }
        .map { [$0] }
        if let due = dueAsFocusMove(focus, in: scenes) {
            batches.append(Batch(scenes: focus, due: due))
        } else {
            let closes = focus.filter(conclusive.contains)
            if !closes.isEmpty {
                let due = due(closes.compactMap { scenes[$0].pending }, after: delays.focusMove)
                batches.append(Batch(scenes: closes, due: due))
                focus.removeAll(where: conclusive.contains)
            }
            if !focus.isEmpty { sets.insert(focus, at: 0) }
        }
        let rest = merged(sets, in: scenes).map { Batch(scenes: $0, due: due($0, in: scenes)) }
        return batches + merged(rest)
    }

    /// Returns when changes are due that only move the focus from one window to another; nil for any other changes.
    private func dueAsFocusMove(_ set: [Int], in scenes: [TrackedScene]) -> Int64? {
        guard couplesFocus, set.allSatisfy({ scenes[$0].isFocusOnly || bereft.contains($0) }) else {
            return nil
        }
        let changes = set.compactMap { scenes[$0].pending }
        let rises = changes.count { $0.value.phase == .active }
        return 0 < rises && rises < changes.count ? due(changes, after: delays.focusMove) : nil
    }

    /// Returns when the changes of related applications are due.
    private func due(_ set: [Int], in scenes: [TrackedScene]) -> Int64 {
        let changes = set.compactMap { scenes[$0].pending }
        // The focus was lost, and no window has taken it yet.
        let isBlur =
            set.contains { scenes[$0].isFocusOnly } && !changes.contains { $0.value.phase == .active }
        // While a window is being restored, it may be hidden for several reasons in turn, of which the first one
        // counts: openbox moves an iconified window in from below the screen.
        let isSilent = set.allSatisfy { scenes[$0].reported.judgement.staysHidden(in: scenes[$0].judged) }
        let waits =
            isSilent || awaitsFocus && isBlur || set.contains(where: unfinished.contains)
        return due(changes, after: waits ? delays.latest : delays.settle)
    }

    /// Returns when changes have settled together.
    private func due(_ changes: [Pending<Judgement>], after quiet: Int64) -> Int64 {
        min(
            (changes.map(\.changed).max() ?? 0) + quiet,
            (changes.map(\.firstSign).min() ?? 0) + delays.latest)
    }

    /// Merges batches that are due at nearly the same time. One action of the user may cause several, a few
    /// milliseconds apart, and their changes can be ordered only together.
    private func merged(_ batches: [Batch]) -> [Batch] {
        var merged: [Batch] = []
        var first: Int64 = 0
        for batch in batches.sorted(by: { $0.due < $1.due }) {
            if merged.isEmpty || batch.due > first + delays.batch {
                first = batch.due
                merged.append(batch)
            } else {
                merged[merged.count - 1].scenes += batch.scenes
                merged[merged.count - 1].due = batch.due
            }
        }
        return merged
    }

    /// Merges sets of scenes that belong together if a change of both leaves or enters the same application.
    private func merged(_ sets: [[Int]], in scenes: [TrackedScene]) -> [[Int]] {
        var merged: [[Int]] = []
        /// The index in `merged` of each application.
        var indices: [String: Int] = [:]
        for set in sets {
            let involved = set.flatMap { applications(scenes[$0].reported.judgement, scenes[$0].judged) }
            let known = Set(involved.compactMap { indices[$0] })
            let index = known.min() ?? merged.count
            if index == merged.count { merged.append([]) }
            for other in known where other != index {
                merged[index] += merged[other]
                merged[other] = []
                for (name, former) in indices where former == other { indices[name] = index }
            }
            for name in involved { indices[name] = index }
            merged[index] += set
        }
        return merged.filter { !$0.isEmpty }
    }

    // Not properties of a scene: they would copy it.

    private func movesFocus(_ reported: Judgement, _ judged: Judgement) -> Bool {
        reported.phase == .active || judged.phase == .active
    }

    /// The applications that a scene leaves or enters.
    private func applications(_ reported: Judgement, _ judged: Judgement) -> [String] {
        [reported, judged].filter { $0.phase != nil }.map(\.group.application)
    }
}
