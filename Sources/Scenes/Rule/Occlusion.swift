/// Detection of covered windows: subtracts from a window the areas that windows above it hide. A window that is shaped,
/// translucent or not known to be opaque hides nothing.
extension Rule {
    /// The limit of remaining pieces. A window with more pieces counts as visible.
    private static let mostPieces = 1000
    /// The number of topmost root-window children to examine. A window that they do not cover counts as visible.
    private static let mostLooked = 512

    /// Returns whether other windows cover a window completely. Ignores other reasons to be hidden.
    package func isOccluded(_ window: WindowFacts) -> Bool { cover(of: window) != nil }

    /// Returns the area of a covered window in pixels, and the root-window children that hide it, topmost first; nil if
    /// the window is not covered.
    package func cover(of window: WindowFacts) -> (area: Int, children: [UInt32])? {
        guard !covers.isEmpty, let own = window.topLevel, let geometry = window.geometry else { return nil }
        // What would be visible with no window above.
        let content = Region(desktop.screen.parts.compactMap(geometry.intersection))
        var rest = content
        var children: [UInt32] = []
        for cover in covers {
            if rest.isEmpty || rest.rectangles.count > Self.mostPieces || cover.child == own { break }
            if let area = cover.area, rest.subtract(area) { children.append(cover.child) }
        }
        return rest.isEmpty && desktop.stacking.contains(own) ? (content.area, children) : nil
    }

    /// Returns the topmost children of the root window, topmost first, with the areas in which they hide what is below.
    func findCovers() -> [(child: UInt32, area: Rectangle?)] {
        let clients = desktop.clientsInChildren
        return desktop.stacking.order.suffix(Self.mostLooked).reversed().map { ($0, hiding(of: $0, clients)) }
    }

    /// Returns the area in which a root-window child hides the windows below it; nil if there is none. Of a frame, that is
    /// its client, and what _NET_FRAME_EXTENTS says is drawn around it: managers make frames larger than a compositor draws
    /// them. Of a shaped frame, such as one with round corners, only the client is certain.
    private func hiding(of child: UInt32, _ clients: [UInt32: Int]) -> Rectangle? {
        let isComposited = desktop.screen.isComposited
        guard let frame = desktop.facts(of: child), frame.mapState == .viewable,
            let geometry = frame.geometry,
            !isComposited || !frame.isTranslucent,
            let client = desktop.client(inChild: child, clients),
            client.hidesAll(isComposited: isComposited), let clientGeometry = client.geometry
        else { return nil }
        // A compositor keeps windows mapped that it does not show, and a frame may not show its client.
        if hides(client) { return nil }
        let drawn = frame.isShaped == false ? client.frameExtents.map(clientGeometry.grown) : nil
        return (drawn ?? clientGeometry).intersection(geometry)
    }
}

extension WindowFacts {
    /// Returns whether the window hides everything below its rectangle. Only a compositor draws windows with their
    /// opacity and their alpha channel.
    fileprivate func hidesAll(isComposited: Bool) -> Bool {
        if isInputOnly || isShaped != false { return false }
        return !isComposited || !isTranslucent && depth != 0 && depth != 32
    }
}

extension Desktop {
    /// The slot of the client in each child of the root window that is a frame. The viewable ones come first, and of
    /// these the managed ones: the panel of fvwm reparents windows of other programs into its own.
    package var clientsInChildren: [UInt32: Int] {
        var clients: [UInt32: Int] = [:]
        func rank(_ slot: Int) -> Int { isManaged(windows.facts[slot]) ? 1 : 0 }
        for slot in windows.usedSlots.sorted() where windows.facts[slot].mapState == .viewable {
            guard let top = windows.facts[slot].topLevel, top != windows.facts[slot].id.xid else { continue }
            if let known = clients[top], rank(known) >= rank(slot) { continue }
            clients[top] = slot
        }
        return clients
    }

    /// Returns the client, by `clientsInChildren`, that a child of the root window is or contains; nil for none.
    package func client(inChild child: UInt32, _ clients: [UInt32: Int]) -> WindowFacts? {
        (clients[child] ?? windows.slot(of: child)).map { windows.facts[$0] }
    }
}
