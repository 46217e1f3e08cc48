/// The facts about one window that the rule uses. It has no references, so that copies are cheap.
package struct WindowFacts: Hashable, Sendable, Codable {
    /// `map_state` of XGetWindowAttributes.
    package enum MapState: Int, Sendable, Codable {
        case unmapped
        /// Mapped, but an ancestor is unmapped.
        case unviewable
        case viewable
    }

    /// The state in WM_STATE (ICCCM 4.1.3.1).
    package enum ManagedState: UInt32, Sendable, Codable {
        case withdrawn = 0
        case normal = 1
        case iconic = 3
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

    /// The kind of window, from _NET_WM_WINDOW_TYPE.
    package enum Kind: Int, Sendable, Codable {
        /// NORMAL, DIALOG, UTILITY, TOOLBAR and all types that are not named below.
        case application
        case desktop
        /// DOCK, SPLASH, TOOLTIP, NOTIFICATION, the menus, COMBO and DND.
        case accessory
        /// DIALOG on an override-redirect window.
        case unmanagedDialog
    }

    /// The widths of the parts of a frame that are drawn around its client, in pixels.
    package struct FrameExtents: Hashable, Sendable, Codable {
        package let left, right, top, bottom: Int32

        /// Limits the widths: no window is larger.
        package init(left: UInt32, right: UInt32, top: UInt32, bottom: UInt32) {
            func width(_ number: UInt32) -> Int32 { Int32(min(number, 1 << 16)) }
            self.left = width(left)
            self.right = width(right)
            self.top = width(top)
            self.bottom = width(bottom)
        }
    }

    /// Excludes the fields that the table sets.
    private enum CodingKeys: String, CodingKey {
        case id, client, geometry, mapState, state, states, kind, depth, desktop, topLevel, container
        case frameLevel, transientFor, isOverrideRedirect, isInputOnly, isShaped, isTranslucent, frameExtents
        case takesInput, withdrewItself, wasManaged
        case process = "pid"
    }

    package let id: WindowID
    /// The X client: the resource ID without the bits that clients choose (the server's resource ID mask); 0 for the
    /// server.
    package var client: UInt32 = 0
    /// The rectangle, including the border; nil until it is read.
    package var geometry: Rectangle?
    package var mapState = MapState.unmapped
    package var state: ManagedState?
    package var states: States = []
    package var kind = Kind.application
    /// The depth in bits; 0 until it is read. A window of depth 32 may be translucent.
    package var depth: UInt8 = 0
    /// _NET_WM_DESKTOP; `allDesktops` for every desktop.
    package var desktop: UInt32?
    package var isOverrideRedirect = false
    package var isInputOnly = false
    /// Whether the client withdrew the window with a synthetic UnmapNotify on the root window (ICCCM 4.1.4), and it was
    /// neither mapped nor managed since.
    package var withdrewItself = false
    /// The child of the root window that is, or contains, the window.
    package var topLevel: UInt32?
    /// The nearest known window that contains the window; nil for none.
    package var container: UInt32?
    /// The height of the window in its frame, 0 for the lowest; nil unless several known windows share the frame.
    package var frameLevel: Int32?
    /// Whether a window manager has ever managed the window.
    package var wasManaged = false
    /// Whether a bounding shape is set; nil until it is read: of unmanaged windows that are known, and of all windows while
    /// covers are followed.
    package var isShaped: Bool?
    /// Whether _NET_WM_WINDOW_OPACITY makes the window translucent. Read while covers are followed.
    package var isTranslucent = false
    /// _NET_FRAME_EXTENTS; nil if it is not set. Read while covers are followed.
    package var frameExtents: FrameExtents?
    /// Whether a frame lets input through to the windows in it that take any; nil until it is read, under a window manager
    /// that is its own compositor.
    package var takesInput: Bool?
    package var transientFor: UInt32?
    /// Whether the window was destroyed. Its slot is then free.
    package internal(set) var isGone = false
    private var process: Int32 = 0

    /// The process that X-Resource reports, or else _NET_WM_PID if it is a process on this host.
    package var pid: Int32? {
        get { process == 0 ? nil : process }
        set { process = newValue ?? 0 }
    }

    package static let allDesktops: UInt32 = 0xFFFF_FFFF

    /// The desktop as lines report it: -1 for all.
    var reportedDesktop: Int? { desktop.map { $0 == Self.allDesktops ? -1 : Int($0) } }

    package init(_ id: WindowID) { self.id = id }
}

/// The strings that were read from one window.
package struct WindowText: Hashable, Sendable, Codable {
    /// The first string of WM_CLASS, `res_name`.
    package var instanceName: String?
    /// The second string of WM_CLASS, `res_class`.
    package var className: String?
    /// For a window without a class, that of the other windows of its client, of its group leader or of its process.
    package var ownerClass: String?
    /// The executable of the process, if the process is known to run on this host.
    package var executable: String?
    /// _NET_WM_NAME or WM_NAME.
    package var title: String?
    package var role: String?
    /// The monitor with the largest part of the window; nil unless locations are read.
    package var monitor: String?
    /// The name of the desktop in _NET_DESKTOP_NAMES; nil unless locations are read.
    package var desktopName: String?

    package init() {}

    package var application: String { className ?? ownerClass ?? executable ?? "unknown" }

    package var group: String { instanceName ?? application }

    var isName: Bool { className != nil || instanceName != nil || title != nil }
}

/// The names of a group and its application. It is an object because every judgement has one: copies and comparisons of two
/// strings would cost more than the rule.
package final class GroupName: Hashable, Sendable {
    package let application: String
    package let group: String

    init(application: String, group: String) {
        (self.application, self.group) = (application, group)
    }

    package static func == (left: GroupName, right: GroupName) -> Bool {
        left === right || left.application == right.application && left.group == right.group
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(application)
        hasher.combine(group)
    }

    /// The names of a window whose names have not been read.
    static let unknown = GroupName(application: "unknown", group: "unknown")
}

/// A copy of all facts and strings of one window, for explanations and tests.
@dynamicMemberLookup
package struct SeenWindow: Hashable, Sendable, Codable {
    package var facts: WindowFacts
    package var text = WindowText()

    package init(_ id: WindowID) { facts = WindowFacts(id) }

    init(_ facts: WindowFacts, _ text: WindowText) { (self.facts, self.text) = (facts, text) }

    package var id: WindowID { facts.id }

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
