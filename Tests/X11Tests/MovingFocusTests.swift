import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// The focus moves after the observer has asked for it, and before it asks what it needs besides.
@Suite struct MovingFocusTests {
    private let display: ObservedDisplay
    private let other: TestClient
    private let known: TestWindow
    private let popup: TestWindow
    private let launcher: TestWindow

    init() throws {
        display = try ObservedDisplay()
        other = try TestClient(display.server.name)
        known = TestWindow(display.client, .init("Alpha"), colour: 0, x: 20, y: 30)
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        popup = TestWindow(display.client, unmanaged, colour: 0, x: 300, width: 50)
        launcher = TestWindow(other, unmanaged, colour: 0, x: 400, width: 50)
        for window in [known, popup, launcher] { window.map() }
        // The observer does not read the popups of the window manager.
        popup.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [popup.id])
        display.client.manage()
        display.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [popup.id])
        // The crossing events of the pointer are selected from now on.
        display.client.setFocus(display.client.root)
        _ = try display.seen()
    }

    /// Returns what is seen, although no event reports either move.
    ///
    /// - Parameter asksTwice: The observer also asks for the focus after the second move.
    private func seen(first: Window, then second: Window, asksTwice: Bool) throws -> Desktop.InputFocus {
        let observer = display.observer
        other.setFocus(known.id)
        _ = try display.seen()
        other.setFocus(first)
        try observer.display.drain { _ in }
        other.grabServer()
        observer.askServer()
        #expect(try !observer.refresh())
        other.releaseServer()
        // Not all answers may have arrived. Then the observer finds the second window at once.
        try observer.display.wait(until: .now + .patience)
        other.setFocus(second)
        if asksTwice { observer.askServer() }
        return try observer.refreshNow().inputFocus
    }

    @Test func anAnswerThatComesAfterALaterOneIsIgnored() throws {
        for first in [display.client.root, popup.id, popup.child()] {
            let focus = try seen(first: first, then: known.id, asksTwice: true)
            #expect(focus == .window(UInt32(known.id)))
        }
    }

    @Test func aMoveBeforeTheEventsOfAnUnknownWindowAreSelectedIsFound() throws {
        let focus = try seen(first: popup.id, then: launcher.id, asksTwice: false)
        #expect(focus == .window(UInt32(launcher.id)))
    }
}
