/// What limits the phase of every scene.
extension SceneTracker {
    /// The limits of the session that count.
    package var wantedLimits: SessionLimits { session.wanted }

    /// When a limit of the session began to hold; nil where it does not, or was there before the first update.
    package func start(of limit: SessionLimits) -> Int64? {
        guard session.told.contains(limit), let index = SessionLimits.ranked.firstIndex(of: limit) else {
            return nil
        }
        return session.starts[index]
    }

    /// Tells what limits the phase of every scene now, as one step of all of them.
    mutating func commit(
        _ step: SessionCap.Step, _ desktop: Desktop, at now: Int64, _ update: inout Update
    ) {
        addNotices(of: step, desktop, &update)
        let cap = session.told.cap
        if cap == table.cap { return }
        lines.add(
            cap: cap, step.cause(rises: cap > table.cap), in: &table, desktop.windows.names, at: now)
        lines.tell(of: &table, at: now, in: &deltas)
    }

    func addNotices(of step: SessionCap.Step, _ desktop: Desktop, _ update: inout Update) {
        if step.isEmpty { return }
        let visible = table.indices.count { table[$0].told.phase.map { $0 != .background } ?? false }
        for change in step.changes(on: desktop, visibleCount: visible) { update.batch.add(.session(change)) }
    }
}

/// What says, before it has settled, that an application in the background may be wanted.
extension SceneTracker {
    /// The applications in the background of which a window was read as visible since the last call.
    package mutating func takeSigns() -> Set<String> {
        defer { signs = [] }
        return signs
    }

    /// Notes them among the scenes that are read differently, or among all of them if the session gives the phases back.
    mutating func noteSigns(_ names: GroupNames) {
        let cap = session.read.cap
        for scene in cap > table.cap ? Array(table.indices) : changed {
            guard let phase = table[scene].read.phase, min(phase, cap) > .background,
                (table[scene].toldPhase ?? .background) == .background
            else { continue }
            signs.insert(names.application(of: table[scene].read.group))
        }
    }
}
