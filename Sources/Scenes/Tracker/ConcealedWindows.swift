/// The viewable windows with _NET_WM_STATE_HIDDEN. Such a window is behind a tab if another window covers it.
package struct ConcealedWindows: Sendable {
    /// The concealed windows that other windows cover.
    private(set) var covered: Set<UInt32> = []
    /// These windows, and the ones in front that occupy exactly the place of one of them.
    package private(set) var tabs: Set<UInt32> = []

    package init(on desktop: Desktop) {
        let concealed = desktop.windows.facts.filter {
            !$0.isGone && $0.states.contains(.hidden) && $0.mapState == .viewable
        }
        if concealed.isEmpty { return }
        let covering = desktop.windows.facts.lazy.filter { !$0.isGone }.prefix(Desktop.mostCompared)
            .compactMap { window in
                desktop.placeCovered(by: window).map { (window: window, place: $0) }
            }
        for window in concealed {
            guard let place = window.place else { continue }
            let others = covering.filter {
                $0.window.id != window.id && $0.place.contains(place)
            }
            if others.isEmpty { continue }
            covered.insert(window.id.xid)
            tabs.formUnion([window.id.xid] + others.filter { $0.place == place }.map(\.window.id.xid))
        }
    }
}
