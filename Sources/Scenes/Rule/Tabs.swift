/// The tabs: windows that share one place, of which one is in front.
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
        for window in clients.prefix(Desktop.mostCompared) {
            let isBehind = clients.prefix(Desktop.mostCompared).contains {
                guard $0.topLevel == window.topLevel, let place = $0.place, let own = window.place else {
                    return false
                }
                return place.contains(own) && $0.frameLevel ?? 0 > window.frameLevel ?? 0
            }
            if !isBehind { continue }
            hidden.insert(window.id.xid)
            all.formUnion(clients.filter { $0.topLevel == window.topLevel }.map(\.id.xid))
        }
    }

    /// Finds the windows with _NET_WM_STATE_HIDDEN whose frame is filled by frames above it, as in i3: by one, or by the
    /// parts of a tab that is split.
    ///
    /// Several window managers leave HIDDEN on restored windows. What covers such a window by chance extends beyond its
    /// frame.
    private mutating func findConcealed(_ desktop: Desktop) {
        let concealed = desktop.windows.facts.filter {
            $0.states.contains(.hidden) && !$0.isGone && $0.mapState == .viewable
        }
        if concealed.isEmpty { return }
        let clients = desktop.clientsInChildren
        for window in concealed {
            guard let index = desktop.stacking.index(of: window.topLevel ?? window.id.xid),
                let frame = desktop.stacking[index].place ?? window.place
            else { continue }
            var rest = Region(frame)
            var front: [UInt32] = []
            for child in desktop.stacking.children[(index + 1)...].suffix(Desktop.mostCompared).reversed() {
                let slot = clients[child.window] ?? desktop.windows.slot(of: child.window)
                let client = slot.map { desktop.windows.facts[$0] }
                guard let place = desktop.place(of: child, client), frame.contains(place),
                    rest.subtract(place)
                else { continue }
                if let client { front.append(client.id.xid) }
            }
            if !rest.isEmpty { continue }
            hidden.insert(window.id.xid)
            all.formUnion([window.id.xid] + front)
        }
    }
}

extension Desktop {
    /// The number of windows that each possible tab is compared with. Comparing all pairs of a client's thousands of
    /// windows would take quadratic time. A window that none of them covers counts as visible.
    fileprivate static let mostCompared = 512

    /// Returns the rectangle that a child of the root window occupies; nil if it is not shown by the window manager.
    /// Besides the frames of clients, those around several frames count: i3 draws the title bars of a split tab in one.
    fileprivate func place(of child: RootChild, _ client: WindowFacts?) -> Rectangle? {
        guard let client else { return child.isMapped ? child.place : nil }
        guard client.mapState == .viewable, client.kind != .desktop, isManaged(client) else { return nil }
        return child.place ?? client.place
    }
}
