import CXlib

/// An X client inside the test. It makes the windows that the tests watch.
public final class TestClient {
    let display: OpaquePointer
    public let screen: Int32

    /// - Parameter name: The name of the display.
    public init(_ name: String, screen: Int32? = nil) throws {
        guard let display = XOpenDisplay(name) else { throw Failure("cannot open \(name)") }
        self.display = display
        self.screen = screen ?? XDefaultScreen(display)
        // Xlib's default handlers would exit when a test destroys a window or kills a server on purpose.
        XSetErrorHandler { _, _ in 0 }
        XSetIOErrorHandler { _ in 0 }
        XSetIOErrorExitHandler(display, { _, _ in }, nil)
    }

    deinit {
        XCloseDisplay(display)
    }

    public var root: Window { XRootWindow(display, screen) }

    public func atom(_ name: String) -> Atom { XInternAtom(display, name, 0) }

    public func sync() { XSync(display, 0) }

    /// Sends an EWMH request to the root window.
    public func request(_ name: String, window: Window, _ data: [Int]) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = atom(name)
        event.xclient.format = 32
        let words = data + Array(repeating: 0, count: 5 - data.count)
        event.xclient.data.l = (words[0], words[1], words[2], words[3], words[4])
        XSendEvent(display, root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &event)
        sync()
    }

    /// Selects the events of the root window that toolkits select.
    public func selectRootEvents() {
        XSelectInput(display, root, PropertyChangeMask | StructureNotifyMask | SubstructureNotifyMask)
        sync()
    }

    /// Sends a client message to the client of a window, as a window manager does.
    public func send(_ name: String, to window: TestWindow, _ data: [Int] = []) {
        send(name, to: window.id, data)
    }

    public func send(_ name: String, to window: Window, _ data: [Int] = []) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = atom(name)
        event.xclient.format = 32
        let words = data + Array(repeating: 0, count: 5 - data.count)
        event.xclient.data.l = (words[0], words[1], words[2], words[3], words[4])
        XSendEvent(display, window, 0, 0, &event)
        sync()
    }

    public func iconify(_ window: Window) {
        XIconifyWindow(display, window, screen)
        sync()
    }

    public func switchDesktop(_ number: Int) { request("_NET_CURRENT_DESKTOP", window: root, [number]) }

    public func showDesktop(_ isShown: Bool) {
        request("_NET_SHOWING_DESKTOP", window: root, [isShown ? 1 : 0])
    }

    /// Returns the items of a 32-bit property; nil if it is not set.
    public func words(_ name: String, of window: Window? = nil) -> [UInt]? {
        var type = Atom()
        var format: Int32 = 0
        var count: UInt = 0
        var remaining: UInt = 0
        var data: UnsafeMutablePointer<UInt8>?
        XGetWindowProperty(
            display, window ?? root, atom(name), 0, 100_000, 0, Atom(AnyPropertyType),
            &type, &format, &count, &remaining, &data)
        guard let data, type != 0, format == 32 else { return nil }
        defer { XFree(data) }
        return data.withMemoryRebound(to: UInt.self, capacity: Int(count)) {
            Array(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }

    /// Whether a window manager manages the screen.
    public var isManaged: Bool {
        var attributes = XWindowAttributes()
        XGetWindowAttributes(display, root, &attributes)
        return attributes.all_event_masks & SubstructureRedirectMask != 0
    }

    /// Returns how many pixels in a sample of the screen have a colour.
    public func pixels(_ colour: UInt) -> Int {
        let width = Int32(XDisplayWidth(display, screen))
        let height = XDisplayHeight(display, screen)
        guard
            let image = XGetImage(
                display, root, 0, 0, UInt32(width), UInt32(height), UInt(bitPattern: -1), ZPixmap)
        else { return 0 }
        defer { _ = image.pointee.f.destroy_image(image) }
        var count = 0
        for y in stride(from: 0, to: height, by: 4) {
            for x in stride(from: 0, to: width, by: 4)
            where image.pointee.f.get_pixel(image, x, y) & 0xFFFFFF == colour { count += 1 }
        }
        return count
    }

    /// The window that has the input focus.
    public var focus: Window {
        var window = Window()
        var revert: Int32 = 0
        XGetInputFocus(display, &window, &revert)
        return window
    }

    public func setFocus(_ window: Window) {
        XSetInputFocus(display, window, Int32(RevertToPointerRoot), UInt(CurrentTime))
        sync()
    }

    public func movePointer(x: Int32, y: Int32) {
        XWarpPointer(display, 0, root, 0, 0, 0, 0, x, y)
        sync()
    }
}

extension TestClient {
    /// Becomes the window manager of the screen.
    public func manage() {
        XSelectInput(display, root, SubstructureRedirectMask)
        sync()
    }

    /// Maps a window of another client, as a window manager does.
    public func map(_ window: TestWindow) { map(window.id) }

    public func map(_ window: Window) {
        XMapWindow(display, window)
        sync()
    }

    /// Sets a UTF-8 property of the root window.
    public func setRootText(_ name: String, _ text: String) {
        XChangeProperty(
            display, root, atom(name), atom("UTF8_STRING"), 8, PropModeReplace, Array(text.utf8),
            Int32(text.utf8.count))
        sync()
    }

    public func deleteRoot(_ name: String) {
        XDeleteProperty(display, root, atom(name))
        sync()
    }

    /// Sets a 32-bit property of the root window.
    public func setRoot(_ name: String, _ type: String, _ words: [UInt]) {
        words.withUnsafeBytes {
            _ = XChangeProperty(
                display, root, atom(name), atom(type), 32, PropModeReplace,
                $0.bindMemory(to: UInt8.self).baseAddress, Int32(words.count))
        }
        sync()
    }
}

extension TestClient {
    /// Whether a selection has an owner.
    public func isOwned(_ selection: String) -> Bool { XGetSelectionOwner(display, atom(selection)) != 0 }

    /// Makes a window the owner of a selection.
    public func own(_ selection: String, with window: TestWindow) {
        XSetSelectionOwner(display, atom(selection), window.id, UInt(CurrentTime))
        sync()
    }
}
