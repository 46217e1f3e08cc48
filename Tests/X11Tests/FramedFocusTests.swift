import Scenes
import TestDesktop
import Testing

@testable import X11

/// The focus in frames that are not override-redirect, as twm makes them.
@Suite struct FramedFocusTests {
    private let server: VirtualDisplay
    private let client: TestClient
    private let frame: TestWindow
    private let window: TestWindow

    init() throws {
        server = try VirtualDisplay()
        client = try TestClient(server.name)
        client.manage()
        frame = TestWindow(client, .init(), colour: 0, x: 20, y: 30)
        window = TestWindow(client, .init("Alpha"), colour: 0, width: 100, height: 100)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        window.reparent(into: frame)
        frame.map()
        window.map()
    }

    private func seen() throws -> Desktop.InputFocus {
        let observer = try DesktopObserver(try Display(server.name), host: .here)
        try observer.noteEvents()
        return try observer.refreshNow().inputFocus
    }

    @Test func theFocusOfAFrameIsThatOfItsWindowFromTheStart() throws {
        client.setFocus(window.child())
        #expect(try seen() == .window(UInt32(window.id)))
    }

    @Test func theFocusOfAFrameUnderThePointerIsThatOfItsWindow() throws {
        client.movePointer(x: 60, y: 70)
        #expect(try seen() == .underPointer(UInt32(window.id)))
    }

    /// The window manager gives the focus to its frame.
    @Test func aFrameWithTheFocusIsReadAsNoWindow() throws {
        let program = try TestClient(server.name)
        let other = TestWindow(program, .init("Beta"), colour: 0, width: 100, height: 100)
        let around = TestWindow(client, .init(), colour: 0, x: 300, y: 30)
        other.setWords("WM_STATE", "WM_STATE", [1, 0])
        other.reparent(into: around)
        for window in [other, around] { window.map() }
        around.setOverrideRedirect(true)
        client.setFocus(around.id)
        let observer = try DesktopObserver(try Display(server.name), host: .here)
        #expect(try observer.refreshNow().windows.slot(of: UInt32(around.id)) == nil)
    }

    @Test func theFocusUnderThePointerGoesToTheWindowThatIsManagedLater() throws {
        let windows = [window, TestWindow(client, .init("Beta"), colour: 0, width: 90, height: 90)]
        windows[1].reparent(into: frame)
        windows[1].map()
        windows[0].deleteProperty("WM_STATE")
        client.movePointer(x: 60, y: 70)
        let observer = try DesktopObserver(try Display(server.name), host: .here)
        for window in windows { observer.windows.discover(UInt32(window.id)) }
        let focus = try observer.refreshNow().inputFocus
        let later = windows.first { focus != .underPointer(UInt32($0.id)) }
        let window = try #require(later)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        try observer.noteEvents()
        #expect(try observer.refreshNow().inputFocus == .underPointer(UInt32(window.id)))
    }

    /// The panel of fvwm3 reparents windows of other programs from the root window into its own.
    @Test func theFocusIsThatOfTheClientAndNotOfWindowsThatItTookIntoItsOwn() throws {
        let observer = try DesktopObserver(try Display(server.name), host: .here)
        client.movePointer(x: 60, y: 70)
        _ = try observer.refreshNow()
        for _ in 0..<8 {
            let taken = TestWindow(client, .init("Taken"), colour: 0, width: 10, height: 10)
            try observer.noteEvents()
            _ = try observer.refreshNow()
            taken.reparent(into: window)
            taken.map()
            try observer.noteEvents()
            let focus = try observer.refreshNow().inputFocus
            #expect(focus == .underPointer(UInt32(window.id)))
        }
    }
}
