/// While the window manager changes.
extension SceneTracker {
    mutating func holdStill(_ desktop: Desktop, at now: Int64, _ update: inout Update) {
        if !changed.isEmpty { freeze.restart(at: now) }
        freeze.awaitsFocus =
            table.indices.contains { table[$0].told.phase == .active }
            && !table.indices.contains { table[$0].read.phase == .active }
        commitDestroyed(desktop, at: now)
        if let end = freeze.end, end > now {
            hasReread = false
            update.next = end
        } else if !hasReread {
            hasReread = true
            update.wantsFullRead = true
        } else {
            hasReread = false
            fill(&update.batch, desktop.windows.names)
            deltas.removeAll()
            for notice in freeze.thaw() { update.batch.add(notice) }
            commitTakeover(desktop, at: now)
            // The session goes on to settle.
            if session.read != session.told { update.next = now }
        }
    }

    /// Tells that destroyed windows are gone: nothing else is certain during a freeze.
    private mutating func commitDestroyed(_ desktop: Desktop, at now: Int64) {
        settler.dropAll(in: &table)
        ready = table.indices.filter {
            table[$0].told.phase != nil && desktop.windows.slot(of: table[$0].window) == nil
        }
        commit(desktop.windows.names, at: now)
    }

    /// Tells all that is read at the end of a freeze.
    private mutating func commitTakeover(_ desktop: Desktop, at now: Int64) {
        comparesAll = false
        copyFacts(of: [], nil, from: desktop.windows)
        ready = Array(table.indices)
        commit(desktop.windows.names, at: now) {
            [.open, .close, .regroup].contains($0) ? $0 : .windowManager
        }
    }
}
