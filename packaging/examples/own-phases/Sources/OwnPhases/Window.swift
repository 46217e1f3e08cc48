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
        let root = XDefaultRootWindow(display)
        id = XCreateSimpleWindow(display, root, 0, 0, 300, 200, 0, 0, 0xFF_FF_FF)
        deletion = XInternAtom(display, "WM_DELETE_WINDOW", 0)
        XSetWMProtocols(display, id, &deletion, 1)
        XStoreName(display, id, title)
        setClass("own-phases", "OwnPhases")
        setOwner()
    }

    deinit {
        XCloseDisplay(display)
    }

    func show() {
        XMapWindow(display, id)
        XFlush(display)
    }

    /// The socket of the connection, for poll(2).
    var descriptor: Int32 { XConnectionNumber(display) }

    /// Processes pending events, and returns whether the window is to be closed.
    func takeEvents() -> Bool {
        var event = XEvent()
        while XPending(display) > 0 {
            XNextEvent(display, &event)
            if event.type == ClientMessage, event.xclient.data.l.0 == Int(bitPattern: deletion) {
                return true
            }
        }
        return false
    }

    private func setClass(_ instance: String, _ name: String) {
        setBytes("WM_CLASS", Array("\(instance)\0\(name)\0".utf8))
    }

    /// Sets the properties by which `.ownProcess` recognizes the window.
    private func setOwner() {
        var host = utsname()
        uname(&host)
        setBytes("WM_CLIENT_MACHINE", withUnsafeBytes(of: host.nodename) { $0.prefix { $0 != 0 }.map { $0 } })
        // Xlib expects 32-bit items as longs.
        let pid = [Int(getpid())]
        pid.withUnsafeBytes {
            _ = XChangeProperty(
                display, id, XInternAtom(display, "_NET_WM_PID", 0), XInternAtom(display, "CARDINAL", 0), 32,
                PropModeReplace, $0.bindMemory(to: UInt8.self).baseAddress, 1)
        }
    }

    private func setBytes(_ property: String, _ bytes: [UInt8]) {
        XChangeProperty(
            display, id, XInternAtom(display, property, 0), XInternAtom(display, "STRING", 0), 8,
            PropModeReplace, bytes, Int32(bytes.count))
    }
}
