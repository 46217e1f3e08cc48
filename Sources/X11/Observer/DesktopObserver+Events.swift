import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// Marks the facts that an event makes stale, or stores those that it reports. Must not query the server: the reply
    /// and the remaining events would be out of order.
    ///
    /// An event that a client sent proves nothing; it only makes facts stale.
    func note(_ event: cxp_event) {
        let xid = event.window
        switch Int32(event.type) {
        case FocusIn, FocusOut: noteFocus(event)
        case PropertyNotify: noteProperty(event)
        case ButtonPress, ButtonRelease, KeyPress: if !event.is_sent { news.inputs?.append(event) }
        case EnterNotify, LeaveNotify:
            if case .underPointer = desktop.inputFocus { stale.focus = .wanted }
        case Int32(CXP_SHAPE_NOTIFY): noteShape(event)
        case UnmapNotify where event.is_sent: noteWithdrawal(event)
        case VisibilityNotify where event.is_sent: break
        case ConfigureNotify where event.is_sent && reportsKnownPlace(event): break
        case ClientMessage: if wants.requests { noteRequest(event) }
        case Int32(CXP_SAVER_NOTIFY): if !event.is_sent { note(saverEvent: event) }
        case Int32(CXP_ALARM_NOTIFY): if !event.is_sent { note(alarmEvent: event) }
        case _ where event.is_sent: mark(.mapping, of: xid)

        case CreateNotify:
            // The ID of a window whose destruction was not reported may be reused.
            forget(xid)
            forgetSurface(xid)
            if event.override_redirect { noteLockerCandidate(event) } else { adopt(xid, on: event.value) }
            noteStacking(event)
        case DestroyNotify:
            forget(xid)
            forgetSurface(xid)
            noteStacking(event)
            stale.mustCheckManager = true
        case MapNotify:
            if event.override_redirect == false { adoptMapped(xid, on: event.value) }
            edit(xid) {
                $0.withdrewItself = false
                $0.isOverrideRedirect = event.override_redirect
            }
            if event.override_redirect, let slot = desktop.windows.slot(of: xid) {
                expectLockerCandidates()
                if desktop.windows.facts[slot].isShaped == nil { mark(.shape, slot) }
            }
            noteMapState(.viewable, of: xid)
            noteMapped(event, true)
        case UnmapNotify:
            noteMapState(.unmapped, of: xid)
            noteMapped(event, false)
        case ReparentNotify:
            noteParent(event)
            noteStacking(event)
        case ConfigureNotify: notePlace(event)
        case CirculateNotify: noteStacking(event)
        case GravityNotify: mark(.place, of: xid)
        case VisibilityNotify:
            edit(xid) {
                if !$0.states.contains(.shaded) { $0.visibility = WindowFacts.VisibilityState(event.value) }
            }
        default: break
        }
    }

    /// Marks facts of a window as stale, and those of the windows in it if it is a frame.
    func mark(_ facts: StaleFacts, of xid: UInt32) {
        if let screen = roots.firstIndex(of: xid) {
            if facts.contains(.place) { stale.mark(.bounds, screen: screen) }
            return
        }
        if let slot = desktop.windows.slot(of: xid) { mark(facts, slot) }
        for window in known.framed[xid] ?? [] {
            if let slot = desktop.windows.slot(of: window) { mark(facts, slot) }
        }
        stale.mustCheckManager = true
    }

    /// Applies a change that an event reports about a known window.
    func edit(_ xid: UInt32, _ change: (inout WindowFacts) -> Void) {
        guard let slot = desktop.windows.slot(of: xid) else { return }
        let old = desktop.windows.facts[slot]
        change(&desktop.windows.facts[slot])
        guard desktop.windows.facts[slot] != old else { return }
        news.hasChanged = true
    }

    /// Taskbars ask the window manager to activate or close a window by a message to the root window.
    private func noteRequest(_ event: cxp_event) {
        let isRequest = [.activeWindow, .closeWindow].contains(atoms.name(of: event.value))
        if isRequest && news.requested.count < News.mostRequested { news.requested.insert(event.window) }
    }

    /// Returns the windows that the window manager was asked to activate or close since the last call.
    package func takeRequested() -> Set<UInt32> {
        defer { news.requested = [] }
        return news.requested
    }

    /// A client withdraws a window by sending UnmapNotify to the root window (ICCCM 4.1.4), after unmapping it. The map
    /// state is read. Window managers send UnmapNotify to the client itself when they hide a window.
    private func noteWithdrawal(_ event: cxp_event) {
        if roots.contains(event.value), let slot = desktop.windows.slot(of: event.window) {
            known.notes[slot].wasStateWritten = false
            edit(event.window) { $0.withdrewItself = true }
        }
        mark(.mapping, of: event.window)
    }

    /// Records that a window was mapped or unmapped. For a child of the root window that is not a frame, the event is
    /// enough. Whether any other window is viewable depends on the windows around it, and is read.
    private func noteMapState(_ state: WindowFacts.MapState, of xid: UInt32) {
        guard let slot = desktop.windows.slot(of: xid), isPlainTopLevel(slot) else {
            mark(.mapping, of: xid)
            return
        }
        if desktop.windows.facts[slot].mapState != state {
            desktop.windows.facts[slot].mapState = state
            news.hasChanged = true
        }
        checkManagerIfAny()
    }

    /// The end of the window manager may have caused the event: the next pass checks.
    private func checkManagerIfAny() {
        if desktop.screen.manager != nil { stale.mustCheckManager = true }
    }

    /// Returns whether a window is known to be a child of the root window and to contain no other known one.
    func isPlainTopLevel(_ slot: Int) -> Bool {
        let window = desktop.windows.facts[slot]
        return window.topLevel == window.id.xid
            && (known.framed.isEmpty || known.framed[window.id.xid] == nil)
    }

    private func noteParent(_ event: cxp_event) {
        let xid = event.window
        let screen = roots.firstIndex(of: event.value)
        let isOnRoot = screen != nil
        if event.override_redirect == false { adopt(xid, on: event.value) }
        if let screen, event.override_redirect { findLockerCandidate(xid, screen: screen) }
        guard let slot = desktop.windows.slot(of: xid) else {
            mark(.mapping, of: xid)
            return
        }
        place(slot, inTopLevel: isOnRoot ? xid : nil)
        mark(isOnRoot ? .mapping : [.mapping, .topLevel], of: xid)
    }

    /// Adopts a mapped window that is not override-redirect. Reads all facts of a known window that was
    /// override-redirect before.
    private func adoptMapped(_ xid: UInt32, on root: UInt32) {
        guard let slot = desktop.windows.slot(of: xid) else { return adopt(xid, on: root) }
        guard desktop.windows.facts[slot].isOverrideRedirect else { return }
        desktop.windows.facts[slot].isOverrideRedirect = false
        mark(allFacts(slot), slot)
    }

    /// Adopts a child of a root window. Ignores children of other windows.
    private func adopt(_ xid: UInt32, on root: UInt32) {
        if let screen = roots.firstIndex(of: root) { adopt(xid, screen: screen, isChildOfRoot: true) }
    }

    /// Records a move of the focus. A grab takes the keys, not the focus. NotifyInferior moves the focus within the
    /// window. NotifyPointer concerns the window under the pointer.
    private func noteFocus(_ event: cxp_event) {
        if !event.is_sent { noteGrab(event) }
        let (mode, detail) = (Int32(event.mode), Int32(event.detail))
        guard mode == NotifyNormal || mode == NotifyWhileGrabbed, detail != NotifyInferior,
            detail != NotifyPointer
        else { return }
        if event.is_sent {
            if stale.focus == .done { stale.focus = .wanted }
        } else if Int32(event.type) == FocusOut {
            stale.focus = .left
        } else {
            let isVirtual = detail == NotifyVirtual || detail == NotifyNonlinearVirtual
            noteFocusCame(to: event.window, isItself: !isVirtual)
        }
    }
}

