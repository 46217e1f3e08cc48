/// What is known of one window: the facts that the rule decides on, and the names it is told by.
public struct SeenWindow: Hashable, Sendable {
    /// `map_state` of XGetWindowAttributes.
    public enum MapState: Sendable {
        case unmapped
        /// Mapped, but a window above it in the tree is not.
        case unviewable
        case viewable
    }

    /// The state in WM_STATE (ICCCM 4.1.3.1).
    public enum ManagedState: UInt32, Sendable {
        case withdrawn = 0
        case normal = 1
        case iconic = 3
    }

    /// What VisibilityNotify last said.
    public enum Visibility: Sendable {
        case unobscured, partiallyObscured, fullyObscured
    }

    /// The atoms of _NET_WM_STATE that the rule uses.
    public struct States: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let hidden = States(rawValue: 1)
        public static let shaded = States(rawValue: 2)
        public static let sticky = States(rawValue: 4)
    }

    /// What _NET_WM_WINDOW_TYPE makes of it.
    public enum Kind: Sendable {
        /// NORMAL, DIALOG, UTILITY, TOOLBAR and all that is not named below.
        case application
        case desktop
        /// DOCK, SPLASH, TOOLTIP, NOTIFICATION, the menus, COMBO and DND.
        case accessory
    }

    public let id: WindowID
    /// The index of its screen.
    public let screen: Int

    public var mapState = MapState.unmapped
    public var isOverrideRedirect = false
    public var isInputOnly = false
    /// With its border; nil until it was read.
    public var place: Rectangle?
    /// The child of the root window that it is in: itself, or its frame.
    public var topLevel: UInt32?
    /// nil until the first VisibilityNotify: selecting it brings none.
    public var visibility: Visibility?
    /// A synthetic UnmapNotify came (ICCCM 4.1.4) and it was not mapped since.
    public var withdrewItself = false
    /// A window manager has managed it at some time.
    public var wasManaged = false

    public var state: ManagedState?
    public var states: States = []
    /// _NET_WM_DESKTOP, whose `allDesktops` means every one.
    public var desktop: UInt32?
    public var kind = Kind.application
    /// WM_TRANSIENT_FOR.
    public var transientFor: UInt32?

    /// The first string of WM_CLASS, `res_name`.
    public var instanceName: String?
    /// The second string of WM_CLASS, `res_class`.
    public var className: String?
    /// The executable of its process, where that is known to run on this host.
    public var executable: String?
    public var pid: Int32?
    public var title: String?

    public static let allDesktops: UInt32 = 0xFFFF_FFFF

    public init(_ id: WindowID, screen: Int = 0) {
        self.id = id
        self.screen = screen
    }

    /// The application it belongs to.
    public var application: String { className ?? executable ?? "unknown" }

    /// The group of its application that it belongs to.
    public var group: String { instanceName ?? application }
}
