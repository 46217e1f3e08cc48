/// Detection of covered windows: subtracts from a window the areas that windows above it hide.
///
/// A window that is shaped, translucent or not known to be opaque hides nothing.
extension Desktop {
    /// The limit of remaining pieces. A window with more pieces counts as visible.
    private static let mostPieces = 1000
    /// The number of topmost root-window children to examine. A window that they do not cover counts as visible.
    private static let mostLooked = 512

    /// Returns whether other windows cover a window completely. Ignores other reasons to be hidden.
    package func isOccluded(_ window: WindowFacts) -> Bool {
        // The usual case.
        if !stacking.isJudged { return false }
        return coveredArea(of: window) { _ in } != nil
    }

    /// Returns the area of a covered window in pixels, and the root-window children that hide it, topmost first; nil if
    /// the window is not covered.
    package func cover(of window: WindowFacts) -> (area: Int, children: [Int])? {
        var children: [Int] = []
        return coveredArea(of: window) { children.append($0) }.map { ($0, children) }
    }

    /// - Parameter note: Called with each child that hides a part of the window.
    private func coveredArea(of window: WindowFacts, note: (Int) -> Void) -> Int? {
        guard stacking.isJudged, let own = window.topLevel.flatMap({ stacking.slot(of: $0) }),
            let content = content(of: window)
        else { return nil }
        var rest = content
        for slot in stacking.fromTop(stacking[at: own].screen).prefix(Self.mostLooked) {
            if rest.isEmpty || rest.count > Self.mostPieces || slot == own { break }
            if rest.subtract(stacking[at: slot].hidden) { note(slot) }
        }
        return rest.isEmpty ? content.area : nil
    }

    /// Returns the area of a window that would be visible with no window above it; nil if unknown.
    private func content(of window: WindowFacts) -> Region? {
        guard let place = window.place else { return nil }
        let screen = screens[window.screen]
        // With all monitors off, the window is hidden for that reason.
        let monitors = screen.monitors ?? []
        return Region((monitors.isEmpty ? [screen.bounds] : monitors).compactMap(place.intersection))
    }

    /// Returns the area in which a root-window child hides the windows below it.
    ///
    /// Of a frame, that is only its client: managers shape frames, and make them larger than a compositor draws them.
    private func hiding(of slot: Int) -> Rectangle {
        let child = stacking[at: slot]
        guard child.isMapped, let place = child.place, let surface = surfaces[child.window] else {
            return .empty
        }
        let isComposited = screens[child.screen].isComposited
        guard let client = child.client.map({ windows.facts[Int($0)] }), !client.isGone else {
            return surface.hidesAll(isComposited: isComposited) ? place : .empty
        }
        guard let own = surfaces[client.id.xid], own.hidesAll(isComposited: isComposited),
            let clientPlace = client.place
        else { return .empty }
        if isComposited && surface.isTranslucent { return .empty }
        // A compositor keeps windows mapped that it does not show, and a frame may not show its client.
        if case .background = visibility(of: client) { return .empty }
        return clientPlace.intersection(place) ?? .empty
    }

    /// Recomputes the areas that the changed children of root windows hide.
    ///
    /// - Returns: The slots of the changed and the affected children.
    package mutating func judgeHiding() -> Set<Int32> {
        let changed = stacking.takeChanged()
        for slot in changed { stacking.hide(hiding(of: Int(slot)), by: Int(slot)) }
        return changed.union(stacking.takeExposed())
    }
}
