/// What was read of one window and what the rule decides on: a row of the window table without references.
package struct WindowFacts: Hashable, Sendable, Codable {
    /// `map_state` of XGetWindowAttributes.
    package enum MapState: Sendable, CodedByPlace {
        case unmapped
        /// Mapped, but a window above it in the tree is not.
        case unviewable
        case viewable
    }

    /// The state in WM_STATE (ICCCM 4.1.3.1).
    package enum ManagedState: UInt32, Sendable, Codable {
        case withdrawn = 0
        case normal = 1
        case iconic = 3
    }

    /// What VisibilityNotify last said, or of a shaded window, whether its frame leaves anything of it.
    package enum VisibilityState: Sendable, CodedByPlace {
        case unobscured, partiallyObscured, fullyObscured
    }

    /// The atoms of _NET_WM_STATE that the rule uses.
    package struct States: OptionSet, Hashable, Sendable, Codable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let hidden = States(rawValue: 1)
        package static let shaded = States(rawValue: 2)
        package static let sticky = States(rawValue: 4)
        package static let fullscreen = States(rawValue: 8)
        package static let maximizedVertically = States(rawValue: 16)
        package static let maximizedHorizontally = States(rawValue: 32)
    }

    /// What _NET_WM_WINDOW_TYPE makes of it.
    package enum Kind: Sendable, CodedByPlace {
        /// NORMAL, DIALOG, UTILITY, TOOLBAR and all that is not named below.
        case application
        case desktop
        /// DOCK, SPLASH, TOOLTIP, NOTIFICATION, the menus, COMBO and DND.
        case accessory
        /// DIALOG, of an override-redirect window.
        case unmanagedDialog
    }

    /// Without what its table sets: the number of a group from a file could be that of no group.
    private enum CodingKeys: String, CodingKey {
        case id, place, mapState, state, states, visibility, kind, depth, desktop, topLevel, transientFor
        case isOverrideRedirect, isInputOnly, withdrewItself, wasManaged
        case screenNumber = "screen"
        case process = "pid"
    }

    package let id: WindowID
    /// With its border; nil until it was read.
    package var place: Rectangle?
    private let screenNumber: UInt8
    package var mapState = MapState.unmapped
    package var state: ManagedState?
    package var states: States = []
    /// nil until the first VisibilityNotify: selecting it brings none. A shaded window has that of its frame at once.
    package var visibility: VisibilityState?
    package var kind = Kind.application
    /// Bits of a pixel; 0 until it was read. With 32 it may be translucent.
    package var depth: UInt8 = 0
    /// _NET_WM_DESKTOP, whose `allDesktops` means every one.
    package var desktop: UInt32?
    package var isOverrideRedirect = false
    package var isInputOnly = false
    /// A synthetic UnmapNotify came on the root window (ICCCM 4.1.4), and since then the window was not mapped, nor did the
    /// window manager write WM_STATE Normal or Iconic, or add it to the client list.
    package var withdrewItself = false
    /// The child of the root window that it is in: itself, or its frame.
    package var topLevel: UInt32?
    /// A window manager has managed it at some time.
    package var wasManaged = false
    /// WM_CLASS or a title is set.
    package internal(set) var hasName = false
    /// WM_TRANSIENT_FOR.
    package var transientFor: UInt32?
    /// It was destroyed; its slot is free.
    package internal(set) var isGone = false
    /// The names of its application and group.
    package internal(set) var group = GroupName.unknown
    private var process: Int32 = 0

    /// _NET_WM_PID, where that is a process of this host, or what X-Resource tells.
    package var pid: Int32? {
        get { process == 0 ? nil : process }
        set { process = newValue ?? 0 }
    }

    package static let allDesktops: UInt32 = 0xFFFF_FFFF

    package init(_ id: WindowID, screen: Int = 0) {
        self.id = id
        screenNumber = UInt8(clamping: screen)
    }

    /// The index of its screen.
    package var screen: Int { Int(screenNumber) }
}

/// The strings that were read of one window.
package struct WindowText: Hashable, Sendable, Codable {
    /// The first string of WM_CLASS, `res_name`.
    package var instanceName: String?
    /// The second string of WM_CLASS, `res_class`.
    package var className: String?
    /// The executable of its process, where that is known to run on this host.
    package var executable: String?
    /// _NET_WM_NAME or WM_NAME.
    package var title: String?
    /// WM_WINDOW_ROLE.
    package var role: String?
    /// The monitor that has most of it, where that is read.
    package var monitor: String?
    /// The name of its desktop in _NET_DESKTOP_NAMES, where that is read.
    package var desktopName: String?

    package init() {}

    /// The application it belongs to.
    package var application: String { className ?? executable ?? "unknown" }

    /// The group of its application that it belongs to.
    package var group: String { instanceName ?? application }

    var isName: Bool { className != nil || instanceName != nil || title != nil }
}

/// A copy of all that was read of one window, for explanations and tests.
@dynamicMemberLookup
package struct SeenWindow: Hashable, Sendable {
    package var facts: WindowFacts
    package var text = WindowText()

    package init(_ id: WindowID, screen: Int = 0) {
        facts = WindowFacts(id, screen: screen)
    }

    init(_ facts: WindowFacts, _ text: WindowText) {
        self.facts = facts
        self.text = text
        // The number of a group says nothing outside of its table.
        self.facts.group = .unknown
    }

    package subscript<Value>(dynamicMember path: KeyPath<WindowFacts, Value>) -> Value {
        facts[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<WindowFacts, Value>) -> Value {
        get { facts[keyPath: path] }
        set { facts[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: KeyPath<WindowText, Value>) -> Value {
        text[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<WindowText, Value>) -> Value {
        get { text[keyPath: path] }
        set { text[keyPath: path] = newValue }
    }
}
