import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// Passes a reply to the handler of its fact.
    func absorb(_ reply: Reply, of read: Read) {
        // The window may be gone and its slot reused.
        if read.generation != 0 {
            let window = desktop.windows.facts[read.slot]
            guard window.id.generation == read.generation, !window.isGone else { return }
        }
        read.fact.absorb(self, reply, read)
    }

    func absorbState(_ property: Property?, _ slot: Int) {
        let state = property?.word(atoms[.wmState]).flatMap { WindowFacts.ManagedState(rawValue: $0) }
        desktop.windows.facts[slot].state = state
        guard state == .normal || state == .iconic else { return }
        desktop.windows.facts[slot].wasManaged = true
        // The window may be managed now. Then it gets the keys while the pointer is in its frame.
        if case .underPointer = desktop.inputFocus { news.hasAdopted = true }
        if known.notes[slot].wasStateWritten { desktop.windows.facts[slot].withdrewItself = false }
    }

    func absorbStates(_ property: Property?, _ slot: Int) {
        desktop.windows.facts[slot].states = states(property?.words(UInt32(XA_ATOM)) ?? [])
        askForEvents(slot)
        if desktop.windows.facts[slot].states.contains(.shaded) { mark(.place, slot) }
    }

    func absorbKind(_ property: Property?, _ slot: Int) {
        let types = property?.words(UInt32(XA_ATOM)) ?? []
        let kind = types.lazy.compactMap { self.kind($0) }.first ?? .application
        let isDialog = types.first == atoms[.typeDialog] && desktop.windows.facts[slot].isOverrideRedirect
        desktop.windows.facts[slot].kind = isDialog ? .unmanagedDialog : kind
    }

    func absorbAttributes(_ reply: Reply, _ slot: Int) {
        guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else {
            forget(desktop.windows.facts[slot].id.xid)
            return
        }
        let isMapped = Int32(attributes.map_state) != IsUnmapped
        desktop.windows.facts[slot].mapState =
            Int32(attributes.map_state) == IsViewable ? .viewable : isMapped ? .unviewable : .unmapped
        desktop.windows.facts[slot].isOverrideRedirect = attributes.override_redirect != 0
        desktop.windows.facts[slot].isInputOnly = Int32(attributes._class) == InputOnly
        // A client unmaps a window before it reports the withdrawal (ICCCM 4.1.4).
        if isMapped { desktop.windows.facts[slot].withdrewItself = false }
    }

    /// Stores the geometry of a window: the outer corner, and the size with the border.
    func absorbGeometry(_ reply: Reply, _ slot: Int) {
        guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
        let border = Int32(geometry.border_width)
        desktop.windows.facts[slot].depth = geometry.depth
        known.notes[slot].border = border
        desktop.surfaces[desktop.windows.facts[slot].id.xid]?.depth = geometry.depth
        let old = desktop.windows.facts[slot]
        let isChildOfRoot = old.topLevel == old.id.xid
        desktop.windows.facts[slot].place = Rectangle(
            x: isChildOfRoot ? Int32(geometry.x) : old.place?.x ?? 0,
            y: isChildOfRoot ? Int32(geometry.y) : old.place?.y ?? 0,
            width: Int32(geometry.width) + 2 * border, height: Int32(geometry.height) + 2 * border)
    }

    /// TranslateCoordinates returns the corner inside the border.
    func absorbPosition(_ reply: Reply, _ slot: Int) {
        guard let position = reply.fixed(xcb_translate_coordinates_reply_t.self) else { return }
        desktop.windows.facts[slot].place?.x = Int32(position.dst_x) - known.notes[slot].border
        desktop.windows.facts[slot].place?.y = Int32(position.dst_y) - known.notes[slot].border
    }

    /// To shade a window, window managers shrink its frame to the title bar, with or without a border.
    func absorbFrame(_ reply: Reply, _ slot: Int) {
        guard let frame = reply.fixed(xcb_get_geometry_reply_t.self),
            let place = desktop.windows.facts[slot].place
        else { return }
        let border = Int32(frame.border_width)
        let inside = Rectangle(
            x: Int32(frame.x) + border, y: Int32(frame.y) + border, width: Int32(frame.width),
            height: Int32(frame.height))
        let middle = Rectangle(
            x: place.x + place.width / 2, y: place.y + place.height / 2, width: 1, height: 1)
        desktop.windows.facts[slot].visibility = inside.contains(middle) ? .unobscured : .fullyObscured
    }

    /// Ends the search for the child of the root window that contains a window, or continues it further up.
    func absorbParent(_ reply: Reply, of read: Read) {
        let slot = read.slot
        guard let tree = reply.tree else { return }
        if tree.parent == tree.root || tree.parent == 0 {
            place(slot, inTopLevel: read.window)
        } else if isKnownTopLevel(tree.parent) {
            place(slot, inTopLevel: tree.parent)
        } else {
            stale.climbs.append(
                Stale.Climb(slot: read.place, generation: read.generation, ancestor: tree.parent))
        }
    }

    private func isKnownTopLevel(_ xid: UInt32) -> Bool {
        reading.topLevels.contains(xid) || desktop.windows.facts(of: xid)?.topLevel == xid
    }

    /// Records which child of the root window contains a window; nil if unknown.
    func place(_ slot: Int, inTopLevel topLevel: UInt32?) {
        let xid = desktop.windows.facts[slot].id.xid
        if let old = desktop.windows.facts[slot].topLevel, old != xid { leave(frame: old, xid) }
        desktop.windows.facts[slot].topLevel = topLevel
        if let topLevel, topLevel != xid { known.framed[topLevel, default: []].insert(xid) }
        markSurfaceChanged(xid)
        askForEvents(slot)
        if desktop.windows.facts[slot].states.contains(.shaded) { mark(.place, slot) }
        news.hasAdopted = true
    }

    /// Combines numbers: the operations that an option set of another module inherits are not specialized here, and
    /// cost a hundred times as much.
    private func states(_ words: [UInt32]) -> WindowFacts.States {
        var states: UInt8 = 0
        for word in words {
            switch word {
            case atoms[.stateHidden]: states |= WindowFacts.States.hidden.rawValue
            case atoms[.stateShaded]: states |= WindowFacts.States.shaded.rawValue
            case atoms[.stateSticky]: states |= WindowFacts.States.sticky.rawValue
            case atoms[.stateFullscreen]: states |= WindowFacts.States.fullscreen.rawValue
            case atoms[.stateMaximizedVertically]: states |= WindowFacts.States.maximizedVertically.rawValue
            case atoms[.stateMaximizedHorizontally]:
                states |= WindowFacts.States.maximizedHorizontally.rawValue
            default: break
            }
        }
        return WindowFacts.States(rawValue: states)
    }

    /// Returns nil for an unknown type. Clients list types by preference, and the first known one counts.
    private func kind(_ type: UInt32) -> WindowFacts.Kind? {
        switch atoms.name(of: type) {
        case .typeNormal, .typeDialog, .typeUtility, .typeToolbar: .application
        case .typeDesktop: .desktop
        case .typeDock, .typeSplash, .typeTooltip, .typeNotification, .typeMenu, .typeDropdownMenu,
            .typePopupMenu,
            .typeCombo, .typeDnd:
            .accessory
        default: nil
        }
    }
}
