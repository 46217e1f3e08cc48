/// An area in which covering changed: the windows below must be judged again.
struct Exposure: Sendable {
    let screen: Int
    let box: Rectangle
    /// The levels between which windows are concerned.
    var lower = Int64.min
    var upper: Int64

    /// A child that is there no longer.
    init(of child: RootChild) {
        (screen, box) = (child.screen, child.hidden)
        upper = child.judgedLevel
    }

    /// For a child that changed its pixels or its level; nil where no window is affected.
    fileprivate init?(from old: RootChild, to new: RootChild, isReshaped: Bool) {
        screen = new.screen
        upper = max(old.judgedLevel, new.level)
        if isReshaped || old.judgedLevel == .max {
            box = old.hidden.union(new.hidden)
        } else {
            guard old.judgedLevel != new.level else { return nil }
            box = new.hidden
            lower = min(old.judgedLevel, new.level)
        }
        if box.isEmpty { return nil }
    }

    func concerns(_ child: RootChild) -> Bool {
        child.level > lower && child.level < upper && child.place.map { $0.intersects(box) } ?? true
    }
}

/// Finds covered windows: subtracts from a window what the windows above it hide.
///
/// What is not known to be opaque hides nothing.
extension Desktop {
    /// A window with more pieces left counts as visible.
    private static let mostPieces = 1000
    /// Beyond that, to look at every window is less work than to ask which are concerned.
    private static let mostExposures = 32

    /// Whether other windows cover all of a window. Other reasons to be hidden are ignored.
    package func isOccluded(_ window: WindowFacts) -> Bool {
        guard stacking.isJudged, let slot = window.topLevel.flatMap({ stacking.slot(of: $0) }),
            var rest = content(of: window)
        else { return false }
        var above = stacking.next(above: slot)
        while let next = above, !rest.isEmpty {
            takeAway(next, from: &rest)
            if rest.count > Self.mostPieces { return false }
            above = stacking.next(above: next)
        }
        return rest.isEmpty
    }

    /// How many pixels a window has to show, and the children of the root window that hide them, the topmost first; nil for one
    /// that is not covered.
    package func cover(of window: WindowFacts) -> (area: Int, children: [Int])? {
        guard isOccluded(window), let own = window.topLevel, var rest = content(of: window) else {
            return nil
        }
        let area = rest.area
        var children: [Int] = []
        for slot in stacking.fromTop(window.screen) {
            if rest.isEmpty || stacking.window(at: slot) == own { break }
            if takeAway(slot, from: &rest) { children.append(slot) }
        }
        return (area, children)
    }

    @discardableResult
    private func takeAway(_ slot: Int, from rest: inout Region) -> Bool {
        let box = stacking[at: slot].hidden
        if box.isEmpty { return false }
        guard stacking[at: slot].hidesPieces else { return rest.subtract(box) }
        guard let pieces = stacking.pieces[Int32(slot)],
            rest.rectangles.contains(where: { $0.intersects(box) })
        else { return false }
        var hasMet = false
        for piece in pieces where rest.count <= Self.mostPieces {
            if rest.subtract(piece) { hasMet = true }
        }
        return hasMet
    }

    /// What of a window could be seen if nothing was above it; nil where that is not known.
    private func content(of window: WindowFacts) -> Region? {
        guard let place = window.place, let surface = surfaces[window.id.xid] else { return nil }
        guard let shape = surface.shape(at: place) else { return nil }
        var content = Region(place.shrunk(by: surface.shadow))
        if surface.isShaped { content.intersect(Region(apart: shape)) }
        let screen = screens[window.screen]
        // With all monitors off it is hidden for that reason.
        let monitors = screen.monitors ?? []
        content.intersect(Region(monitors.isEmpty ? [screen.bounds] : monitors))
        return content
    }

    /// The rectangles that a child of a root window hides of what is below it.
    private func hiding(of slot: Int) -> [Rectangle] {
        let child = stacking[at: slot]
        guard child.isMapped, let place = child.place, let surface = surfaces[child.window],
            !surface.isInputOnly, let shape = surface.shape(at: place)
        else { return [] }
        if !screens[child.screen].isComposited { return shape }
        if surface.isTranslucent { return [] }
        guard let client = child.client.map({ windows.facts[Int($0)] }), !client.isGone else {
            return surface.hasAlpha ? [] : shape
        }
        guard let own = surfaces[client.id.xid], !own.isTranslucent, let clientPlace = client.place else {
            return []
        }
        // A compositor keeps windows mapped that it does not show.
        if case .background = visibility(of: client) { return [] }
        let isWhole = !own.hasAlpha && !own.isShaped
        let opaque = isWhole ? [clientPlace.grown(by: own.frame)] : own.opaque(at: clientPlace) ?? []
        if !surface.isShaped { return opaque.compactMap { $0.intersection(place) } }
        return opaque.flatMap { part in shape.compactMap { $0.intersection(part) } }
    }
}

extension Desktop {
    /// Judges again what the changed children of root windows hide.
    ///
    /// - Returns: The slots of the affected children and of the changed ones.
    package mutating func judgeHiding() -> [Int] {
        let (changed, removed) = stacking.takeChanged()
        if changed.isEmpty && removed.isEmpty { return [] }
        var exposures = removed
        var concerned: [Int] = []
        for slot in changed.lazy.map({ Int($0) }) where stacking.window(at: slot) != 0 {
            concerned.append(slot)
            let pieces = hiding(of: slot)
            let old = stacking[at: slot]
            let isReshaped = !isHiding(slot, pieces)
            if isReshaped { setHiding(slot, pieces) }
            stacking[at: slot].judgedLevel = old.level
            if let exposure = Exposure(from: old, to: stacking[at: slot], isReshaped: isReshaped) {
                exposures.append(exposure)
            }
        }
        if exposures.isEmpty { return concerned }
        if exposures.count > Self.mostExposures { return screens.indices.flatMap { stacking.fromTop($0) } }
        for screen in screens.indices {
            let here = exposures.filter { $0.screen == screen }
            if here.isEmpty { continue }
            for slot in stacking.fromTop(screen) where stacking[at: slot].client != nil {
                if here.contains(where: { $0.concerns(stacking[at: slot]) }) { concerned.append(slot) }
            }
        }
        return concerned
    }

    private func isHiding(_ slot: Int, _ pieces: [Rectangle]) -> Bool {
        let old = stacking[at: slot]
        if old.hidesPieces { return stacking.pieces[Int32(slot)] == pieces }
        return pieces.count > 1 ? false : pieces.first ?? .empty == old.hidden
    }

    private mutating func setHiding(_ slot: Int, _ pieces: [Rectangle]) {
        stacking[at: slot].hidden = pieces.reduce(.empty) { $0.union($1) }
        stacking[at: slot].hidesPieces = pieces.count > 1
        stacking.pieces[Int32(slot)] = pieces.count > 1 ? pieces : nil
    }
}
