import Testing

/// A window manager: how to start it, how to send it requests, and which requests it does not fulfil.
///
/// `{folder}` in any text stands for the manager's own folder.
struct Manager: Sendable, CustomStringConvertible, CustomTestStringConvertible {
    var name: String
    let package: String
    /// The program's name; empty for no window manager.
    let program: String
    var arguments: [String] = []
    /// The configuration files by their names in the manager's folder, which is its HOME.
    var files: [String: String] = [:]
    var variables: [String: String] = [:]
    /// The programs that run beside the manager.
    var companions: [Companion] = []
    /// A shell script that runs before the first start; empty for none.
    var preparation = ""
    /// The manager's own request methods. All other requests are sent as EWMH and ICCCM define.
    var methods: [Request: [RequestMethod]] = [:]
    /// The requests that the manager does not fulfil, each with the reason or with what it does instead.
    var cannot: [Request: String] = [:]
    /// The requests that hide windows under this manager and only cover them under others. A covered window keeps its
    /// phase.
    var hidesCovered: Set<Request> = []
    /// The causes that differ from the usual ones, because the manager's hints do not show the real one.
    var causes: [Request: String] = [:]

    /// Whether the manager removes the focus from a window 0.4 s before it hides the window, and focuses a new window
    /// 0.2 s after it has shown it. Both steps last long enough to be reported as changes.
    var isSlow = false
    /// Whether the manager iconifies every window except the one in use.
    var showsOneWindow = false
    /// Whether the manager shows the desktop by raising a window of type DESKTOP. The rig then opens such a window.
    var raisesDesktopWindow = false
    /// Whether the manager never rests after a client has embedded one of its windows in another window: it frames and
    /// unframes the window without end.
    var fightsEmbedding = false
    /// The title of a dialog that the manager opens at its start on some machines. The rig closes it.
    var startupDialog: String?
    /// Whether the manager exits when another manager acquires its selection (ICCCM 4.3).
    var exitsWhenReplaced = true

    var description: String { name }
    var testDescription: String { name }

    func can(_ requests: Request...) -> Bool { requests.allSatisfy { cannot[$0] == nil } }
}

/// A program that a window manager needs, or that changes how it shows windows.
enum Companion: Sendable {
    /// A separate D-Bus session.
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
            ($0, "its monitors are RandR outputs, and Xvfb has one")
        })
    static let withoutIconify: [Request: String] = [
        .iconify: "it does not iconify", .deiconify: "it does not iconify",
    ]
}

extension Dictionary {
    /// Merges two dictionaries. For equal keys the right one wins.
    static func + (left: Self, right: Self) -> Self { left.merging(right) { $1 } }
}
