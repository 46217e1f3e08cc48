/// The tabs: windows that share one area, of which one is in front.
package struct Tabs: Sendable {
    /// The windows behind others.
    private(set) var hidden: Set<UInt32> = []
    /// These and the windows in front of them.
    package private(set) var all: Set<UInt32> = []

    init() {}

    init(on desktop: Desktop) {
        findInFrames(desktop)
        findConcealed(desktop)
    }

    /// Finds the windows below another one of the same frame, as in fluxbox and pekwm.
    private mutating func findInFrames(_ desktop: Desktop) {
        let clients = desktop.windows.facts.filter {
            $0.frameLevel != nil && !$0.isGone && $0.mapState == .viewable && desktop.isManaged($0)
        }
        if clients.isEmpty { return }
        for tabs in Dictionary(grouping: clients, by: \.topLevel).values {
            let behind = Self.behindOthers(among: tabs)
            if behind.isEmpty { continue }
            hidden.formUnion(behind)
            all.formUnion(tabs.map(\.id.xid))
        }
    }

    /// Returns the windows of one frame that a window above them contains.
    private static func behindOthers(among tabs: [WindowFacts]) -> [UInt32] {
        var fronts: [(level: Int32, geometry: Rectangle)] = []
        var behind: [UInt32] = []
        for window in tabs.sorted(by: { $0.frameLevel ?? 0 > $1.frameLevel ?? 0 }) {
            guard let geometry = window.geometry else { continue }
            let level = window.frameLevel ?? 0
            // What is behind a window contains nothing that this window does not contain.
            if fronts.contains(where: { $0.level > level && $0.geometry.contains(geometry) }) {
                behind.append(window.id.xid)
            } else if fronts.count < Desktop.mostCompared {
                fronts.append((level, geometry))
            }
        }
        return behind
    }

    /// Finds the windows with _NET_WM_STATE_HIDDEN that frames above them cover, as in i3: one frame, or the parts of a tab
    /// that is split. Several window managers leave HIDDEN on restored windows. What covers such a window by chance extends beyond the
    /// hidden windows; a tab does not, whichever of the two is split.
    private mutating func findConcealed(_ desktop: Desktop) {
        let concealed = desktop.windows.facts.filter {
            $0.states.contains(.hidden) && !$0.isGone && $0.mapState == .viewable
        }
        if concealed.isEmpty { return }
        let children = desktop.stacking.order
        let frames = concealed.compactMap { window -> (window: UInt32, index: Int, frame: Rectangle)? in
            let child = window.topLevel ?? window.id.xid
            guard let index = desktop.stacking.index(of: child) else { return nil }
            return (desktop.facts(of: child)?.geometry ?? window.geometry).map { (window.id.xid, index, $0) }
        }
        let clients = desktop.clientsInChildren
        let covers = children.indices.suffix(Desktop.mostCompared).reversed().compactMap {
            index -> (index: Int, geometry: Rectangle, client: UInt32?)? in
            let client = desktop.client(inChild: children[index], clients)
            guard let geometry = desktop.geometry(of: children[index], client) else { return nil }
            let covered = frames.map(\.frame).filter(geometry.intersects)
            return Rectangle(around: covered)?.contains(geometry) == true
                ? (index, geometry, client?.id.xid) : nil
        }
        for hiddenWindow in frames {
            var rest = Region([hiddenWindow.frame])
            let front = covers.filter { $0.index > hiddenWindow.index && rest.subtract($0.geometry) }
            if !rest.isEmpty { continue }
            hidden.insert(hiddenWindow.window)
            all.formUnion([hiddenWindow.window] + front.compactMap(\.client))
        }
    }
}

extension Desktop {
    /// The number of windows that each possible tab is compared with. Comparing all pairs of a client's thousands of
    /// windows would take quadratic time. A window that none of them covers counts as visible.
    fileprivate static let mostCompared = 512

    /// Returns the rectangle that a child of the root window occupies; nil if it is not shown by the window manager.
    /// Besides the frames of clients, those around several frames count: i3 draws the title bars of a split tab in one.
    fileprivate func geometry(of child: UInt32, _ client: WindowFacts?) -> Rectangle? {
        let frame = facts(of: child)
        guard let client else { return frame?.mapState == .viewable ? frame?.geometry : nil }
        guard client.mapState == .viewable, client.kind != .desktop, isManaged(client) else { return nil }
        return frame?.geometry ?? client.geometry
    }
}
