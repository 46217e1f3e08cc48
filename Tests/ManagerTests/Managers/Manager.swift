import Testing

/// A window manager: how it is started, how it is asked for things, and what it cannot do.
///
/// `{folder}` stands for a folder of its own wherever a text is given.
struct Manager: Sendable, CustomStringConvertible, CustomTestStringConvertible {
    var name: String
    let package: String
    /// Empty for no window manager.
    let program: String
    var arguments: [String] = []
    /// Its configuration by the name in its folder, which is its HOME.
    var files: [String: String] = [:]
    var variables: [String: String] = [:]
    /// What runs beside it.
    var companions: [Companion] = []
    /// What the shell does before its first start; nothing if it is empty.
    var preparation = ""
    /// Its own ways; for all other wishes it is asked as EWMH and ICCCM say.
    var ways: [Wish: [Way]] = [:]
    /// What it cannot do, each with what it does in place of it.
    var cannot: [Wish: String] = [:]
    /// The wishes on which it hides the windows that others only cover, which is no background.
    var hidesCovered: Set<Wish> = []
    /// The cause of what is hidden by a wish where it is another one than usual: it lets one not tell more.
    var causes: [Wish: String] = [:]

    /// It takes the focus from a window 0.4 s before it hides it, and gives it to a new one 0.2 s after it
    /// has shown it: two changes, which are both to be seen.
    var isSlow = false
    /// It iconifies every window but the one in use.
    var showsOneWindow = false
    /// It shows the desktop by raising a window of type DESKTOP, so there must be one.
    var raisesDesktopWindow = false
    /// The title of a dialog that it opens on some machines when it starts; it is closed.
    var greeting: String?
    /// It ends when another one asks for its place (ICCCM 4.3).
    var givesWay = true

    var description: String { name }
    var testDescription: String { name }

    func can(_ wishes: Wish...) -> Bool { wishes.allSatisfy { cannot[$0] == nil } }
}

/// A program that a window manager needs, or that makes it another one.
enum Companion: Sendable {
    /// A D-Bus session of its own.
    case bus
    case compositor
}

extension Manager {
    static let withoutDesktops: [Wish: String] = Dictionary(
        uniqueKeysWithValues: [
            .leaveDesktop, .returnToDesktop, .moveAway, .moveBack, .takeBack, .stick, .unstick,
        ].map {
            ($0, "it has no desktops")
        })
    static let withoutTabs: [Wish: String] = Dictionary(
        uniqueKeysWithValues: [.tab, .stack, .monocle, .tile].map { ($0, "it has no such layout") })
    static let withoutShade: [Wish: String] = [.shade: "it does not shade", .unshade: "it does not shade"]
    static let withoutShowDesktop: [Wish: String] = [
        .showDesktop: "it ignores the request", .hideDesktop: "it ignores the request",
    ]
    static let withoutMonitors: [Wish: String] = Dictionary(
        uniqueKeysWithValues: [
            .splitMonitors, .joinMonitors, .moveToMonitor, .leaveMonitor, .returnToMonitor,
        ].map { ($0, "all monitors show one desktop") })
    static let withFixedMonitors: [Wish: String] = [
        .splitMonitors: "only while it starts", .joinMonitors: "only while it starts",
    ]
    static let withOwnMonitors: [Wish: String] = Dictionary(
        uniqueKeysWithValues: [.moveToMonitor, .leaveMonitor, .returnToMonitor].map {
            ($0, "it takes RandR's outputs for the monitors, of which Xvfb has one")
        })
    static let withoutIconify: [Wish: String] = [
        .iconify: "it does not iconify", .deiconify: "it does not iconify",
    ]
}

extension Dictionary {
    /// Both, the right one's where they differ.
    static func + (left: Self, right: Self) -> Self { left.merging(right) { $1 } }
}
