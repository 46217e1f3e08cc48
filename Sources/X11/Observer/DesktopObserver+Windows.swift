import Scenes

/// The set of known windows.
extension DesktopObserver {
    /// Marks facts of the window in a slot as stale.
    func mark(_ facts: StaleFacts, _ slot: Int) {
        if known.notes[slot].stale.isEmpty { stale.slots.append(Int32(slot)) }
        known.notes[slot].stale.formUnion(facts)
    }

    /// Starts watching a window.
    ///
    /// - Parameters:
    ///   - isChildOfRoot: Whether the window is known to be a child of the root window.
    ///   - isOverrideRedirect: Whether the window is known to be unmanaged.
    func adopt(_ xid: UInt32, screen: Int, isChildOfRoot: Bool, isOverrideRedirect: Bool = false) {
        guard desktop.windows.slot(of: xid) == nil, !roots.contains(xid) else { return }
        // Generation 0 is reserved for reads that concern no slot.
        known.lastGeneration = max(1, known.lastGeneration &+ 1)
        var window = WindowFacts(WindowID(xid, generation: known.lastGeneration))
        window.client = display.client(of: xid)
        if isChildOfRoot { window.topLevel = xid }
        window.isOverrideRedirect = isOverrideRedirect
        if isOverrideRedirect { expectLockerCandidates() }
        let slot = desktop.windows.add(window)
        if slot == known.notes.count {
            known.notes.append(WindowNotes())
        } else {
            known.notes[slot] = WindowNotes()
        }
        known.clients[display.client(of: xid), default: KnownClient()].windowCount += 1
        mark(allFacts(slot), slot)
        followSurface(xid, .ofClient)
        news.hasAdopted = true
    }

    /// Forgets a window that no longer exists, and everything recorded about it.
    func forget(_ xid: UInt32) {
        guard let slot = desktop.windows.slot(of: xid) else { return }
        if let frame = desktop.windows.facts[slot].topLevel, frame != xid { leave(frame: frame, xid) }
        desktop.windows.remove(xid)
        let client = display.client(of: xid)
        known.clients[client]?.windowCount -= 1
        // Another client may get its IDs.
        if known.clients[client]?.windowCount == 0 { known.clients[client] = nil }
        known.nameless.remove(slot)
        known.notes[slot] = WindowNotes()
        news.hasChanged = true
    }

    func leave(frame: UInt32, _ xid: UInt32) {
        known.framed[frame]?.remove(xid)
        if known.framed[frame]?.isEmpty == true { known.framed[frame] = nil }
    }
}
