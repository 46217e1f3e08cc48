import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// Adds the reads of all stale facts, ordered so that a reply can build on those before it.
    func addReads(of stale: borrowing Stale, to pass: inout ReadPass) {
        for screen in roots.indices { addReads(of: stale.screens[screen], screen, to: &pass) }
        addReads(of: stale.session, to: &pass)
        for slot in stale.slots { addReads(inSlot: Int(slot), to: &pass) }
        for climb in stale.climbs {
            pass.add(
                Read(
                    fact: .parent, place: climb.slot, generation: climb.generation, window: climb.ancestor))
        }
        addReads(of: stale.found, hasClimbs: !stale.climbs.isEmpty, to: &pass)
        addReads(of: stale.surfaces, to: &pass)
        for atom in stale.atoms { pass.add(Read(fact: .atomName, window: atom)) }
        switch stale.focus {
        case .done, .wanted, .left: break
        case .climbing(_, let ancestor): pass.add(Read(fact: .focusParent, window: ancestor))
        case .pointer(let only):
            for (screen, root) in roots.enumerated() where screen == only ?? screen {
                pass.add(Read(fact: .pointer, place: Int32(screen), window: root))
            }
        }
        reading.focusSearch = stale.focus
        pass.add(Read(fact: .focus))
    }

    private func addReads(of facts: StaleSessionFacts, to pass: inout ReadPass) {
        if facts.isEmpty { return }
        if facts.contains(.savers) {
            for (screen, root) in roots.enumerated() {
                pass.add(Read(fact: .saver, place: Int32(screen), window: root))
            }
        }
        if facts.contains(.power) { pass.add(Read(fact: .power)) }
        if facts.contains(.counters) {
            pass.add(Read(fact: .syncVersion))
            pass.add(Read(fact: .counters))
        }
        if facts.contains(.keyboard) { pass.add(Read(fact: .keyboard, window: roots[0])) }
        if facts.contains(.idle), let counter = session.idleCounter {
            pass.add(Read(fact: .idle, window: counter))
        }
    }

    private func addReads(of stale: StaleScreenFacts, _ screen: Int, to pass: inout ReadPass) {
        screenNotes[screen].isReadWhole = stale.isSuperset(of: .all)
        if stale.contains(.activeWindow) { screenNotes[screen].wasActiveWindowWritten = false }
        if stale.contains(.manager) {
            screenNotes[screen].checkWindow = nil
            screenNotes[screen].name = nil
        }
        var facts = stale.subtracting(.session.subtracting(wantedFacts)).union(.always)
        if !wants.places { facts.remove(.desktopNames) }
        pass.add(facts, of: StaleScreenFacts.table, for: self, place: screen, window: roots[screen])
    }

    private func addReads(inSlot slot: Int, to pass: inout ReadPass) {
        let facts = known.notes[slot].stale
        known.notes[slot].stale = []
        guard !facts.isEmpty else { return }
        // Events are selected before the first read, so that later changes are reported.
        askForEvents(slot)
        let window = desktop.windows.facts[slot].id
        pass.add(
            facts, of: StaleFacts.table, for: self, place: slot, generation: window.generation,
            window: window.xid)
    }

    func isChildOfRoot(_ slot: Int) -> Bool {
        desktop.windows.facts[slot].topLevel == desktop.windows.facts[slot].id.xid
    }

    func root(ofSlot slot: Int) -> UInt32 { display.root }

    /// Returns the child of the root window whose size shows whether the window in it is shaded; nil if the window does
    /// not have SHADED.
    func shadedFrame(_ slot: Int) -> UInt32? {
        let window = desktop.windows.facts[slot]
        return window.states.contains(.shaded) ? window.topLevel : nil
    }

    /// Returns the window that _NET_SUPPORTING_WM_CHECK names; nil for none.
    func claimedCheck(_ screen: Int) -> UInt32? {
        let check = screenNotes[screen].claimedCheck
        return check == 0 ? nil : check
    }

    /// Selects the events of a window that its facts depend on, unless they are selected already.
    func askForEvents(_ slot: Int) {
        let window = desktop.windows.facts[slot]
        var events = PropertyChangeMask | FocusChangeMask
        // The root window reports changes of its children.
        let hasFrame = window.topLevel != window.id.xid
        if hasFrame { events |= StructureNotifyMask }
        if window.states.contains(.hidden) && !window.states.contains(.shaded) {
            events |= VisibilityChangeMask
        }
        if focus.followsPointer { events |= EnterWindowMask | LeaveWindowMask }
        let mask = UInt32(events)
        guard known.notes[slot].events != mask else { return }
        // Without the event, the last visibility is out of date.
        if (known.notes[slot].events ^ mask) & UInt32(VisibilityChangeMask) != 0 {
            desktop.windows.facts[slot].visibility = nil
        }
        known.notes[slot].events = mask
        cxp_select(display.connection, window.id.xid, mask)
    }
}