extension DesktopObserver {
    private func noteProperty(_ event: cxp_event) {
        if let screen = roots.firstIndex(of: event.window) {
            noteRootProperty(event.value, screen: screen, isSent: event.is_sent)
            return
        }
        if judgesOcclusion && noteSurfaceProperty(event) { return }
        guard let facts = StaleFacts.table.group(of: atoms.name(of: event.value)),
            let slot = desktop.windows.slot(of: event.window)
        else {
            return
        }
        if facts != .title {
            if facts == .state && !event.is_sent { known.notes[slot].wasStateWritten = true }
            mark(facts, slot)
        } else if needsTitle(slot) {
            noteTitle(slot)
        }
    }

    private func noteRootProperty(_ property: UInt32, screen: Int, isSent: Bool) {
        guard let facts = StaleScreenFacts.table.group(of: atoms.name(of: property)) else { return }
        switch facts {
        // Rewritten with every raise, but used only while the desktop is shown.
        case .stacking where !desktop.screen.isShowingDesktop: return
        case .desktopNames where !wants.places: return
        case .clients where !isSent: screenNotes[screen].wasRewritten = true
        case .activeWindow:
            screenNotes[screen].wasActiveWindowWritten = true
            if !isSent {
                screenNotes[screen].isActiveWindowStale = false
                screenNotes[screen].wasRewritten = true
            }
            guard needsActiveWindow(of: screen) else { return }
        default: break
        }
        if facts.isDisjoint(with: wantedFacts) && !facts.isDisjoint(with: .session) { return }
        stale.mark(facts, screen: screen)
    }
}

extension WindowFacts.VisibilityState {
    fileprivate init?(_ state: UInt32) {
        switch Int32(bitPattern: state) {
        case VisibilityUnobscured: self = .unobscured
        case VisibilityPartiallyObscured: self = .partiallyObscured
        case VisibilityFullyObscured: self = .fullyObscured
        default: return nil
        }
    }
}
