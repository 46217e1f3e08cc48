import CXlib
import Glibc

extension TestWindow {
    /// Selects key presses in the window.
    public func listenToKeys() {
        XSelectInput(client.display, id, KeyPressMask)
        client.sync()
    }

    /// Selects changes of the window's properties.
    public func listenToProperties() {
        XSelectInput(client.display, id, PropertyChangeMask)
        client.sync()
    }

    /// Selects button presses in the window.
    public func listenToButtons() {
        XSelectInput(client.display, id, ButtonPressMask)
        client.sync()
    }

    /// Selects button presses of XInput 2 in the window, as GTK 3 and Qt 5 do.
    public func listenToButtonsOfXInput2() throws {
        typealias Query =
            @convention(c) (OpaquePointer, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Int32
        typealias Select = @convention(c) (OpaquePointer, Window, UnsafeMutableRawPointer, Int32) -> Int32
        guard let library = dlopen("libXi.so.6", RTLD_NOW), let query = dlsym(library, "XIQueryVersion"),
            let select = dlsym(library, "XISelectEvents")
        else { throw Failure("there is no libXi.so.6") }
        var (major, minor): (Int32, Int32) = (2, 2)
        _ = unsafeBitCast(query, to: Query.self)(client.display, &major, &minor)
        // XI_ButtonPress is 4, and XIAllMasterDevices is 1.
        var bits: [UInt8] = [1 << 4]
        bits.withUnsafeMutableBufferPointer {
            // The members of XIEventMask.
            var mask = (Int32(1), Int32($0.count), $0.baseAddress)
            _ = unsafeBitCast(select, to: Select.self)(client.display, id, &mask, 1)
        }
        client.sync()
    }
}

extension TestWindow {
    /// Reparents the window to the root window.
    public func reparentToRoot() {
        XReparentWindow(client.display, id, client.root, 0, 0)
        client.sync()
    }

    /// Reparents the window into another one, as into a manager's frame.
    public func reparent(into frame: TestWindow) { reparent(into: frame.id) }

    public func reparent(into window: Window) {
        XReparentWindow(client.display, id, window, 5, 5)
        client.sync()
    }
}

extension TestClient {
    /// Returns the windows of this client that received a key since the last call.
    public func takeKeyPresses() -> Set<UInt> {
        sync()
        var windows: Set<UInt> = []
        var event = XEvent()
        while XCheckTypedEvent(display, KeyPress, &event) != 0 { windows.insert(event.xkey.window) }
        return windows
    }

    /// Returns for each colour how many pixels in a sample of one screenshot have it.
    public func pixels(of colours: Set<UInt>) -> [UInt: Int] {
        let width = Int32(XDisplayWidth(display, screen))
        let height = XDisplayHeight(display, screen)
        guard
            let image = XGetImage(
                display, root, 0, 0, UInt32(width), UInt32(height), UInt(bitPattern: -1), ZPixmap)
        else { return [:] }
        defer { _ = image.pointee.f.destroy_image(image) }
        var counts: [UInt: Int] = [:]
        for y in stride(from: 0, to: height, by: 4) {
            for x in stride(from: 0, to: width, by: 4) {
                let colour = image.pointee.f.get_pixel(image, x, y) & 0xFFFFFF
                if colours.contains(colour) { counts[colour, default: 0] += 1 }
            }
        }
        return counts
    }

    /// Whether a window is mapped, its ancestors or not.
    func isMapped(_ window: Window) -> Bool {
        var attributes = XWindowAttributes()
        XGetWindowAttributes(display, window, &attributes)
        return attributes.map_state != IsUnmapped
    }

    /// Whether a window and all its ancestors are mapped.
    public func isViewable(_ window: TestWindow) -> Bool {
        var attributes = XWindowAttributes()
        XGetWindowAttributes(display, window.id, &attributes)
        return attributes.map_state == IsViewable
    }

    /// Returns the position of a window's centre on the screen.
    public func middle(of window: TestWindow) -> (x: Int32, y: Int32) {
        var attributes = XWindowAttributes()
        XGetWindowAttributes(display, window.id, &attributes)
        var (x, y): (Int32, Int32) = (0, 0)
        var child = Window()
        XTranslateCoordinates(
            display, window.id, root, attributes.width / 2, attributes.height / 2, &x, &y, &child)
        return (x, y)
    }
}
