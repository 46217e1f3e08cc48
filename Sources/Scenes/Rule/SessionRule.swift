/// The session states that limit the phase of every scene.
package struct SessionLimits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let away = SessionLimits(rawValue: 1)
    package static let lock = SessionLimits(rawValue: 2)
    package static let displayOff = SessionLimits(rawValue: 4)
    package static let idle = SessionLimits(rawValue: 8)

    /// The single limits and their names, by priority: the first limit that holds determines the cause.
    package static let named: [(limit: SessionLimits, name: String)] = [
        (.away, "away"), (.lock, "lock"), (.displayOff, "display-off"), (.idle, "idle"),
    ]
    static let ranked = named.map(\.limit)

    package init(_ states: Set<SessionState>) {
        self.init(
            Self.named.filter { SessionState(rawValue: $0.name).map(states.contains) ?? false }.map(\.limit))
    }

    /// The greatest phase that a scene may have.
    package var cap: ScenePhase { isEmpty ? .active : self == .idle ? .inactive : .background }
}

/// The windows of a screen locker.
package struct LockerWindows: Hashable, Sendable {
    /// The windows, in the order of their IDs.
    package let windows: [WindowID]
}

extension Desktop {
    /// Returns the requested limits that hold. Idleness always counts, because it is read only if requested.
    ///
    /// - Parameter hasLockerCandidates: Whether a window may satisfy `mayBeLocker`.
    package func limits(among wanted: SessionLimits, hasLockerCandidates: Bool = true) -> SessionLimits {
        var limits: SessionLimits = session.isIdle ? .idle : []
        if session.isAway { limits.insert(.away) }
        if session.isDisplayOff { limits.insert(.displayOff) }
        if wanted.contains(.lock), hasLockerCandidates, lock != nil { limits.insert(.lock) }
        return limits.intersection(wanted.union(.idle))
    }

    /// Returns whether a window can belong to a locker: it is not managed, and it hides the windows below it.
    func mayBeLocker(_ window: WindowFacts) -> Bool {
        window.isOverrideRedirect && window.mapState == .viewable && !window.isInputOnly
    }

    /// Whether windows that hide all others can be a lock: the keyboard is grabbed or not known to be free, or
    /// xscreensaver reports a blank or locked screen.
    package var mayBeLocked: Bool { session.isKeyboardGrabbed != false || session.saver != nil }

    /// The windows that lock the screen; nil if it is not locked.
    package var lock: LockerWindows? {
        mayBeLocked ? lockerWindows : nil
    }

    /// The limit of locker windows on a screen. No locker has more; a client with thousands of windows does not slow
    /// the search down.
    private static let mostCandidates = 64

    /// The unmanaged windows that cover all visible windows, or the whole display if there are none; nil if a part of a
    /// window is visible.
    private var lockerWindows: LockerWindows? {
        if showsFocus { return nil }
        var shown: [UInt32: [Rectangle]] = [:]
        for slot in windows.usedSlots {
            let window = windows.facts[slot]
            guard window.mapState == .viewable, isManaged(window), let place = window.place else { continue }
            shown[window.topLevel ?? window.id.xid, default: []].append(place)
        }
        let wholeScreens = shown.isEmpty
        var used: [WindowID] = []
        for (number, screen) in screens.enumerated() {
            var above: [Rectangle] = []
            for slot in stacking.fromTop(number) {
                let xid = stacking.window(at: slot)
                // Frames of clients are not candidates, although they are unmanaged, too.
                if let places = shown.removeValue(forKey: xid) {
                    guard places.allSatisfy({ screen.isHidden($0, under: above) }) else { return nil }
                } else if above.count < Self.mostCandidates, let candidate = windows.slot(of: xid),
                    let place = windows.facts[candidate].place
                {
                    if isDialog(windows.facts[candidate], on: screen, under: above) { return nil }
                    guard hides(windows.facts[candidate], on: screen) else { continue }
                    above.append(place)
                    used.append(windows.facts[candidate].id)
                }
                if shown.isEmpty && !wholeScreens { break }
            }
            if wholeScreens && !screen.isHidden(screen.bounds, under: above) { return nil }
        }
        // A window that is not known to be below the candidates is not hidden.
        return used.isEmpty || !shown.isEmpty ? nil : LockerWindows(windows: used.sorted())
    }

    /// Whether the focused window is above every window that could hide it. This usually avoids examining the others:
    /// for example, a desktop background lies below the focused window.
    private var showsFocus: Bool {
        guard case .window(let xid) = inputFocus, let focused = windows.facts(of: xid),
            focused.mapState == .viewable, isManaged(focused), let place = focused.place,
            let slot = focused.topLevel.flatMap({ stacking.slot(of: $0) })
        else { return false }
        for other in stacking.fromTop(stacking[at: slot].screen) {
            if other == slot { break }
            if let candidate = windows.slot(of: stacking.window(at: other)),
                mayBeLocker(windows.facts[candidate])
            {
                return false
            }
        }
        return !screens[focused.screen].isHidden(place, under: [])
    }

    /// Returns whether a window is a visible dialog over a faded screen. xfce4-session shows one at the end of the
    /// session: a window over the screen, and above it an override-redirect window of type DIALOG. No locker has such a
    /// dialog: i3lock, slock and xsecurelock set no type, xscreensaver sets NOTIFICATION, and the screensavers of MATE,
    /// Xfce, Cinnamon and GNOME ask for the password inside the window that covers the screen.
    private func isDialog(_ window: WindowFacts, on screen: Screen, under others: [Rectangle]) -> Bool {
        guard window.kind == .unmanagedDialog, mayBeLocker(window), let place = window.place else {
            return false
        }
        return !screen.isHidden(place, under: others) && !screen.isHidden(screen.bounds, under: [place])
    }

    /// Returns whether a candidate hides the windows below it. With a compositor, the windows below a candidate with an
    /// alpha channel may be visible.
    private func hides(_ candidate: WindowFacts, on screen: Screen) -> Bool {
        mayBeLocker(candidate) && (candidate.depth != 32 || !screen.isComposited)
    }
}

extension Screen {
    /// The width of the screen edges, in pixels, that lockers need not cover.
    private static let edge: Int32 = 2
    private static let mostPieces = 1000

    /// Returns whether other rectangles cover the visible part of a rectangle on the screen.
    fileprivate func isHidden(_ place: Rectangle, under others: [Rectangle]) -> Bool {
        let inner = Rectangle(
            x: bounds.x + Self.edge, y: bounds.y + Self.edge,
            width: bounds.width - 2 * Self.edge, height: bounds.height - 2 * Self.edge)
        guard let seen = place.intersection(inner) else { return true }
        if others.isEmpty { return monitors.map { !$0.contains(where: seen.intersects) } ?? false }
        var rest = Region(monitors ?? [bounds])
        rest.intersect(Region(seen))
        for other in others {
            rest.subtract(other)
            // No locker leaves that many gaps.
            if rest.isEmpty || rest.count > Self.mostPieces { return rest.isEmpty }
        }
        return rest.isEmpty
    }
}
