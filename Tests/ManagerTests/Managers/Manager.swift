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
    /// A shell script to run before the first start; empty for none.
    var preparation = ""
    /// Methods of its own; all other requests are sent as EWMH and ICCCM define.
    var methods: [Request: [RequestMethod]] = [:]
    /// The requests that it does not fulfil, each with the reason or with what it does instead.
    var cannot: [Request: String] = [:]
    /// The requests for which it hides windows that other managers only cover. A covered window keeps its phase.
    var hidesCovered: Set<Request> = []
    /// The causes that differ from the usual ones, because the manager's hints do not show the real one.
    var causes: [Request: String] = [:]

    /// It removes the focus from a window 0.4 s before it hides the window, and focuses a new one 0.2 s after it
    /// has shown it. Both steps last long enough to be reported as changes.
    var isSlow = false
    /// It iconifies every window but the one in use.
    var showsOneWindow = false
    /// It shows the desktop by raising a window of type DESKTOP, so there must be one.
    var raisesDesktopWindow = false
    /// The title of a dialog that it opens at its start on some machines; the rig closes the dialog.
    var startupDialog: String?
    /// It exits when another manager takes its selection (ICCCM 4.3).
    var exitsWhenReplaced = true

    var description: String { name }
    var testDescription: String { name }

    func can(_ requests: Request...) -> Bool { requests.allSatisfy { cannot[$0] == nil } }
}

/// A program that a window manager needs, or that changes how it shows windows.
enum Companion: Sendable {
    /// A D-Bus session of its own.
    case bus
    case compositor
}

extension Manager {
    static let withoutDesktops: [Request: String] = Dictionary(
        uniqueKeysWithValues: [
            .leaveDesktop, .returnToDesktop, .moveAway, .moveBack, .takeBack, .stick, .unstick,
        ].map {
            ($0, "it has no desktops")
        })
    static let withoutTabs: [Request: String] = Dictionary(
        uniqueKeysWithValues: [.tab, .stack, .monocle, .tile].map { ($0, "it has no such layout") })
    static let withoutShade: [Request: String] = [.shade: "it does not shade", .unshade: "it does not shade"]
    static let withoutShowDesktop: [Request: String] = [
        .showDesktop: "it ignores the request", .hideDesktop: "it ignores the request",
    ]
    static let withoutMonitors: [Request: String] = Dictionary(
        uniqueKeysWithValues: [
            .splitMonitors, .joinMonitors, .moveToMonitor, .leaveMonitor, .returnToMonitor,
        ].map { ($0, "all monitors show one desktop") })
    static let withFixedMonitors: [Request: String] = [
        .splitMonitors: "only while it starts", .joinMonitors: "only while it starts",
    ]
    static let withOwnMonitors: [Request: String] = Dictionary(
        uniqueKeysWithValues: [.moveToMonitor, .leaveMonitor, .returnToMonitor].map {
            ($0, "it takes RandR's outputs for the monitors, of which Xvfb has one")
        })
    static let withoutIconify: [Request: String] = [
        .iconify: "it does not iconify", .deiconify: "it does not iconify",
    ]
}

extension Dictionary {
    /// Merges two dictionaries; for equal keys the right one wins.
    static func + (left: Self, right: Self) -> Self { left.merging(right) { $1 } }
}
