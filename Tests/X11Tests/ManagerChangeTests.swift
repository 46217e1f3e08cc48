import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// What the observer knows of the window manager, before, during and after its time.
@Suite struct ManagerChangeTests {
    private let display: ObservedDisplay
    private let window: TestWindow
    /// The window manager, which ends with it.
    private let manager: TestClient

    init() throws {
        display = try ObservedDisplay()
        window = TestWindow(display.client, .init("Alpha"), colour: 0)
        window.map()
        manager = try TestClient(display.server.name)
        _ = try display.seen()
    }

    /// Makes a check window of the manager, named or not.
    private func check(named name: String?) -> TestWindow {
        let check = TestWindow(manager, .init(), colour: 0)
        check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        if let name { check.setBytes("_NET_WM_NAME", "UTF8_STRING", Array(name.utf8)) }
        return check
    }

    private func announce(_ check: UInt) { manager.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check]) }

    @Test func theManagerIsTheOneThatTheCheckWindowNames() throws {
        manager.manage()
        let windows = [check(named: "First"), check(named: nil), check(named: "Third")]
        for (window, name) in zip(windows, ["First", nil, "Third"]) {
            announce(window.id)
            let seen = try display.seen().screen.manager
            #expect(seen?.checkWindow == UInt32(window.id) && seen?.name == name)
        }
        // One that names no window, and one that names another.
        windows[0].setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [windows[1].id])
        announce(windows[0].id)
        #expect(try display.seen().screen.manager?.checkWindow == nil)
        announce(windows[2].id)
        #expect(try display.seen().screen.manager?.name == "Third")
        announce(0)
        #expect(try display.seen().screen.manager == Screen.Manager())
    }

    /// It selects the events of a manager last.
    @Test func aCheckWindowThatIsCompletedBeforeTheManagerComesIsFound() throws {
        let check = TestWindow(manager, .init(), colour: 0)
        announce(check.id)
        #expect(try display.seen().screen.manager == nil)
        check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        manager.manage()
        manager.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [0])
        #expect(try display.seen().screen.manager?.checkWindow == UInt32(check.id))
    }

    /// Its client is 0, like that of no window.
    @Test func aRootWindowThatIsItsOwnCheckWindowMakesNoCompositor() throws {
        manager.manage()
        announce(manager.root)
        let screen = try display.seen().screen
        #expect(screen.manager?.checkWindow == UInt32(manager.root) && !screen.isOwnCompositor)
    }

    /// Only the list that it wrote makes a manager without a check window trusted.
    @Test func aManagerThatReplacesAnotherInheritsNoTrust() throws {
        manager.manage()
        announce(check(named: "First").id)
        manager.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id])
        #expect(try display.seen().screen.isTrusted)
        manager.deleteRoot("_NET_SUPPORTING_WM_CHECK")
        #expect(try !display.seen().screen.isTrusted)
        manager.setRoot("_NET_CLIENT_LIST", "WINDOW", [])
        #expect(try display.seen().screen.isTrusted)
    }

    /// The windows of its list count after its end.
    @Test func aWindowIsManagedOnceAManagerOfTrustListsIt() throws {
        let other = TestWindow(display.client, .init("Beta"), colour: 0)
        other.map()
        manager.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id])
        _ = try display.seen()
        manager.manage()
        manager.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [0])
        #expect(try display.seen(window)?.wasManaged == false)
        manager.setRoot("_NET_ACTIVE_WINDOW", "WINDOW", [0])
        #expect(try display.seen(window)?.wasManaged == true && display.seen(other)?.wasManaged == false)
        manager.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id, other.id])
        #expect(try display.seen(other)?.wasManaged == true)
    }

    /// Its client list and its check window were there before it.
    @Test func theListedWindowsOfANewManagerAreManagedThoughItsCheckWindowIsKnown() throws {
        announce(check(named: nil).id)
        manager.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id])
        #expect(try display.seen(window)?.wasManaged == false)
        manager.manage()
        manager.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [0])
        #expect(try display.seen(window)?.wasManaged == true)
    }

    @Test func theStackingListIsReadOnlyWhileTheDesktopIsShown() throws {
        manager.manage()
        manager.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [0])
        #expect(try display.seen().screen.manager != nil)
        func stacking(_ list: [UInt]) throws -> [UInt32] {
            manager.setRoot("_NET_CLIENT_LIST_STACKING", "WINDOW", list)
            return try display.seen().screen.stacking
        }
        #expect(try stacking([window.id]) == [])
        manager.setRoot("_NET_SHOWING_DESKTOP", "CARDINAL", [1])
        #expect(try display.seen().screen.stacking == [UInt32(window.id)])
        #expect(try stacking([window.id, 7]) == [UInt32(window.id), 7])
        manager.setRoot("_NET_SHOWING_DESKTOP", "CARDINAL", [0])
        _ = try display.seen()
        #expect(try stacking([]) == [UInt32(window.id), 7])
    }
}

/// The end of a window manager, which no event reports: whatever happens next makes the observer look.
@Suite struct ManagerEndTests {
    enum Sign: CaseIterable {
        case moved, unmapped, mapped, destroyed
    }

