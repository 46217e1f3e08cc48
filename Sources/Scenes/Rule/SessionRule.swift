/// What holds of the session and limits the phase of every scene.
package struct SessionLimits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let away = SessionLimits(rawValue: 1)
    package static let lock = SessionLimits(rawValue: 2)
    package static let displayOff = SessionLimits(rawValue: 4)
    package static let idle = SessionLimits(rawValue: 8)

    /// The single limits and their words, by priority: the first that holds names the cause.
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
    /// In the order of their ids.
    package let windows: [WindowID]
}

extension Desktop {
    /// The limits that hold, among those that are wanted. Being idle is read only where it is wanted.
    ///
    /// - Parameter hasLockerCandidates: A window may satisfy `mayBeLocker`.
    package func limits(among wanted: SessionLimits, hasLockerCandidates: Bool = true) -> SessionLimits {
        var limits: SessionLimits = session.isIdle ? .idle : []
        if session.isAway { limits.insert(.away) }
        if session.isDisplayOff { limits.insert(.displayOff) }
        if wanted.contains(.lock), hasLockerCandidates, lock != nil { limits.insert(.lock) }
        return limits.intersection(wanted.union(.idle))
    }

    /// Whether a window can be one of a locker: the window manager does not manage it, and it hides what is below.
    func mayBeLocker(_ window: WindowFacts) -> Bool {
        window.isOverrideRedirect && window.mapState == .viewable && !window.isInputOnly
    }

    /// What hides all windows is a lock only while the keyboard is grabbed, or not known to be free.
    package var mayBeLocked: Bool { session.isKeyboardGrabbed != false || session.saver != nil }

    /// The windows that lock the screen; nil where it is not locked.
    package var lock: LockerWindows? {
        mayBeLocked ? lockerWindows : nil
    }

    /// No locker has more windows; a client that makes thousands of them slows nothing down.
    private static let mostCandidates = 64

    /// The unmanaged windows that cover all visible windows, or the whole display where there are none; nil if a part
    /// of a window can be seen.
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
                // Frames of clients are no candidates, though nobody manages them either.
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
        // A window that is not known to lie under it is not hidden.
        return used.isEmpty || !shown.isEmpty ? nil : LockerWindows(windows: used.sorted())
    }

    /// Whether the window with the focus is above all that could hide it, which most often saves a look at the others: a
    /// picture of the desktop's background lies below it.
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

    /// Whether a window is a dialog over a faded screen, and can be seen. xfce4-session asks so at the end of the session: a window
    /// over the screen, and above it an override-redirect one of type DIALOG. No locker has such a one: i3lock, slock and
    /// xsecurelock set no type, xscreensaver sets NOTIFICATION, and the screensavers of MATE, Xfce, Cinnamon and GNOME ask for the
    /// password inside of the window that covers the screen.
    private func isDialog(_ window: WindowFacts, on screen: Screen, under others: [Rectangle]) -> Bool {
        guard window.kind == .unmanagedDialog, mayBeLocker(window), let place = window.place else {
            return false
        }
        return !screen.isHidden(place, under: others) && !screen.isHidden(screen.bounds, under: [place])
    }

    /// A compositor draws what is below a window with an alpha channel.
    private func hides(_ candidate: WindowFacts, on screen: Screen) -> Bool {
        mayBeLocker(candidate) && (candidate.depth != 32 || !screen.isComposited)
    }
}

extension Screen {
    /// Lockers need not cover the last pixels at the edges.
    private static let edge: Int32 = 2
    private static let mostPieces = 1000

    /// Whether all of a rectangle that can be seen on the screen lies under others.
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
            // A locker leaves no such number of gaps.
            if rest.isEmpty || rest.count > Self.mostPieces { return rest.isEmpty }
        }
        return rest.isEmpty
    }
}
