import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    func absorb(_ reply: Reply, of read: Read, onScreen index: Int) {
        switch read.fact {
        case .bounds:
            guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
            desktop.screens[index].bounds = Rectangle(
                width: Int32(geometry.width), height: Int32(geometry.height))
        case .check:
            screenNotes[index].claimedCheck = reply.property?.word(UInt32(XA_WINDOW)) ?? 0
            stale.screens[index].insert(.manager)
        case .clients:
            absorbClients(reply.property?.words(UInt32(XA_WINDOW)), screen: index)
        case .stacking:
            desktop.screens[index].stacking = reply.property?.words(UInt32(XA_WINDOW)) ?? []
        case .activeWindow:
            let active = reply.property?.word(UInt32(XA_WINDOW))
            desktop.screens[index].activeWindow = screenNotes[index].isActiveWindowStale ? nil : active
        case .currentDesktop:
            desktop.screens[index].currentDesktop = reply.property?.word(UInt32(XA_CARDINAL))
        case .showingDesktop:
            let isShown = reply.property?.word(UInt32(XA_CARDINAL)) == 1
            if isShown && !desktop.screens[index].isShowingDesktop { stale.screens[index].insert(.stacking) }
            desktop.screens[index].isShowingDesktop = isShown
        case .checkOfCheck:
            // It must name itself: the property on the root window outlives it, and ids are used again.
            if reply.property?.word(UInt32(XA_WINDOW)) == read.window {
                screenNotes[index].checkWindow = read.window
            }
        case .checkName:
            let name = reply.property?.text(atoms[.utf8String], or: UInt32(XA_STRING))
            screenNotes[index].name = name.flatMap { Text.decode(Text.split($0).first).nonEmpty }
        case .compositor:
            screenNotes[index].compositor = reply.fixed(xcb_get_selection_owner_reply_t.self)?.owner ?? 0
        case .selectionOwner:
            desktop.screens[index].selectionOwner = reply.fixed(xcb_get_selection_owner_reply_t.self)?.owner ?? 0
        case .manager:
            guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else { return }
            // Only who holds SubstructureRedirect on the root window manages it.
            if attributes.all_event_masks & UInt32(SubstructureRedirectMask) != 0 {
                noteManager(screen: index)
            } else {
                noteNoManager(screen: index)
            }
        case .topLevels: absorbTopLevels(reply, screen: index)
        default: break
        }
    }

    /// Judges by what the reads before have found.
    private func noteManager(screen index: Int) {
        let notes = screenNotes[index]
        let old = desktop.screens[index].manager
        let isNew = old == nil || (old?.checkWindow != nil && old?.checkWindow != notes.checkWindow)
        desktop.screens[index].manager = Screen.Manager(checkWindow: notes.checkWindow, name: notes.name)
        if isNew && old != nil { screenNotes[index].wasRewritten = false }
        if old == nil && !notes.isReadWhole { stale.screens[index] = .all }
        let wasTrusted = desktop.screens[index].isTrusted && !isNew
        desktop.screens[index].wasRewritten = screenNotes[index].wasRewritten
        if desktop.screens[index].isTrusted && !wasTrusted {
            markManaged(desktop.screens[index].clients?.order ?? [])
        }
        desktop.screens[index].isOwnCompositor =
            notes.compositor != 0
            && notes.checkWindow.map { display.client(of: $0) == display.client(of: notes.compositor) } == true
    }

    private func noteNoManager(screen index: Int) {
        let wasManaged = desktop.screens[index].manager != nil
        desktop.screens[index].manager = nil
        desktop.screens[index].wasRewritten = false
        desktop.screens[index].isOwnCompositor = false
        screenNotes[index].wasRewritten = false
        if wasManaged {
            screenNotes[index].isActiveWindowStale = true
            desktop.screens[index].activeWindow = nil
        }
    }

    /// - Parameter list: Empty where the manager has no client; nil where the property is not set.
    private func absorbClients(_ list: [UInt32]?, screen index: Int) {
        guard list != desktop.screens[index].clients?.order else { return }
        guard let list else {
            desktop.screens[index].clients = nil
            return
        }
        var clients = desktop.screens[index].clients ?? []
        desktop.screens[index].clients = nil
        let new = clients.replace(with: list)
        desktop.screens[index].clients = clients
        for xid in new { adopt(xid, screen: index, isChildOfRoot: false) }
        if desktop.screens[index].isTrusted { markManaged(new) }
    }

    private func markManaged(_ clients: some Sequence<UInt32>) {
        for xid in clients {
            if let slot = desktop.windows.slot(of: xid) { desktop.windows[at: slot].wasManaged = true }
        }
    }
}

/// The search for windows that existed before the watch: the children of a root window, and the clients in frames.
extension DesktopObserver {
    /// Frames are not nested deeper than this.
    private static let deepest: UInt8 = 4

    func absorbTopLevels(_ reply: Reply, screen: Int) {
        for child in reply.tree?.children ?? [] {
            if let slot = desktop.windows.slot(of: child) {
                if desktop.windows[at: slot].topLevel == nil {
                    place(slot, inTopLevel: child)
                    notes[slot].stale.remove(.topLevel)
                }
            } else {
                stale.found.append(Stale.FoundWindow(window: child, screen: Int32(screen), depth: 1))
            }
        }
    }

    /// Adds the reads that tell whether found windows are clients, and what is in them if they are not.
    ///
    /// - Parameter hasClimbs: Clients look for their frames, which need not be searched then.
    func addReads(of found: [Stale.FoundWindow], hasClimbs: Bool, to pass: inout ReadPass) {
        for window in found {
            func add(_ fact: Fact) {
                pass.add(Read(fact: fact, depth: window.depth, place: window.screen, window: window.window))
            }
            if !window.isFrame {
                add(.foundAttributes)
                if desktop.screens[Int(window.screen)].manager != nil { add(.foundState) }
            } else if hasClimbs {
                stale.found.append(window)
            } else if framed[window.window] == nil {
                add(.foundChildren)
            }
        }
    }

    func absorb(_ reply: Reply, ofFound read: Read) {
        switch read.fact {
        case .foundAttributes:
            let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self)
            if read.depth == 1, attributes?.override_redirect == 0 {
                adopt(read.window, screen: Int(read.place), isChildOfRoot: true)
            }
        case .foundState:
            // Only WM_STATE tells a client inside of a frame, so frames are looked into until one is found.
            if reply.property?.word(atoms[.wmState]) != nil {
                adopt(read.window, screen: Int(read.place), isChildOfRoot: read.depth == 1)
            } else if read.depth < Self.deepest {
                stale.found.append(
                    Stale.FoundWindow(
                        window: read.window, screen: read.place, depth: read.depth, isFrame: true))
            }
        case .foundChildren:
            for child in reply.tree?.children ?? [] where desktop.windows.slot(of: child) == nil {
                stale.found.append(
                    Stale.FoundWindow(window: child, screen: read.place, depth: read.depth + 1))
            }
        default: break
        }
    }
}
