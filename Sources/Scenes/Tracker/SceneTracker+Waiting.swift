/// The conditions that a change may have to wait for.
extension SceneTracker {
    /// Puts the scenes whose changes have settled into `ready`.
    ///
    /// - Returns: When to check the others again.
    mutating func findReady(_ desktop: Desktop, at now: Int64) -> Int64? {
        ready.empty()
        if settler.pending.isEmpty { return nil }
        // Nearly all changes are focus moves, which need no grouping.
        if let due = settler.dueAsFocusMove(settler.pending, in: table) {
            if due > now { return due }
            ready += settler.pending
            return nil
        }
        var next: Int64?
        // A locker takes the focus before the lock settles: both are one change.
        let awaitsFocus = session.awaitsLock || awaitsFocus(on: desktop)
        for action in settler.actions(in: table, desktop.windows, awaitsFocus: awaitsFocus) {
            if action.due <= now {
                ready += action.scenes
            } else {
                next = min(next ?? action.due, action.due)
            }
        }
        return next
    }

    /// Returns whether a scene that is not visible yet has the focus.
    private func awaitsFocus(on desktop: Desktop) -> Bool {
        if evaluation.activity.isVisible || evaluation.activity.chain.isEmpty { return false }
        var mains: [Int: Int?] = [:]
        return evaluation.activity.chain.windows.contains { xid in
            guard let slot = desktop.windows.slot(of: xid), desktop.isScene(desktop.windows.facts[slot]),
                case let main = desktop.mainSlot(of: slot, known: &mains),
                let scene = table.scene(of: desktop.windows.facts[main].id, at: main),
                table[scene].read.phase != nil
            else { return false }
            // A scene without a pending change is reported as it is read, or is about to be.
            let reported = table[scene].pending == nil ? table[scene].read : table[scene].reported
            return (reported.phase ?? .background) == .background
        }
    }

    /// Marks the scenes that are gone and whose end need not settle: those of destroyed windows, unless the application
    /// remains and would leave its phase. In that case, its next window may be about to get the focus.
    mutating func markConclusive(_ desktop: Desktop) {
        if !settler.pending.contains(where: { table[$0].read.phase == nil }) { return }
        let gone = settler.pending.filter { table[$0].read.phase == nil }
        let names = desktop.windows.names
        // A lower cap is reported before these scenes.
        let cap = min(session.reported.cap, table.cap)
        let destroyed = gone.filter { desktop.windows.slot(of: table[$0].window) == nil }
        var rests: [Int32: Change.Counts] = [:]
        for scene in destroyed {
            guard let phase = table[scene].reportedPhase else { continue }
            let application = table.groups[table[scene].place].application
            rests[application, default: table.groups[application].counts].add(phase, -1)
        }
        // A scene that is read but not reported is pending.
        let coming = settler.pending.filter { table[$0].read.phase != nil }
        let arriving = Set(coming.map { names.applicationName(of: table[$0].read.group) })
        for scene in gone { table[scene].pending?.isConclusive = false }
        for scene in destroyed {
            let application = table.groups[table[scene].place].application
            let reported = table.groups[application].reported.map { min($0, cap) }
            let isConclusive =
                rests[application]?.greatest.map { min($0, cap) == reported }
                ?? !arriving.contains(table.groups[application].name)
            table[scene].pending?.isConclusive = isConclusive
        }
    }
}