    @Test(arguments: Sign.allCases) func nothingOfAManagerRemainsAfterItsEnd(sign: Sign) throws {
        let display = try ObservedDisplay()
        let window = TestWindow(display.client, .init("Alpha"), colour: 0)
        let other = TestWindow(display.client, .init("Beta"), colour: 0)
        if sign != .mapped { window.map() }
        // Without the input focus, the active window counts.
        display.client.setFocus(0)
        _ = try display.seen()
        var manager: TestClient? = try TestClient(display.server.name)
        manager?.manage()
        for name in ["_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST"] {
            manager?.setRoot(name, "WINDOW", [other.id])
        }
        let before = try display.seen().screen
        #expect(before.isTrusted && before.activeWindow == UInt32(other.id))
        manager = nil
        #expect(waitUntil { !display.client.isManaged })
        switch sign {
        case .moved: window.move(x: 1, y: 1)
        case .unmapped: window.unmap()
        case .mapped: window.map()
        case .destroyed: window.destroy()
        }
        let after = try display.seen().screen
        #expect(after.manager == nil && after.activeWindow == nil && !after.isOwnCompositor)
        display.client.manage()
        display.client.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [0])
        let next = try display.seen().screen
        #expect(next.manager != nil && !next.isTrusted && next.activeWindow == nil)
    }

    /// A compositor that remains is not that of the next manager.
    @Test func whoWasItsOwnCompositorIsNoneAfterItsEnd() throws {
        let display = try ObservedDisplay()
        let window = TestWindow(display.client, .init("Alpha"), colour: 0)
        window.map()
        var manager: TestClient? = try TestClient(display.server.name)
        if let manager {
            manager.manage()
            let check = TestWindow(manager, .init(), colour: 0)
            check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
            manager.own("_NET_WM_CM_S0", with: check)
            manager.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        }
        #expect(try display.seen().screen.isOwnCompositor)
        manager = nil
        #expect(waitUntil { !display.client.isManaged })
        #expect(try !display.seen().screen.isOwnCompositor)
    }
}

/// What an observer finds that begins when the windows are there already.
@Suite struct LateObserverTests {
    private let display: ObservedDisplay
    private let program: TestClient

    init() throws {
        display = try ObservedDisplay()
        program = try TestClient(display.server.name)
    }

    private func isKnown(_ window: TestWindow) throws -> Bool {
        try display.seenLate().windows.slot(of: UInt32(window.id)) != nil
    }

    private func unmanaged() -> TestWindow {
        var properties = TestWindow.Properties("Popup")
        properties.isOverrideRedirect = true
        return TestWindow(program, properties, colour: 0)
    }

    @Test func withoutAManagerAWindowThatNobodyManagesIsNotRead() throws {
        let (popup, window) = (unmanaged(), TestWindow(program, .init("Alpha"), colour: 0))
        for window in [popup, window] { window.map() }
        #expect(try !isKnown(popup) && isKnown(window))
    }

    /// pekwm's list lacks the newest window.
    @Test func aWindowThatIsShownAndNotListedIsFoundInItsFrameAndNoneInsideOfIt() throws {
        let listed = TestWindow(program, .init("Alpha"), colour: 0)
        let windows = ["Beta", "Gamma"].map { TestWindow(program, .init($0), colour: 0) }
        let frame = TestWindow(display.client, .init(), colour: 0)
        frame.setOverrideRedirect(true)
        windows[0].reparent(into: frame)
        windows[1].reparent(into: windows[0])
        for window in [listed, frame] + windows {
            window.setWords("WM_STATE", "WM_STATE", window === frame ? [] : [1, 0])
            window.map()
        }
        display.client.manage()
        listed.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [listed.id])
        display.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [listed.id])
        display.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [listed.id])
        #expect(try isKnown(listed) && isKnown(windows[0]))
        #expect(try !isKnown(windows[1]) && !isKnown(frame))
    }

    /// As after the machine was asleep: a window outside the list counts once it is shown, or its manager has ended.
    @Test func aWindowThatNoEventReportsIsFoundWhereItMayBeAScene() throws {
        var manager: TestClient? = try TestClient(display.server.name)
        if let manager {
            manager.manage()
            let check = TestWindow(manager, .init(), colour: 0)
            check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
            manager.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
            manager.setRoot("_NET_CLIENT_LIST", "WINDOW", [])
        }
        #expect(try display.seen().screen.isTrusted)
        let frame = unmanaged()
        let (framed, hidden) = (
            TestWindow(program, .init("Alpha"), colour: 0), TestWindow(program, .init("Beta"), colour: 0)
        )
        framed.setWords("WM_STATE", "WM_STATE", [1, 0])
        framed.reparent(into: frame)
        framed.map()
        func known() throws -> [Bool] {
            try display.observer.display.drain { _ in }
            display.observer.readEverything()
            let windows = try display.seen().windows
            return [framed, hidden].map { windows.slot(of: UInt32($0.id)) != nil }
        }
        #expect(try known() == [false, false])
        frame.map()
        #expect(try known() == [true, false])
        manager = nil
        #expect(waitUntil { !display.client.isManaged })
        let windows = try display.seen().windows
        #expect(windows.slot(of: UInt32(hidden.id)) != nil)
    }
}
