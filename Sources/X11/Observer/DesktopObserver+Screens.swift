import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// The maximum number of monitors. A longer list is ignored.
    private static let mostMonitors = 64

    func absorbBounds(_ reply: Reply, screen index: Int) {
        guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
        desktop.screen.bounds = Rectangle(
            width: Int32(geometry.width), height: Int32(geometry.height))
    }

    func absorbMonitors(_ reply: Reply, screen index: Int) {
        desktop.screen.monitors = reply.rectangles(atMost: Self.mostMonitors)
        noteDisplayFacts()
    }

    func noteShowingDesktop(_ isShown: Bool, screen index: Int) {
        if isShown && !desktop.screen.isShowingDesktop { stale.mark(.stacking, screen: index) }
        desktop.screen.isShowingDesktop = isShown
    }

    func noteCompositor(_ owner: UInt32, screen index: Int) {
        screenNotes[index].compositor = owner
        if desktop.screen.isComposited != (owner != 0) {
            desktop.screen.isComposited = owner != 0
        }
    }

    /// - Parameter reply: The attributes of the root window. Only a client that selects SubstructureRedirect on it
    ///   manages it.
    func absorbManager(_ reply: Reply, screen index: Int) {
        guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else { return }
        if attributes.all_event_masks & UInt32(SubstructureRedirectMask) != 0 {
            noteManager(screen: index)
        } else {
            noteNoManager(screen: index)
        }
    }

    /// Updates the window manager from the results of the previous reads.
    private func noteManager(screen index: Int) {
        let notes = screenNotes[index]
        let old = desktop.screen.manager
        let isNew = old == nil || (old?.checkWindow != nil && old?.checkWindow != notes.checkWindow)
        desktop.screen.manager = Screen.Manager(
            checkWindow: notes.checkWindow, client: notes.checkWindow.map(display.client), name: notes.name)
        if isNew && old != nil { screenNotes[index].wasRewritten = false }
        if old == nil && !notes.isReadWhole { stale.mark(.all, screen: index) }
        let wasTrusted = desktop.screen.isTrusted && !isNew
        desktop.screen.wasRewritten = screenNotes[index].wasRewritten
        if desktop.screen.isTrusted && !wasTrusted {
            markManaged(desktop.screen.clients?.order ?? [])
        }
        desktop.screen.isOwnCompositor =
            notes.compositor != 0
            && notes.checkWindow.map { display.client(of: $0) == display.client(of: notes.compositor) }
                == true
    }

    private func noteNoManager(screen index: Int) {
        let wasManaged = desktop.screen.manager != nil
        desktop.screen.manager = nil
        desktop.screen.wasRewritten = false
        desktop.screen.isOwnCompositor = false
        screenNotes[index].wasRewritten = false
        if wasManaged {
            screenNotes[index].isActiveWindowStale = true
            desktop.screen.activeWindow = nil
            // Windows that the window manager did not manage count now.
            stale.mark(.topLevels, screen: index)
        }
    }

    /// - Parameter list: Empty if the window manager has no clients; nil if the property is not set.
    func absorbClients(_ list: [UInt32]?, screen index: Int) {
        guard list != desktop.screen.clients?.order else { return }
        guard let list else {
            desktop.screen.clients = nil
            return
        }
        let new = list.filter { desktop.screen.clients?.contains($0) != true }
        desktop.screen.clients = WindowList(list)
        for xid in new {
            adopt(xid, screen: index, isChildOfRoot: false)
            edit(xid) { $0.withdrewItself = false }
        }
        if desktop.screen.isTrusted { markManaged(new) }
    }

    private func markManaged(_ clients: some Sequence<UInt32>) {
        for xid in clients {
            if let slot = desktop.windows.slot(of: xid) { desktop.windows.facts[slot].wasManaged = true }
        }
    }
}

/// The search for windows that existed before monitoring began: the children of a root window, and the clients in
/// frames.
extension DesktopObserver {
    /// The maximum nesting depth of frames.
    private static let deepest: UInt8 = 4

