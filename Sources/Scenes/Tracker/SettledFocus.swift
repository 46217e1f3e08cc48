/// The scene with the focus, under any policy and any limits of the session.
struct SettledFocus: Sendable {
    /// nil if no scene has the focus.
    private(set) var scene: WindowID?
    private var pending: Pending<WindowID?>?

    /// Records the scene that has the focus now, and returns when to call again; nil if nothing is waiting. A move between
    /// scenes settles as quickly as their phases do.
    ///
    /// - Parameter isHeld: Whether a phase of one of the scenes is about to change, together with the focus.
    mutating func update(to found: WindowID?, _ delays: Delays, isHeld: Bool, at now: Int64) -> Int64? {
        if found == scene {
            pending = nil
            return nil
        }
        Pending.note(found, in: &pending, at: now)
        if isHeld { return nil }
        let quiet = found == nil || scene == nil ? delays.settle : delays.focusMove
        if let due = pending?.due(after: quiet, atMost: delays.latest), due > now { return due }
        scene = found
        pending = nil
        return nil
    }
}
