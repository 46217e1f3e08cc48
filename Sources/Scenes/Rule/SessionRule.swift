/// A state of the session that limits the phase of every scene, by priority: the first one that holds determines the
/// cause.
package enum SessionLimit: String, CaseIterable, Codable, Sendable {
    case away, lock
    case displayOff = "display-off"
    case idle
}

extension SessionLimit: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

extension Set<SessionLimit> {
    package init(_ states: Set<SessionState>) {
        self = Set(states.compactMap { SessionLimit(rawValue: $0.rawValue) })
    }

    /// The greatest phase that a scene may have.
    package var cap: ScenePhase { isEmpty ? .active : self == [.idle] ? .inactive : .background }
}

extension Desktop {
    /// Returns the requested limits that hold. Idleness always counts, because it is read only if requested.
    package func limits(among wanted: Set<SessionLimit>) -> Set<SessionLimit> {
        var limits: Set<SessionLimit> = session.isIdle ? [.idle] : []
        if wanted.contains(.away), session.isAway { limits.insert(.away) }
        if wanted.contains(.displayOff), session.displayOff != nil { limits.insert(.displayOff) }
        if wanted.contains(.lock), session.activeSaver != nil || lock != nil { limits.insert(.lock) }
        return limits
    }

    /// Whether windows that cover every monitor can be a lock: the keyboard is grabbed or not known to be free, or
    /// xscreensaver reports a blank or locked screen.
    package var mayBeLocked: Bool { session.isKeyboardGrabbed != false || session.saverSince != nil }

    /// The limit of locker windows. No locker has more; a client with thousands of windows does not slow the search
    /// down.
    private static let mostLockers = 64

    /// The windows that lock the screen, in the order of their IDs: unmanaged ones that cover every monitor. nil if none
    /// lock it, since anything else is visible.
    package var lock: [WindowID]? {
        if !mayBeLocked { return nil }
        var shown: [UInt32: [Rectangle]] = [:]
        for slot in windows.usedSlots {
            let window = windows.facts[slot]
            guard window.mapState == .viewable, isManaged(window), let geometry = window.geometry else {
                continue
            }
            shown[window.topLevel ?? window.id.xid, default: []].append(geometry)
        }
        var used: [WindowID] = []
        var rest = screen.lockedPart
        for child in stacking.order.reversed() {
            // Frames of clients are not lockers, although they are unmanaged, too.
            if let geometries = shown.removeValue(forKey: child) {
                if geometries.contains(where: rest.intersects) { return nil }
            } else if used.count < Self.mostLockers, let window = windows.facts(of: child),
                window.isOverrideRedirect, window.mapState == .viewable, !window.isInputOnly,
                let geometry = window.geometry
            {
                // xfce4-session shows a dialog over a faded screen. Lockers have no such dialog: the password is
                // asked for in the window that covers the screen, or in one of another type.
                let isDialog = window.kind == .unmanagedDialog && rest.intersects(geometry)
                // A program that selects a part of the screen has a shaped window; no locker has. A compositor may show
                // what is below an alpha channel.
                let isOpaque = window.isShaped != true && (window.depth != 32 || !screen.isComposited)
                if isOpaque && rest.subtract(geometry) { used.append(window.id) }
                if isDialog && !rest.isEmpty { return nil }
            }
        }
        // A window that is not known to be below the lockers is not hidden.
        return used.isEmpty || !rest.isEmpty || !shown.isEmpty ? nil : used.sorted()
    }
}

extension Screen {
    /// The width of the edges of a monitor, in pixels, that lockers need not cover.
    private static let edge: Int32 = 2

    /// The part of the screen that lockers cover.
    fileprivate var lockedPart: Region {
        Region(
            parts.map {
                Rectangle(
                    x: $0.x + Self.edge, y: $0.y + Self.edge, width: $0.width - 2 * Self.edge,
                    height: $0.height - 2 * Self.edge)
            })
    }
}
