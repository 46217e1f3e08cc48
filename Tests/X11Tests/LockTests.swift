import CXPipeline
import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Signs of a locked screen or of another virtual terminal.
@Suite struct LockTests {
    private let display: ObservedDisplay
    private let alpha: TestWindow

    init() throws {
        display = try ObservedDisplay()
        display.observer.follow(SessionOptions())
        alpha = TestWindow(display.client, .init("Alpha"), colour: 0)
        alpha.map()
        _ = try display.seen()
    }

    /// Creates an unmanaged window, by default over the whole screen.
    private func lockerWindow(
        width: UInt32 = 640, height: UInt32 = 480, hasAlpha: Bool = false, isMapped: Bool = true
    ) -> TestWindow {
        var properties = TestWindow.Properties("Locker")
        properties.isOverrideRedirect = true
        properties.hasAlpha = hasAlpha
        let window = TestWindow(
            display.client, properties, colour: 1, x: 0, y: 0, width: width, height: height)
        if isMapped { window.map() }
        return window
    }

    private func setRoot(_ name: String, _ type: String, _ words: [UInt]) throws -> Session {
        display.client.setRoot(name, type, words)
        return try display.seen().session
    }

    @Test func aFocusThatMovesAsUsualReportsThatNobodyHasTheKeys() throws {
        display.client.setFocus(alpha.id)
        #expect(try display.seen().session.isKeyboardGrabbed == false)
        _ = lockerWindow()
        #expect(try display.seen().lock == nil)
        display.client.grabKeyboard()
        #expect(try display.seen().lock != nil)
    }

    @Test func theServerReportsThatAnotherTerminalIsShown() throws {
        #expect(try setRoot("XFree86_has_VT", "INTEGER", [0]).isAway)
        #expect(try !setRoot("XFree86_has_VT", "INTEGER", [1]).isAway)
    }

    @Test(
        arguments: [
            ("CARDINAL", [0]), ("INTEGER", []), ("INTEGER", [0, 0]), ("INTEGER", [2]),
            ("INTEGER", [0xFFFF_FFFF]),
            ("ATOM", [0]),
        ] as [(String, [UInt])])
    func aLockThatNoServerWritesCountsForNothing(type: String, words: [UInt]) throws {
        #expect(try setRoot("XFree86_has_VT", "INTEGER", [0]).isAway)
        #expect(try !setRoot("XFree86_has_VT", type, words).isAway)
    }

    @Test func xscreensaverReportsThatItHidesTheScreen() throws {
        let (blank, lock) = (display.client.atom("BLANK"), display.client.atom("LOCK"))
        #expect(try setRoot("_SCREENSAVER_STATUS", "INTEGER", [blank, 77, 1]).saverSince == 77)
        #expect(try setRoot("_SCREENSAVER_STATUS", "INTEGER", [lock, 78, 1]).saverSince == 78)
        #expect(try setRoot("_SCREENSAVER_STATUS", "INTEGER", [0, 79, 1]).saverSince == nil)
    }

    @Test func aStatusThatXscreensaverNeverWritesCountsForNothing() throws {
        let lock = display.client.atom("LOCK")
        let values: [(String, [UInt])] = [
            ("CARDINAL", [lock, 1]), ("INTEGER", [lock]), ("INTEGER", []), ("INTEGER", [0xFFFF_FFFF, 1]),
            ("INTEGER", [1, 1]),
        ]
        for (type, words) in values {
            #expect(try setRoot("_SCREENSAVER_STATUS", "INTEGER", [lock, 1]).saverSince != nil)
            #expect(try setRoot("_SCREENSAVER_STATUS", type, words).saverSince == nil)
        }
    }

    @Test func aFocusEventReportsByItsModeWhetherTheKeyboardIsGrabbed() {
        for (mode, isGrabbed) in [
            (NotifyGrab, true), (NotifyNormal, false), (NotifyWhileGrabbed, true), (NotifyUngrab, false),
        ] {
            let kind = DisplayEvent.Kind.focus(isIn: false, mode: mode, detail: NotifyNonlinear)
            display.observer.note(DisplayEvent(kind, of: UInt32(alpha.id)))
            #expect(display.observer.desktop.session.isKeyboardGrabbed == isGrabbed, "\(mode)")
        }
    }