    func absorbTopLevels(_ reply: Reply, of read: Read, screen: Int) {
        let children = reply.tree?.children ?? []
        desktop.stacking.replace(with: children)
        screenNotes[screen].stackingRead = read.request
        for child in children {
            followSurface(child, .ofChild)
            reading.topLevels.insert(child)
            if let slot = desktop.windows.slot(of: child) {
                if desktop.windows.facts[slot].topLevel == nil {
                    place(slot, inTopLevel: child)
                    known.notes[slot].stale.remove(.topLevel)
                }
            } else {
                stale.found.append(Stale.FoundWindow(window: child, screen: Int32(screen), depth: 1))
            }
        }
    }

    /// Adopts the found children of the root window that are not frames.
    func adoptWindowsWithoutClients() {
        guard stale.climbs.isEmpty else { return }
        for window in stale.found
        where window.isFrame && !window.isOverrideRedirect && known.framed[window.window] == nil {
            adopt(window.window, screen: Int(window.screen), isChildOfRoot: true)
        }
    }

    /// Adds the reads that determine whether found windows are clients, and search those that are not.
    ///
    /// - Parameter hasClimbs: Whether clients are searching for their frames, which need not be searched then.
    func addReads(of found: [Stale.FoundWindow], hasClimbs: Bool, to pass: inout ReadPass) {
        for window in found {
            func add(_ fact: Fact) {
                pass.add(Read(fact: fact, depth: window.depth, place: window.screen, window: window.window))
            }
            let isManaged = desktop.screen.manager != nil
            if window.mayBeLocker {
                if hasClimbs {
                    stale.found.append(window)
                } else if known.framed[window.window] == nil {
                    add(.foundGeometry)
                }
            } else if window.depth > 1 {
                add(.foundState)
                if window.depth < Self.deepest { add(.foundChildren) }
            } else if !window.isFrame {
                add(.foundAttributes)
                if isManaged { add(.foundState) }
            } else if hasClimbs {
                stale.found.append(window)
            } else if known.framed[window.window] == nil {
                add(.foundChildren)
            }
        }
    }

    func absorbFoundAttributes(_ reply: Reply, of read: Read) {
        reading.foundAttributes = reply.fixed(xcb_get_window_attributes_reply_t.self)
        guard let foundAttributes = reading.foundAttributes else { return }
        noteFound(read, foundAttributes)
        // Without a window manager there are no frames.
        if foundAttributes.override_redirect == 0, desktop.screen.manager == nil {
            adopt(read.window, screen: read.screen, isChildOfRoot: true)
        }
    }

    /// Only WM_STATE identifies a client inside a frame, so frames are searched until one is found.
    func absorbFoundState(_ property: Property?, of read: Read) {
        if property?.word(atoms[.wmState]) != nil {
            adopt(read.window, screen: read.screen, isChildOfRoot: read.depth == 1)
        } else if read.depth == 1, let attributes = reading.foundAttributes {
            noteFrame(read, attributes)
        }
    }

    func absorbFoundChildren(_ reply: Reply, of read: Read) {
        // A client contains no other client.
        if read.depth > 1 && desktop.windows.slot(of: read.window) != nil { return }
        for child in reply.tree?.children ?? [] where desktop.windows.slot(of: child) == nil {
            stale.found.append(Stale.FoundWindow(window: child, screen: read.place, depth: read.depth + 1))
        }
    }

    /// An unmanaged window may belong to a screen locker, now or when it is mapped.
    private func noteFound(_ read: Read, _ attributes: xcb_get_window_attributes_reply_t) {
        guard attributes.override_redirect != 0, Int32(attributes._class) != InputOnly, read.depth == 1 else {
            return
        }
        findLockerCandidate(read.window, screen: Int(read.place))
    }

    /// Of the windows outside the client list, only viewable ones may be clients.
    private func noteFrame(_ read: Read, _ attributes: xcb_get_window_attributes_reply_t) {
        let screen = desktop.screen
        let isListed = screen.isTrusted && screen.clients != nil
        guard !isListed || Int32(attributes.map_state) == IsViewable else { return }
        stale.found.append(
            Stale.FoundWindow(
                window: read.window, screen: read.place, depth: 1, isFrame: true,
                isOverrideRedirect: attributes.override_redirect != 0))
    }
}
