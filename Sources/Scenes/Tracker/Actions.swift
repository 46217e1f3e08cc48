extension Settler {
    /// Pending changes that are believed together, since one action of the user brought them about.
    struct Action {
        var scenes: [WindowID] = []
        var due = Duration.zero
        private var changes: [Pending] = []

        init(_ changes: [WindowID: Pending] = [:]) {
            for (id, change) in changes { add(id, change) }
        }

        mutating func add(_ id: WindowID, _ change: Pending) {
            scenes.append(id)
            changes.append(change)
        }

        mutating func add(_ other: Action) {
            scenes += other.scenes
            changes += other.changes
        }

        var firstSign: Duration { changes.map(\.firstSign).min() ?? .zero }
        var lastChange: Duration { changes.map(\.since).max() ?? .zero }
        /// Nothing of it would be told: windows stay hidden, for another reason.
        var isSilent: Bool { changes.allSatisfy(\.isSilent) }

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
        var clusters = Clusters()
        let focus = couplesFocus ? others.filter { $0.value.movesFocus } : [:]
        if let due = dueAsFocusMove(focus.values) {
            var move = Action(focus)
            move.due = due
            actions.append(move)
        } else {
            let applications = focus.values.flatMap(\.applications)
            for (id, change) in focus { clusters.add(id, change, to: applications) }
        }
        for id in focus.keys { others[id] = nil }
        for (id, change) in others { clusters.add(id, change, to: change.applications) }
        let rest = clusters.actions.filter { !$0.scenes.isEmpty }.map { action in
            var action = action
            action.due = due(action, awaitsFocus: awaitsFocus)
            return action
        }
        return actions + batched(rest)
    }

    /// Lets actions that are due at nearly the same time wait for each other: one of the user's brings
    /// about many, a few milliseconds apart, and they can be put in order only together.
    private func batched(_ actions: [Action]) -> [Action] {
        var batches: [Action] = []
        var first = Duration.zero
        for action in actions.sorted(by: { $0.due < $1.due }) {
            if let last = batches.last, action.due <= first + delays.batch {
                batches[batches.count - 1].add(action)
                batches[batches.count - 1].due = max(last.due, action.due)
            } else {
                first = action.due
                batches.append(action)
            }
        }
        return batches
    }

    /// Actions of applications that have something to do with each other.
    private struct Clusters {
        /// Those that became part of another one are empty.
        private(set) var actions: [Action] = []
        private var indices: [String: Int] = [:]

        mutating func add(_ id: WindowID, _ change: Pending, to applications: [String]) {
            let known = Set(applications.compactMap { indices[$0] })
            let index = known.min() ?? actions.count
            if index == actions.count { actions.append(Action()) }
            for other in known where other != index {
                actions[index].add(actions[other])
                actions[other] = Action()
                for (name, place) in indices where place == other { indices[name] = index }
            }
            for name in applications { indices[name] = index }
            actions[index].add(id, change)
        }
    }

    private func conclusive() -> [Action] {
        let changes = pending.filter { $0.value.isConclusive }
        return changes.isEmpty ? [] : [Action(changes)]
    }

    private func due(_ action: Action, awaitsFocus: Bool) -> Duration {
        let latest = action.firstSign + delays.latest
        if awaitsFocus && action.isBlur { return latest }
        // On its way back a window may be hidden for several reasons, of which the first one is meant: openbox
        // moves an iconified one in from below the screen.
        if action.isSilent { return latest }
        return min(action.lastChange + delays.settle, latest)
    }
}

extension Settler.Pending {
    /// The application it belonged to and the one it belongs to.
    fileprivate var applications: [String] {
        [believed?.application, read?.application].compactMap { $0 }
    }
}
