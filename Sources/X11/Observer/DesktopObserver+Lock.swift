import CXPipeline
import CXlib
import Scenes

/// Detection of a locked screen, and of a switch to another virtual terminal.
extension DesktopObserver {
    /// The window of a locker covers at least an eighth of the screen.
    private static let smallestPart = 8

    var followsLockers: Bool { session.options.states.contains(.lock) }

    /// Whether the stacking order can reveal a lock: an unmanaged window may hide the others, and the keyboard is not
    /// known to be free.
    var mayBeLocked: Bool { session.hasLockerCandidates && followsLockers && desktop.mayBeLocked }

    /// Records that a window may satisfy `mayBeLocker`. Requests whether the keyboard is grabbed, if no event has
    /// reported it.
    func expectLockerCandidates() {
        session.hasLockerCandidates = true
        if followsLockers && desktop.session.isKeyboardGrabbed == nil { stale.session.insert(.keyboard) }
    }

    /// Follows an unmanaged window if it is large enough for a screen locker, or if its client has such a window: it
    /// may be a dialog over a faded screen.
    func noteLockerCandidate(_ event: cxp_event) {
        guard followsLockers, let screen = roots.firstIndex(of: event.value),
            known.framed[event.window] == nil
        else { return }
        let isLarge = isLarge(Int(event.width), Int(event.height), on: screen)
        guard isLarge || session.lockerClients.contains(display.client(of: event.window)) else { return }
        noteLockerCandidate(event.window, screen, isLarge: isLarge)
    }

    /// Requests the size of a child of a root window, if no event or reply has reported it.
    func findLockerCandidate(_ xid: UInt32, screen: Int) {
        guard followsLockers else { return }
        stale.found.append(Stale.FoundWindow(window: xid, screen: Int32(screen), depth: 1, mayBeLocker: true))
    }

    private func isLarge(_ width: Int, _ height: Int, on screen: Int) -> Bool {
        let bounds = desktop.screen.bounds
        return Self.smallestPart * width * height >= Int(bounds.width) * Int(bounds.height)
    }

    private func noteLockerCandidate(_ xid: UInt32, _ screen: Int, isLarge: Bool) {
        let client = display.client(of: xid)
        // The server's own windows have no client. The overlay of a compositor is mapped at all times.
        guard desktop.windows.slot(of: xid) == nil, client != 0 else { return }
        // A window manager can have many frames and hints.
        let manager = desktop.screen.manager?.checkWindow.map(display.client)
        if isLarge && client != manager { session.lockerClients.insert(client) }
        stale.lockerCandidates.append(
            Stale.LockerCandidate(window: xid, screen: Int32(screen), isLarge: isLarge))
    }

    /// Adopts the candidates that are not frames of clients.
    func adoptLockerCandidates() {
        // While the parents of a client are being searched, any window may be its frame.
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

    /// Handles the size of a found window.
    func absorbLockerCandidate(_ reply: Reply, of read: Read) {
        guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
        let place = Rectangle(outerOf: geometry)
        let isLarge = isLarge(Int(place.width), Int(place.height), on: Int(read.place))
        noteLockerCandidate(read.window, Int(read.place), isLarge: isLarge)
    }

    /// Focus events report a keyboard grab when it begins and ends, and while it lasts.
    func noteGrab(_ event: cxp_event) {
        let mode = Int32(event.mode)
        noteGrab(mode == NotifyGrab || mode == NotifyWhileGrabbed)
    }

    /// Handles the reply to a keyboard grab that cannot succeed.
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

    /// - Parameter property: XFree86_has_VT, written by the server. Only a single 0 means that another terminal is
    ///   shown.
    func absorbTerminal(_ property: Property?, screen: Int) {
        screenNotes[screen].isAway = property?.words(UInt32(XA_INTEGER)) == [0]
        desktop.session.isAway = screenNotes.contains { $0.isAway }
    }

    /// - Parameter property: _SCREENSAVER_STATUS: a state, a time, and the drawing on each screen.
    func absorbSaverStatus(_ property: Property?, screen: Int) {
        let words = property?.words(UInt32(XA_INTEGER)) ?? []
        let isOn = words.count >= 2 && [atoms[.saverBlank], atoms[.saverLock]].contains(words[0])
        screenNotes[screen].saver =
            isOn ? Session.SaverStatus(since: Int32(bitPattern: words[1])) : nil
        desktop.session.saver = screenNotes.lazy.compactMap(\.saver).first
    }

    /// The facts of a screen that the wanted session states require.
    var wantedFacts: StaleScreenFacts {
        var facts: StaleScreenFacts = []
        if session.options.states.contains(.away) { facts.insert(.terminal) }
        if session.options.states.contains(.lock) { facts.insert(.saverStatus) }
        return facts
    }

    /// Forgets the session facts that are no longer wanted, and reads everything again.
    func followLocks() {
        if !session.options.states.contains(.away) { desktop.session.isAway = false }
        if !followsLockers {
            desktop.session.saver = nil
            desktop.session.isKeyboardGrabbed = nil
        }
        readEverything()
    }
}
