/// What is known of one X screen and of its window manager.
public struct Screen: Hashable, Sendable {
    /// The window manager of a screen; its identity is its check window.
    public struct Manager: Hashable, Sendable {
        /// The window that _NET_SUPPORTING_WM_CHECK names and that names itself; nil for managers without
        /// EWMH.
        public var checkWindow: UInt32?
        public var name: String?

        public init(checkWindow: UInt32? = nil, name: String? = nil) {
            self.checkWindow = checkWindow
            self.name = name
        }
    }

    public var root: UInt32
    public var bounds: Rectangle
    /// Who holds SubstructureRedirect on the root window; nil when nobody does. Only this tells a living
    /// window manager: its properties stay on the root window after its death.
    public var manager: Manager?
    /// The window that owns WM_Sn: 0 under managers that do not take it.
    public var selectionOwner: UInt32 = 0
    /// The client list or the active window were written since this window manager took over.
    public var wasRewritten = false
    /// _NET_CLIENT_LIST; nil where it is not set.
    public var clients: Set<UInt32>?
    /// _NET_CLIENT_LIST_STACKING, the lowest first.
    public var stacking: [UInt32] = []
    /// _NET_ACTIVE_WINDOW: 0 for none, nil where it is not set.
    public var activeWindow: UInt32?
    /// _NET_CURRENT_DESKTOP.
    public var currentDesktop: UInt32?
    /// _NET_SHOWING_DESKTOP.
    public var isShowingDesktop = false
    /// The window manager owns _NET_WM_CM_Sn as well.
    public var isOwnCompositor = false

    public init(root: UInt32 = 0, bounds: Rectangle = Rectangle(width: 1280, height: 800)) {
        self.root = root
        self.bounds = bounds
    }

    /// Whether what the root window says is said by the window manager that runs now.
    public var isTrusted: Bool {
        guard let manager else { return false }
        return manager.checkWindow != nil || wasRewritten
    }
}
