/// The viewable windows whose WM_STATE has become Iconic a moment ago. Window managers that are no compositors write it
/// before they unmap a window. If the window remains, the state is stale: xfwm4 leaves it on dialogs that a desktop
/// switch shows again.
struct NewlyIconic: Sendable {
    /// How long the state counts, in nanoseconds.
    private static let limit: Int64 = 500_000_000

    /// When each window became Iconic. It includes those for which this was too long ago.
    private var since: [UInt32: Int64] = [:]
    private(set) var windows: Set<UInt32> = []
    /// When the state of a window ceases to count.
    private(set) var next: Int64?

    /// - Parameter isStart: Whether the state may have been written long ago.
    mutating func update(to desktop: Desktop, isStart: Bool, at now: Int64) {
        let old = since
        (since, windows, next) = ([:], [], nil)
        if desktop.screen.mayHideMapped { return }
        for index in desktop.windows.facts.indices where desktop.windows.facts[index].state == .iconic {
            let window = desktop.windows.facts[index]
            // A window manager without frames that is still alive has unmapped the window already.
            guard window.mapState == .viewable, !window.isGone, window.topLevel != window.id.xid else {
                continue
            }
            let first = old[window.id.xid] ?? (isStart ? now - Self.limit : now)
            since[window.id.xid] = first
            if now < first + Self.limit {
                windows.insert(window.id.xid)
                next = min(next ?? .max, first + Self.limit)
            }
        }
    }
}
