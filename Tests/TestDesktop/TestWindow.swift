import CXlib
import Glibc

/// A window of the test, with a colour that nothing else on the screen has.
public final class TestWindow: OwnWindow {
    public let client: TestClient
    public let id: Window
    public let colour: UInt

    /// The properties to set before the window is mapped.
    public struct Properties {
        public var instance: String?
        public var className: String?
        public var title: String?
        public var transientFor: Window?
        /// The suffix of a _NET_WM_WINDOW_TYPE_ atom.
        public var type: String?
        public var isOverrideRedirect = false
        public var startsIconic = false
        /// Each pixel has its own opacity.
        public var hasAlpha = false
        /// The window asks not to receive the focus when it is mapped.
        public var refusesFocus = false
        /// The window names another host as its own, so it has no process here.
        public var isRemote = true

        public init(_ className: String? = nil, instance: String? = nil) {
            self.className = className
            self.instance = instance ?? className?.lowercased()
        }
    }

    public init(
        _ client: TestClient, _ properties: Properties, colour: UInt, x: Int32 = 20, y: Int32 = 30,
        width: UInt32 = 200, height: UInt32 = 150
    ) {
        self.client = client
        self.colour = colour
        var attributes = XSetWindowAttributes()
        attributes.background_pixel = colour
        attributes.override_redirect = properties.isOverrideRedirect ? 1 : 0
        var mask = CWBackPixel | CWOverrideRedirect | CWBorderPixel
        var visual = XVisualInfo()
        if properties.hasAlpha, XMatchVisualInfo(client.display, client.screen, 32, TrueColor, &visual) != 0 {
            attributes.colormap = XCreateColormap(client.display, client.root, visual.visual, AllocNone)
            mask |= CWColormap
        }
        id = XCreateWindow(
            client.display, client.root, x, y, width, height, 0, visual.depth, UInt32(InputOutput),
            visual.visual, UInt(mask), &attributes)
        var sizes = XSizeHints()
        sizes.flags = USPosition | USSize
        (sizes.x, sizes.y, sizes.width, sizes.height) = (x, y, Int32(width), Int32(height))
        XSetWMNormalHints(client.display, id, &sizes)
        setInitialState(isIconic: properties.startsIconic)
        if let name = properties.className { setClass(properties.instance ?? name, name) }
        if let title = properties.title { setBytes("WM_NAME", "STRING", Array(title.utf8)) }
        if let parent = properties.transientFor { XSetTransientForHint(client.display, id, parent) }
        if let type = properties.type {
            setWords("_NET_WM_WINDOW_TYPE", "ATOM", [client.atom("_NET_WM_WINDOW_TYPE_\(type)")])
        }
        if properties.refusesFocus { setWords("_NET_WM_USER_TIME", "CARDINAL", [0]) }
        if properties.isRemote { setMachine("elsewhere.example") }
        client.sync()
    }

    /// Sets the state in which the window manager shows the window when it is mapped next.
    public func setInitialState(isIconic: Bool) {
        var hints = XWMHints()
        hints.flags = InputHint | StateHint
        hints.input = 1
        hints.initial_state = isIconic ? IconicState : NormalState
        XSetWMHints(client.display, id, &hints)
    }

    /// Names the leader of the window's group.
    public func setLeader(_ leader: TestWindow) {
        setWords("WM_HINTS", "WM_HINTS", [UInt(WindowGroupHint), 0, 0, 0, 0, 0, 0, 0, leader.id])
    }

    public func setClass(_ instance: String, _ name: String) {
        setBytes("WM_CLASS", "STRING", Array(instance.utf8) + [0] + Array(name.utf8) + [0])
    }

    public func map() {
        XMapWindow(client.display, id)
        client.sync()
    }

    /// Maps the window without waiting for the server.
    public func queueMap() { XMapWindow(client.display, id) }

    /// Unmaps the window without waiting for the server.
    public func queueUnmap() { XUnmapWindow(client.display, id) }

    /// Unmaps and maps the window without waiting for the server.
    public func queueRemap() {
        queueUnmap()
        queueMap()
    }

    public func withdraw() {
        XWithdrawWindow(client.display, id, client.screen)
        client.sync()
    }

    public func iconify() { client.iconify(id) }

    public func resize(width: UInt32, height: UInt32) {
        XResizeWindow(client.display, id, width, height)
        client.sync()
    }

    /// Asks the window manager for the focus, as a pager does.
    public func activate() {
        client.request("_NET_ACTIVE_WINDOW", window: id, [2, Int(CurrentTime), 0])
    }

    /// Adds or removes a state, such as SHADED.
    public func setState(_ name: String, _ isSet: Bool) {
        client.request(
            "_NET_WM_STATE", window: id, [isSet ? 1 : 0, Int(client.atom("_NET_WM_STATE_\(name)")), 0, 2])
    }

    public func moveToDesktop(_ number: Int) {
        client.request("_NET_WM_DESKTOP", window: id, [number, 2])
    }

    public var isMapped: Bool { client.isMapped(id) }

    /// Whether any part of the window is visible.
    public var isOnScreen: Bool { client.pixels(colour) > 0 }

    /// The id as xphase writes it.
    public var name: String { "0x" + String(id, radix: 16) }
}

extension TestWindow {
    public static var ownPid: Int { Int(getpid()) }

    public static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Declares this process as the owner of the window, on this host or on another one.
    public func setOwner(ofThisProcess isHere: Bool) {
        setMachine(isHere ? Self.hostName : "elsewhere.example")
        setWords("_NET_WM_PID", "CARDINAL", [UInt(getpid())])
    }

    public func setMachine(_ name: String) {
        setBytes("WM_CLIENT_MACHINE", "STRING", Array(name.utf8))
    }

    /// The window that contains it, such as the frame of a window manager.
    public var parent: Window {
        var (root, parent, count) = (Window(), Window(), UInt32())
        var children: UnsafeMutablePointer<Window>?
        XQueryTree(client.display, id, &root, &parent, &children, &count)
        XFree(children)
        return parent
    }

    /// Makes a mapped child window, as toolkits do to hold the focus, with further children nested in it, and returns
    /// the innermost window.
    public func child(depth: Int = 1) -> Window {
        var child = id
        for _ in 0..<depth {
            child = XCreateSimpleWindow(client.display, child, 0, 0, 10, 10, 0, 0, colour)
            XMapWindow(client.display, child)
        }
        client.sync()
        return child
    }

    /// Makes unmapped child windows without waiting for the server.
    public func queueChildren(_ count: Int) {
        for _ in 0..<count { XCreateSimpleWindow(client.display, id, 0, 0, 1, 1, 0, 0, 0) }
    }
}

extension TestClient {
    /// Makes and maps an override-redirect window without waiting for the server.
    public func queueLockerCandidate(x: Int32 = 0, width: UInt32, height: UInt32) {
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = 1
        let window = XCreateWindow(
            display, root, x, 0, width, height, 0, Int32(CopyFromParent), UInt32(InputOutput), nil,
            UInt(CWOverrideRedirect), &attributes)
        XMapWindow(display, window)
    }

    /// Makes and maps a window without waiting for the server.
    public func queueSmallWindow(className: String) {
        let window = XCreateSimpleWindow(display, root, 0, 0, 4, 4, 0, 0, 0)
        let bytes = Array("many\0\(className)\0".utf8)
        XChangeProperty(
            display, window, Atom(XA_WM_CLASS), Atom(XA_STRING), 8, PropModeReplace, bytes, Int32(bytes.count)
        )
        XMapWindow(display, window)
    }
}