    @Test func sessionStatesThatAreFollowedAgainAreReadAgain() throws {
        _ = lockerWindow()
        display.client.grabKeyboard()
        let lock = display.client.atom("LOCK")
        #expect(try setRoot("_SCREENSAVER_STATUS", "INTEGER", [lock, 1]).isKeyboardGrabbed == true)
        #expect(try setRoot("XFree86_has_VT", "INTEGER", [0]).isAway)
        display.observer.follow(SessionOptions(states: []))
        #expect(try display.seen().session == Session())
        #expect(try setRoot("_SCREENSAVER_STATUS", "INTEGER", [lock, 2]) == Session())
        display.observer.follow(SessionOptions())
        let session = try display.seen().session
        #expect(session.isAway && session.saverSince == 2 && session.isKeyboardGrabbed == true)
    }

    /// As after the machine was asleep.
    @Test func theEndOfAGrabThatNoEventReportsIsRead() throws {
        _ = lockerWindow()
        display.client.grabKeyboard()
        #expect(try display.seen().lock != nil)
        display.client.releaseKeyboard()
        try display.observer.display.drain { _ in }
        #expect(try display.seen().lock != nil)
        display.observer.readEverything()
        #expect(try display.seen().lock == nil)
    }

    /// The window manager may be the locker. Its other windows are frames and hints, which are not read.
    @Test func onlyTheLargeWindowsOfTheManagerAreRead() throws {
        display.client.manage()
        alpha.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [alpha.id])
        display.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [alpha.id])
        #expect(try display.seen().screen.manager?.checkWindow == UInt32(alpha.id))
        // An eighth of the screen, and a little less.
        for (height, isRead): (UInt32, Bool) in [(159, false), (160, true), (9, false)] {
            let window = lockerWindow(width: 240, height: height)
            #expect(try (display.seen(window) != nil) == isRead, "\(height)")
        }
    }

    @Test func anEventThatAClientSentReportsOfNoGrab() throws {
        let kind = DisplayEvent.Kind.focus(isIn: false, mode: NotifyGrab, detail: NotifyNonlinear)
        var event = DisplayEvent(kind, of: UInt32(alpha.id))
        event.isSent = true
        display.observer.note(event)
        #expect(display.observer.desktop.session.isKeyboardGrabbed == nil)
    }

    @Test func aLockerIsAWindowOverAllAndAGrab() throws {
        let locker = lockerWindow()
        display.client.grabKeyboard()
        #expect(try display.seen().lock == [WindowID(UInt32(locker.id), generation: 2)])
        display.client.releaseKeyboard()
        #expect(try display.seen().lock == nil)
        display.client.grabKeyboard()
        #expect(try display.seen().lock != nil)
        locker.unmap()
        #expect(try display.seen().lock == nil)
        locker.map()
        #expect(try display.seen().lock != nil)
        // A change of the stacking order needs no read, but a refresh.
        alpha.raise()
        #expect(try display.seen().lock == nil)
        locker.raise()
        #expect(try display.seen().lock != nil)
        locker.destroy()
        #expect(try display.seen().lock == nil)
    }

    /// Nothing but the order changes, and the keyboard is known to be free.
    @Test func aWindowRaisedAboveWhatXscreensaverShowsEndsTheLock() throws {
        let locker = lockerWindow()
        display.client.setFocus(alpha.id)
        _ = try setRoot("_SCREENSAVER_STATUS", "INTEGER", [display.client.atom("LOCK"), 1])
        #expect(try display.seen().session.isKeyboardGrabbed == false && display.seen().lock != nil)
        alpha.raise()
        #expect(try display.seen().lock == nil)
        locker.raise()
        #expect(try display.seen().lock != nil)
    }

    /// Before or after it is mapped, and before the watch, too.
    @Test func aWindowThatIsShapedIsNoLocker() throws {
        display.client.grabKeyboard()
        let locker = lockerWindow(isMapped: false)
        locker.setShape([])
        locker.map()
        #expect(try display.seen().lock == nil)
        #expect(try lockSeenByNewObserver() == nil)
        locker.setShape(nil)
        #expect(try display.seen().lock != nil)
        locker.setShape([XRectangle(x: 0, y: 0, width: 9, height: 9)])
        #expect(try display.seen().lock == nil)
    }

    /// xfce4-session shows such a dialog at the end of the session.
    @Test func aDialogAboveAFadedScreenIsNoLockWheneverItIsLookedAt() throws {
        _ = lockerWindow()
        display.client.grabKeyboard()
        #expect(try display.seen().lock != nil)
        var properties = TestWindow.Properties("Session")
        (properties.isOverrideRedirect, properties.type) = (true, "DIALOG")
        let dialog = TestWindow(display.client, properties, colour: 2, x: 200, y: 200)
        dialog.map()
        #expect(try display.seen().lock == nil)
        #expect(try lockSeenByNewObserver() == nil)
        dialog.destroy()
        #expect(try display.seen().lock != nil)
    }

    @Test func aWindowThatGrowsOverTheScreenIsALockerToo() throws {
        let locker = lockerWindow(width: 10, height: 10)
        display.client.grabKeyboard()
        #expect(try display.seen().windows.slot(of: UInt32(locker.id)) == nil)
        locker.resize(width: 640, height: 480)
        #expect(try display.seen().lock != nil)
    }

    /// Returns the lock that a new observer sees, such as a command that reads the display once.
    private func lockSeenByNewObserver() throws -> [WindowID]? {
        let late = try DesktopObserver(try Display(display.server.name), host: .here)
        late.follow(SessionOptions())
        return try late.refreshNow().lock
    }

    @Test func oneThatIsThereAtTheStartIsSeenWhetherItIsMappedOrNot() throws {
        let locker = lockerWindow(isMapped: false)
        let observer = try DesktopObserver(try Display(display.server.name), host: .here)
        observer.follow(SessionOptions())
        display.client.grabKeyboard()
        #expect(try observer.refreshNow().lock == nil)
        locker.map()
        let isLocked = try waitUntil {
            try observer.noteEvents()
            return try observer.refreshNow().lock != nil
        }
        #expect(isLocked, "\(observer.desktop.session)")
        #expect(try lockSeenByNewObserver() != nil)
    }

    /// The events of a window may be older than the reading that has found it.
    @Test(arguments: [true, false])
    func aLockerWhoseCreationIsReportedAfterItWasReadIsFound(isMapped: Bool) throws {
        let locker = lockerWindow(isMapped: isMapped)
        display.observer.readEverything()
        let isRead = try display.observer.refreshNow().windows.slot(of: UInt32(locker.id)) != nil
        #expect(isRead)
        #expect(try display.seen(locker) != nil)
        display.client.grabKeyboard()
        #expect(try (display.seen().lock != nil) == isMapped)
    }

    /// No event reports an existing grab.
    @Test func aNewObserverAsksWhetherTheKeyboardIsGrabbed() throws {
        _ = lockerWindow()
        #expect(try lockSeenByNewObserver() == nil)
        display.client.grabKeyboard()
        #expect(try lockSeenByNewObserver() != nil)
        // The query did not take the grab from its owner.
        #expect(try TestClient(display.server.name).isKeyboardGrabbed)
        display.client.releaseKeyboard()
        #expect(try lockSeenByNewObserver() == nil)
        #expect(try display.seen().lock == nil)
    }

    @Test func whereLocksAreNotWantedNothingOfThemIsRead() throws {
        display.observer.follow(SessionOptions(states: []))
        _ = try display.seen()
        let before = display.requestCount
        let locker = lockerWindow()
        display.client.grabKeyboard()
        display.client.setRoot("XFree86_has_VT", "INTEGER", [0])
        display.client.setRoot("_SCREENSAVER_STATUS", "INTEGER", [display.client.atom("LOCK"), 1])
        let desktop = try display.seen()
        #expect(desktop.session == Session() && desktop.lock == nil)
        #expect(desktop.windows.slot(of: UInt32(locker.id)) == nil)
        // The focus and the window manager are read, as after any sign.
        #expect(display.requestCount - before < 10)
    }

    @Test func smallWindowsThatNobodyManagesAreNeitherReadNorKept() throws {
        let (before, slots) = (display.requestCount, display.observer.desktop.windows.slotCount)
        // Outside the screen: the server is slow with windows that overlap each other.
        for _ in 0..<10_000 { display.client.queueLockerCandidate(x: 700, width: 90, height: 400) }
        let desktop = try display.seen()
        #expect(desktop.windows.slotCount == slots)
        #expect(display.requestCount - before < 10)
        // A locker above them all is found.
        display.client.grabKeyboard()
        lockerWindow().raise()
        #expect(try waitUntil { try display.seen().lock != nil })
    }

    /// Each window is read once, in passes that many windows share, and only some windows are examined.
    @Test func thousandsOfLargeUnmanagedWindowsSlowNothingDown() throws {
        let count = 10_000
        for _ in 0..<count { display.client.queueLockerCandidate(x: 700, width: 640, height: 480) }
        // The duration of each pass does not matter.
        let isQuiet = try (1...20).contains { _ in
            let before = display.requestCount
            _ = try display.seen()
            _ = try display.observer.refreshNow()
            return display.requestCount == before
        }
        #expect(isQuiet)
        let (requests, slots) = (display.requestCount, display.observer.desktop.windows.slotCount)
        #expect(slots <= count + 10)
        #expect(requests <= UInt32(count) * 14)
        // An event costs no more than without these windows.
        alpha.move(x: 5, y: 5)
        display.client.setFocus(alpha.id)
        #expect(try display.seen().lock == nil)
        #expect(display.requestCount == requests)
    }
}
