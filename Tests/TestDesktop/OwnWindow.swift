import CXext
import CXlib

/// A window of the test.
public protocol OwnWindow: AnyObject {
    var client: TestClient { get }
    var id: Window { get }
}

extension OwnWindow {
    /// Sets a property of bytes.
    public func setBytes(_ name: String, _ type: String, _ bytes: [UInt8]) {
        XChangeProperty(
            client.display, id, client.atom(name), client.atom(type), 8, PropModeReplace, bytes,
            Int32(bytes.count))
        client.sync()
    }

    /// Sets a property of 32-bit items.
    public func setWords(_ name: String, _ type: String, _ words: [UInt]) {
        words.withUnsafeBytes {
            _ = XChangeProperty(
                client.display, id, client.atom(name), client.atom(type), 32, PropModeReplace,
                $0.bindMemory(to: UInt8.self).baseAddress, Int32(words.count))
        }
        client.sync()
    }

    public func deleteProperty(_ name: String) {
        XDeleteProperty(client.display, id, client.atom(name))
        client.sync()
    }

    /// Sets the bounding shape; nil removes it.
    public func setShape(_ rectangles: [XRectangle]?) {
        if var rectangles {
            XShapeCombineRectangles(
                client.display, id, ShapeBounding, 0, 0, &rectangles, Int32(rectangles.count), ShapeSet,
                Unsorted)
        } else {
            XShapeCombineMask(client.display, id, ShapeBounding, 0, 0, Pixmap(None), ShapeSet)
        }
        client.sync()
    }

    /// Takes no input, or takes it everywhere.
    public func setInput(_ isTaken: Bool) {
        if isTaken {
            XShapeCombineMask(client.display, id, ShapeInput, 0, 0, Pixmap(None), ShapeSet)
        } else {
            XShapeCombineRectangles(client.display, id, ShapeInput, 0, 0, nil, 0, ShapeSet, Unsorted)
        }
        client.sync()
    }

    public func raise() {
        XRaiseWindow(client.display, id)
        client.sync()
    }

    public func lower() {
        XLowerWindow(client.display, id)
        client.sync()
    }

    public func move(x: Int32, y: Int32) {
        XMoveWindow(client.display, id, x, y)
        client.sync()
    }

    public func setBorder(width: UInt32) {
        XSetWindowBorderWidth(client.display, id, width)
        client.sync()
    }

    public func setOverrideRedirect(_ isUnmanaged: Bool) {
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = isUnmanaged ? 1 : 0
        XChangeWindowAttributes(client.display, id, UInt(CWOverrideRedirect), &attributes)
        client.sync()
    }

    public func unmap() {
        XUnmapWindow(client.display, id)
        client.sync()
    }

    public func destroy() {
        XDestroyWindow(client.display, id)
        client.sync()
    }
}
