import CXPipeline
import CXlib
import Scenes

/// What tells that the screen is locked, or that another virtual terminal is shown.
extension DesktopObserver {
    /// The window of a locker has at least an eighth of the screen.
    private static let smallestPart = 8

    var followsLockers: Bool { session.options.states.contains(.lock) }

    /// Whether the order of windows can tell a lock: where one of those that nobody manages may hide the others, and
    /// the keyboard is not known to be free.
    var mayBeLocked: Bool { session.hasLockerCandidates && followsLockers && desktop.mayBeLocked }

    /// Notes that a window may satisfy `mayBeLocker`. Only then is the server asked whether the keyboard is grabbed,
    /// unless an event has reported.
    func expectLockerCandidates() {
        session.hasLockerCandidates = true
        if followsLockers && desktop.session.isKeyboardGrabbed == nil { stale.session.insert(.keyboard) }
    }

    /// Follows a window that no window manager manages, if it is large enough to belong to a screen locker, or is of the client
    /// of such a one: it may be a dialog over a faded screen.
    func noteLockerCandidate(_ event: cxp_event) {
        guard followsLockers, let screen = roots.firstIndex(of: event.value),
            known.framed[event.window] == nil
        else { return }
        let isLarge = isLarge(Int(event.width), Int(event.height), on: screen)
        guard isLarge || session.lockerClients.contains(display.client(of: event.window)) else { return }
        noteLockerCandidate(event.window, screen, isLarge: isLarge)
    }

    /// Asks for the size of a child of a root window, which neither events nor other answers have reported.
    func findLockerCandidate(_ xid: UInt32, screen: Int) {
        guard followsLockers else { return }
        stale.found.append(Stale.FoundWindow(window: xid, screen: Int32(screen), depth: 1, mayBeLocker: true))
    }

    private func isLarge(_ width: Int, _ height: Int, on screen: Int) -> Bool {
        let bounds = desktop.screens[screen].bounds
        return Self.smallestPart * width * height >= Int(bounds.width) * Int(bounds.height)
    }

    private func noteLockerCandidate(_ xid: UInt32, _ screen: Int, isLarge: Bool) {
        let client = display.client(of: xid)
        // The server's own windows have no client. A compositor has its overlay mapped at all times.
        guard desktop.windows.slot(of: xid) == nil, client != 0 else { return }
        // Frames and hints of a window manager can be many.
        let manager = desktop.screens[screen].manager?.checkWindow.map(display.client)
        if isLarge && client != manager { session.lockerClients.insert(client) }
        stale.lockerCandidates.append(
            Stale.LockerCandidate(window: xid, screen: Int32(screen), isLarge: isLarge))
    }

    /// Adopts the candidates that turned out to be no frames of clients.
    func adoptLockerCandidates() {
        // As long as a client's parents are looked for, any window may be its frame.
        guard stale.slots.isEmpty, stale.climbs.isEmpty else { return }
        for candidate in stale.lockerCandidates
        where known.framed[candidate.window] == nil
            && (candidate.isLarge || session.lockerClients.contains(display.client(of: candidate.window)))
        {
            adopt(
                candidate.window, screen: Int(candidate.screen), isChildOfRoot: true, isOverrideRedirect: true
            )
        }
        stale.lockerCandidates = []
    }

    /// Takes in the size of a window that was found.
    func absorbLockerCandidate(_ reply: Reply, of read: Read) {
        guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
        let place = Rectangle(outerOf: geometry)
        let isLarge = isLarge(Int(place.width), Int(place.height), on: Int(read.place))
        noteLockerCandidate(read.window, Int(read.place), isLarge: isLarge)
    }

    /// Events of the focus tell of a grab of the keyboard, when it begins and ends and while it lasts.
    func noteGrab(_ event: cxp_event) {
        let mode = Int32(event.mode)
        noteGrab(mode == NotifyGrab || mode == NotifyWhileGrabbed)
    }

    /// Takes in whether the keyboard could be had, by a request that cannot get it.
    func absorbKeyboard(_ reply: Reply) {
        switch reply.fixed(xcb_grab_keyboard_reply_t.self).map({ Int32($0.status) }) {
        case AlreadyGrabbed, GrabFrozen: noteGrab(true)
        case GrabNotViewable: noteGrab(false)
        default: break
        }
    }

    private func noteGrab(_ isGrabbed: Bool) {
        guard desktop.session.isKeyboardGrabbed != isGrabbed, followsLockers else { return }
        desktop.session.isKeyboardGrabbed = isGrabbed
        news.hasChanged = true
    }

    /// - Parameter property: XFree86_has_VT, which the server writes; what it does not write counts for nothing.
    func absorbTerminal(_ property: Property?, screen: Int) {
        screenNotes[screen].isAway = property?.words(UInt32(XA_INTEGER)) == [0]
        desktop.session.isAway = screenNotes.contains { $0.isAway }
    }

    /// - Parameter property: _SCREENSAVER_STATUS: a state, a time and what is drawn on each screen.
    func absorbSaverStatus(_ property: Property?, screen: Int) {
        let words = property?.words(UInt32(XA_INTEGER)) ?? []
        let isOn = words.count >= 2 && [atoms[.saverBlank], atoms[.saverLock]].contains(words[0])
        screenNotes[screen].saver =
            isOn ? Session.SaverStatus(since: Int32(bitPattern: words[1])) : nil
        desktop.session.saver = screenNotes.lazy.compactMap(\.saver).first
    }

    /// The facts of a screen that what is wanted of the session needs.
    var wantedFacts: StaleScreenFacts {
        var facts: StaleScreenFacts = []
        if session.options.states.contains(.away) { facts.insert(.terminal) }
        if session.options.states.contains(.lock) { facts.insert(.saverStatus) }
        return facts
    }

    /// Forgets what is not wanted of the session any longer, and reads the rest.
    func followLocks() {
        if !session.options.states.contains(.away) { desktop.session.isAway = false }
        if !followsLockers {
            desktop.session.saver = nil
            desktop.session.isKeyboardGrabbed = nil
        }
        readEverything()
    }
}
