import CWindow
import Glibc

/// A plain X window that names its owner, as toolkits do.
final class Window {
    private let display: OpaquePointer
    private let id: XID
    private var deletion: Atom

    /// Returns nil if the display cannot be opened.
    init?(title: String) {
        guard let display = XOpenDisplay(nil) else { return nil }
        self.display = display
        id = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 300, 200, 0, 0, 0xFF_FF_FF)
        deletion = XInternAtom(display, "WM_DELETE_WINDOW", 0)
        XSetWMProtocols(display, id, &deletion, 1)
        setOwner(title)
    }

    deinit {
        XCloseDisplay(display)
    }

    func show() {
        XMapWindow(display, id)
    }

    func waitUntilClosed() {
        var event = XEvent()
        repeat {
            XNextEvent(display, &event)
        } while event.type != ClientMessage || event.xclient.data.l.0 != Int(bitPattern: deletion)
    }

    /// Sets the properties by which `.ownProcess` recognizes the window: its class, its machine and its process.
    private func setOwner(_ title: String) {
        var instance = Array("own-phases".utf8CString)
        var name = Array("OwnPhases".utf8CString)
        instance.withUnsafeMutableBufferPointer { instance in
            name.withUnsafeMutableBufferPointer { name in
                var hint = XClassHint(res_name: instance.baseAddress, res_class: name.baseAddress)
                // Sets WM_CLIENT_MACHINE, too.
                Xutf8SetWMProperties(display, id, title, nil, nil, 0, nil, nil, &hint)
            }
        }
        // Xlib expects 32-bit items as longs.
        withUnsafeBytes(of: Int(getpid())) {
            _ = XChangeProperty(
                display, id, XInternAtom(display, "_NET_WM_PID", 0), XInternAtom(display, "CARDINAL", 0), 32,
                PropModeReplace, $0.bindMemory(to: UInt8.self).baseAddress, 1)
        }
    }
}
