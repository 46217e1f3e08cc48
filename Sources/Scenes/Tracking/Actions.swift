extension Settler {
    /// Pending changes that are believed together, since one action of the user brought them about.
    struct Action {
        var scenes: [WindowID] = []
        var due = Duration.zero
        private var changes: [Pending] = []

        init(_ changes: [(WindowID, Pending)] = []) {
            for (id, change) in changes { add(id, change) }
        }

        mutating func add(_ id: WindowID, _ change: Pending) {
            scenes.append(id)
            changes.append(change)
        }

        var firstSign: Duration { changes.map(\.firstSign).min() ?? .zero }
        var lastChange: Duration { changes.map(\.since).max() ?? .zero }
        var applications: Set<String> { Set(changes.flatMap(\.applications)) }

        /// The focus went from one window to another and nothing else happened to either.
        var isFocusMove: Bool {
            changes.allSatisfy(\.isFocusOnly) && changes.contains(where: \.rises)
                && changes.contains { !$0.rises }
        }

        /// The focus was lost, and nothing took it yet.
        var isBlur: Bool {
            changes.contains(where: \.isFocusOnly) && !changes.contains(where: \.rises)
        }
    }

    /// Sorts what is pending into actions and says when each is due.
    ///
    /// Together go all that gain or lose the focus, so that a window that rises waits for the one it follows,
    /// and all of one application, so that it does not leave its phase for a moment.
    func actions(awaitsFocus: Bool) -> [Action] {
        var actions = conclusive()
        var others = pending.filter { !$0.value.isConclusive }
        var indices: [String: Int] = [:]

        var focus = Action(others.filter { $0.value.movesFocus }.map { ($0.key, $0.value) })
        if !focus.scenes.isEmpty {
            for id in focus.scenes { others[id] = nil }
            let isPure = focus.isFocusMove
            focus.due = isPure ? focus.lastChange + delays.focusMove : .zero
            if !isPure {
                for name in focus.applications { indices[name] = actions.count }
            }
            actions.append(focus)
        }
        for (id, change) in others {
            let known = change.applications.lazy.compactMap { indices[$0] }.first
            let index = known ?? actions.count
            if known == nil { actions.append(Action()) }
            for name in change.applications { indices[name] = index }
            actions[index].add(id, change)
        }
        for index in Set(indices.values) {
            actions[index].due = due(actions[index], awaitsFocus: awaitsFocus)
        }
        return actions
    }

    private func conclusive() -> [Action] {
        let changes = pending.filter { $0.value.isConclusive }.map { ($0.key, $0.value) }
        return changes.isEmpty ? [] : [Action(changes)]
    }

    private func due(_ action: Action, awaitsFocus: Bool) -> Duration {
        let latest = action.firstSign + delays.latest
        if awaitsFocus && action.isBlur { return latest }
        return min(action.lastChange + delays.settle, latest)
    }
}

extension Settler.Pending {
    /// The application it belonged to and the one it belongs to.
    fileprivate var applications: [String] {
        [believed?.application, read?.application].compactMap { $0 }
    }
}
