import Scenes

extension DesktopObserver {
    /// Marks what an event makes stale. It must not ask the server: the answer would be older than the next
    /// event.
    func note(_ event: DisplayEvent) {
        switch event {
        case .created(let xid, let root, let isOverrideRedirect):
            // The id of a window whose end was not told may come again.
            forget(xid)
            if !isOverrideRedirect { adopt(xid, on: root) }
        case .destroyed(let xid):
            forget(xid)
            stale.hasSigns = true
        case .mapped(let xid, let root, let isOverrideRedirect):
            if !isOverrideRedirect { adopt(xid, on: root) }
            edit(xid) {
                let isNews = $0.withdrewItself || $0.isOverrideRedirect != isOverrideRedirect
                $0.withdrewItself = false
                $0.isOverrideRedirect = isOverrideRedirect
                return isNews
            }
            noteMapState(.viewable, of: xid)
        case .unmapped(let xid, isSynthetic: true):
            edit(xid) {
                $0.withdrewItself = true
                return true
            }
            // Any client can send one, of any window.
            note(.mapping, of: xid)
        case .unmapped(let xid, isSynthetic: false):
            noteMapState(.unmapped, of: xid)
        case .reparented(let xid, let parent, let isOverrideRedirect):
            if !isOverrideRedirect { adopt(xid, on: parent) }
            note([.mapping, .topLevel], of: xid)
        case .configured(let xid):
            if let screen = rootIndex[xid] {
                stale.screens[screen, default: []].insert(.bounds)
            } else {
                note(.place, of: xid)
            }
        case .propertyChanged(let xid, let atom):
            if let screen = rootIndex[xid] {
                noteRootProperty(atom, screen: screen)
            } else if desktop.windows[xid] != nil, let facts = windowFacts(of: atom),
                facts != .title || needsTitle(xid)
            {
                stale.windows[xid, default: []].insert(facts)
            }
        case .visibilityChanged(let xid, let visibility):
            edit(xid) {
                let isNews = $0.visibility != visibility
                $0.visibility = visibility
                return isNews
            }
        case .focusCame(let xid, let isItself): noteFocusCame(to: xid, isItself: isItself)
        case .focusWent: stale.focus = .left
        case .pointerCrossed:
            if case .underPointer = desktop.inputFocus { stale.focus = .wanted }
        }
    }

    /// Marks facts of a window, or of the windows in it if it is a frame.
    private func note(_ facts: Stale.WindowFacts, of xid: UInt32) {
        if desktop.windows[xid] != nil { stale.windows[xid, default: []].insert(facts) }
        for window in framed[xid] ?? [] { stale.windows[window, default: []].insert(facts) }
        stale.hasSigns = true
    }

    /// Takes over what an event says of a known window by itself; `change` tells whether it is news. Most of it
    /// comes twice, on the window and on the root window.
    private func edit(_ xid: UInt32, _ change: (inout WindowFacts) -> Bool) {
        guard let slot = desktop.windows.slot(of: xid), change(&desktop.windows[at: slot]) else { return }
        touched?.append(Int32(slot))
        hasChanged = true
    }

    /// Takes in that a window was mapped or unmapped. Of a child of the root window that says it all; of others,
    /// and of those in a frame, whether they can be seen depends on the windows around them.
    private func noteMapState(_ state: WindowFacts.MapState, of xid: UInt32) {
        guard isChildOfRoot(xid) else {
            note(.mapping, of: xid)
            return
        }
        edit(xid) {
            let isNews = $0.mapState != state
            $0.mapState = state
            return isNews
        }
        // Where there is a window manager, it may be its end that brought this about.
        if desktop.screens.contains(where: { $0.manager != nil }) { stale.hasSigns = true }
    }

    /// Whether a window is known to be a child of the root window and to hold no other known one.
    private func isChildOfRoot(_ xid: UInt32) -> Bool {
        if !framed.isEmpty && framed[xid] != nil { return false }
        if !stale.windows.isEmpty && stale.windows[xid]?.contains(.topLevel) == true { return false }
        return desktop.windows[xid]?.topLevel == xid
    }

    /// Adopts a child of a root window; a child of another window is none of ours.
    private func adopt(_ xid: UInt32, on root: UInt32) {
        if let screen = rootIndex[root] { adopt(xid, screen: screen) }
    }

    private func windowFacts(of atom: UInt32) -> Stale.WindowFacts? {
        switch atoms.name(of: atom) {
        case .wmState: .state
        case .netState: .states
        case .netDesktop: .desktop
        case .wmClass: .names
        case .wmName, .netName: .title
        case .wmTransientFor: .transientFor
        case .netType: .kind
        case .netPid, .wmClientMachine: .process
        default: nil
        }
    }

    private func noteRootProperty(_ atom: UInt32, screen: Int) {
        let facts: Stale.ScreenFacts
        switch atoms.name(of: atom) {
        case .supportingCheck: facts = .check
        case .clientList:
            facts = .clients
            screenNotes[screen].wasRewritten = true
        case .clientListStacking:
            // It is rewritten with every raise, and used for one thing only.
            guard desktop.screens[screen].isShowingDesktop else { return }
            facts = .stacking
        case .activeWindow:
            facts = .activeWindow
            screenNotes[screen].isActiveWindowStale = false
            screenNotes[screen].wasRewritten = true
        case .currentDesktop: facts = .currentDesktop
        case .showingDesktop: facts = .showingDesktop
        default: return
        }
        if facts == .activeWindow {
            screenNotes[screen].wasActiveWindowWritten = true
            if !needsActiveWindow(of: screen) { return }
        }
        stale.screens[screen, default: []].insert(facts)
    }
}
