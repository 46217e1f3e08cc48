/// What is known of one window: the facts that the rule decides on, and the names it is told by.
package struct SeenWindow: Hashable, Sendable {
    /// `map_state` of XGetWindowAttributes.
    package enum MapState: Sendable {
        case unmapped
        /// Mapped, but a window above it in the tree is not.
        case unviewable
        case viewable
    }

    /// The state in WM_STATE (ICCCM 4.1.3.1).
    package enum ManagedState: UInt32, Sendable {
        case withdrawn = 0
        case normal = 1
        case iconic = 3
    }

    /// What VisibilityNotify last said.
    package enum Visibility: Sendable {
        case unobscured, partiallyObscured, fullyObscured
    }

    /// The atoms of _NET_WM_STATE that the rule uses.
    package struct States: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let hidden = States(rawValue: 1)
        package static let shaded = States(rawValue: 2)
        package static let sticky = States(rawValue: 4)
    }

    /// What _NET_WM_WINDOW_TYPE makes of it.
    package enum Kind: Sendable {
        /// NORMAL, DIALOG, UTILITY, TOOLBAR and all that is not named below.
        case application
        case desktop
        /// DOCK, SPLASH, TOOLTIP, NOTIFICATION, the menus, COMBO and DND.
        case accessory
    }

    package let id: WindowID
    /// The index of its screen.
    package let screen: Int

    package var mapState = MapState.unmapped
    package var isOverrideRedirect = false
    package var isInputOnly = false
    /// With its border; nil until it was read.
    package var place: Rectangle?
    /// The child of the root window that it is in: itself, or its frame.
    package var topLevel: UInt32?
    /// nil until the first VisibilityNotify: selecting it brings none.
    package var visibility: Visibility?
    /// A synthetic UnmapNotify came (ICCCM 4.1.4) and it was not mapped since.
    package var withdrewItself = false
    /// A window manager has managed it at some time.
    package var wasManaged = false

    package var state: ManagedState?
    package var states: States = []
    /// _NET_WM_DESKTOP, whose `allDesktops` means every one.
    package var desktop: UInt32?
    package var kind = Kind.application
    /// WM_TRANSIENT_FOR.
    package var transientFor: UInt32?

    /// The first string of WM_CLASS, `res_name`.
    package var instanceName: String?
    /// The second string of WM_CLASS, `res_class`.
    package var className: String?
    /// The executable of its process, where that is known to run on this host.
    package var executable: String?
    package var pid: Int32?
    package var title: String?

    package static let allDesktops: UInt32 = 0xFFFF_FFFF

    package init(_ id: WindowID, screen: Int = 0) {
        self.id = id
        self.screen = screen
    }

    /// The application it belongs to.
    package var application: String { className ?? executable ?? "unknown" }

    /// The group of its application that it belongs to.
    package var group: String { instanceName ?? application }
}
