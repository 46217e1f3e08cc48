import Glibc
import System

/// What serves a display from login to log-out: `xphase.service`, or, where no service manager of the user answers and for a
/// second display, `xphase run --respawn`.
public struct SessionService {
    /// What calls `xphase session start` at a login.
    private static let entries: [SystemString] = [
        "/etc/xdg/autostart/xphase.desktop", "/etc/X11/Xsession.d/95xphase",
        "/etc/X11/xinit/xinitrc.d/95xphase.sh",
    ]

    private let environment: Environment
    private let display: String
    /// Properties of the unit, each NAME=VALUE; nil where no service manager answers.
    private let unit: [Substring]?
    /// What answers for the display.
    private let process: Int32?
    /// Whether an `xphase run` serves the display.
    public let isRunning: Bool

    /// - Returns: nil where DISPLAY is not set.
    public init?(environment: Environment, display: String? = nil) {
        guard let display = display ?? environment["DISPLAY"]?.description else { return nil }
        (self.environment, self.display) = (environment, display)
        let question = ["systemctl", "--user", "show", "-p", "UnitFileState,ActiveState", "xphase.service"]
        unit = try? ToolOutput(of: question).lines
        process = (try? VarlinkClient(display: display, environment: environment))?.process
        // An `xphase on` has a socket, too.
        let words = process.flatMap { SystemString("/proc/\($0)/cmdline").contents()?.split(separator: "\0") }
        isRunning = words?.dropFirst().first == "run"
    }

    /// Whether the user wants it: `systemctl --user enable xphase`, or else one of two files.
    private var isEnabled: Bool {
        if let unit { return unit.contains { $0.hasPrefix("UnitFileState=enabled") } }
        guard let home = environment.configurationHome else { return false }
        if access((home + "/xphase/enabled").cString, F_OK) == 0 { return true }
        let entry = (home + "/autostart/xphase.desktop").contents(limit: 1 << 16)
        return entry.map { !$0.split(separator: "\n").contains("Hidden=true") } ?? false
    }

    /// Starts it, unless it runs, or is not enabled. Nothing is waited for.
    public func start() throws {
        guard isEnabled, !isRunning else { return }
        // It has one environment, hence one display.
        guard let unit, !unit.contains("ActiveState=active") else { return try startWithoutUnit() }
        for name in ["DISPLAY", "XAUTHORITY"] {
            // That of an earlier session may be left.
            let verb = environment[name] == nil ? "unset" : "import"
            try ToolOutput(of: ["systemctl", "--user", "\(verb)-environment", name])
        }
        try ToolOutput(of: ["systemctl", "--user", "start", "--no-block", "xphase.service"])
    }

    private func startWithoutUnit() throws(SystemError) {
        let nowhere = try Descriptor("open", open("/dev/null", O_RDWR | O_CLOEXEC))
        _ = try Spawn.start(
            ["/proc/self/exe", "run", "--respawn"], environment: environment.entries,
            descriptors: [nowhere, nowhere, nowhere],
            inheriting: .none(directory: environment.workingDirectory))
    }

    /// The variables of hooks, and whose PATH these have: those of the running service, else with that of the service manager
    /// which starts it, else those of this process.
    public var hookVariables: (environment: Environment, owner: String) {
        if isRunning, let running = process.flatMap({ Environment(of: $0) }) {
            return (running, "the service")
        }
        let manager = unit.flatMap { _ in try? ToolOutput(of: ["systemctl", "--user", "show-environment"]) }
        guard let path = manager?.lines.first(where: { $0.hasPrefix("PATH=") }) else {
            return (environment, "this command")
        }
        return (
            Environment(entries: [SystemString(String(path))] + environment.entries), "the service manager"
        )
    }

    // MARK: In words

    private var enabling: String {
        unit == nil ? "touch ~/.config/xphase/enabled" : "systemctl --user enable xphase"
    }

    /// Whether it runs, and what to type if not.
    public var state: String {
        if isRunning { return "runs for \(display)" }
        let start = isEnabled ? "" : "\(enabling) && "
        return "does not run for \(display): type \(start)xphase session start"
    }

    /// Where programs call it; nil where it does not run.
    public var address: String? {
        isRunning ? try? VarlinkClient(display: display, environment: environment).address : nil
    }

    /// What starts it at the next login, and what to type if nothing does.
    public var nextLogin: String {
        guard isEnabled else { return "nothing starts it: type \(enabling)" }
        let present = Self.entries.filter { access($0.cString, R_OK) == 0 }.map(\.description)
        let starters = (unit == nil ? [] : ["graphical-session.target"]) + present
        if starters.isEmpty { return "nothing starts it: have the session start call xphase session start" }
        return "started by the first of " + starters.joined(separator: ", ")
    }
}
