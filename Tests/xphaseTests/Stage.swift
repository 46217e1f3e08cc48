import TestDesktop

/// A display with a window manager and the windows of the test, before xphase watches it.
final class Stage {
    let display: VirtualDisplay
    let client: TestClient
    let manager: RunningManager?
    private(set) var colours: UInt = 0

    init(_ kind: WindowManager, screens: [String] = ["640x480x24"]) throws {
        display = try VirtualDisplay(screens: screens)
        client = try TestClient(display.name)
        // Without a window manager, the window under the pointer has the focus.
        client.movePointer(x: 630, y: 470)
        manager = try kind.start(on: display, client)
    }

    /// Opens a window with a unique colour, and waits until it is visible.
    @discardableResult
    func show(_ properties: TestWindow.Properties, x: Int32 = 20, y: Int32 = 30) throws -> TestWindow {
        colours += 1
        let window = TestWindow(client, properties, colour: Self.colour(colours), x: x, y: y)
        window.map()
        guard waitUntil({ window.isOnScreen }) else { throw Failure("a window does not appear") }
        return window
    }

    /// Opens a small window that takes no focus. Reports of its class changes show that all earlier changes have
    /// settled.
    func marker() throws -> TestWindow {
        var properties = TestWindow.Properties("Marker")
        properties.refusesFocus = true
        let marker = TestWindow(
            try TestClient(display.name), properties, colour: 0x01_01_01, x: 600, y: 440, width: 8, height: 8)
        marker.map()
        guard waitUntil({ marker.isOnScreen }) else { throw Failure("the marker does not appear") }
        return marker
    }

    static func colour(_ number: UInt) -> UInt { 0x20_40_60 + number * 0x10_20_07 }
}

extension Stage {
    /// Returns a display without a window manager, and a window that has the focus.
    static func oneWindow() throws -> (VirtualDisplay, TestClient, TestWindow) {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let alpha = TestWindow(client, .init("Alpha"), colour: 0x20_40_60)
        alpha.map()
        client.setFocus(alpha.id)
        return (display, client, alpha)
    }
}
