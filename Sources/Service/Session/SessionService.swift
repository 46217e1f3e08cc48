import Glibc
import System

/// The service of a display from login to logout: `xphase.service`, or a plain `xphase run` for a second display and if
/// no user service manager answers.
public struct SessionService {
    /// The files that call `xphase session start` at login.
    private static let entries: [SystemString] = [
        "/etc/xdg/autostart/xphase.desktop", "/etc/X11/Xsession.d/95xphase",
        "/etc/X11/xinit/xinitrc.d/95xphase.sh",
    ]

    private static let logLimit = 1 << 20

    private let environment: Environment
    private let display: String
    /// The user's service manager; nil if none answers.
    private let manager: Bus?
    /// Whether the user has enabled the service: by `systemctl --user enable xphase`, or by one of two files if no
    /// service manager answers.
    public let isEnabled: Bool
    /// The process that answers for the display.
    private let process: Int32?
    /// Whether an `xphase run` serves the display.
    public let isRunning: Bool
    /// The address for clients; nil if the service does not run.
    public let address: String?

    /// - Returns: nil if no display is given and DISPLAY is not set.
    public init?(environment: Environment, display: String? = nil) {
        guard let display = display ?? environment["DISPLAY"]?.description else { return nil }
        (self.environment, self.display) = (environment, display)
        let manager = BusAddress.serviceManager(environment).flatMap { try? Bus($0) }
        let state = try? manager?.ask(UserUnits.manager("GetUnitFileState"), "s", [.text(Self.unit)])
        // It refuses a question about a unit that it does not have.
        self.manager = manager?.isLost == false ? manager : nil
        isEnabled =
            self.manager == nil
            ? Self.isEnabled(environment) : state?.first?.text?.hasPrefix("enabled") ?? false
        let client = try? VarlinkClient(display: display, environment: environment)
        process = client?.process
        // `xphase on` has a socket, too.
        isRunning = process.flatMap(VarlinkClient.command) == "run"
        address = isRunning ? client?.address : nil
    }

    private static let unit = "xphase.service"

    private static func isEnabled(_ environment: Environment) -> Bool {
        guard let home = environment.configurationHome else { return false }
        if access((home + "/xphase/enabled").cString, F_OK) == 0 { return true }
        let entry = (home + "/autostart/xphase.desktop").contents(limit: 1 << 16)
        return entry.map { !$0.split(separator: "\n").contains("Hidden=true") } ?? false
    }

    /// Starts the service if it is enabled and not running. Does not wait for it.
    public func start() throws {
        guard isEnabled, !isRunning else { return }
        // The unit has one environment, and therefore one display.
        guard let manager, try !isActive(manager) else { return try startWithoutUnit() }
        for name in ["DISPLAY", "XAUTHORITY"] {
            // The value of an earlier session may be left.
            let entry = environment[name].map { "\(name)=\($0)" }
            let method = UserUnits.manager(entry == nil ? "UnsetEnvironment" : "SetEnvironment")
            _ = try manager.ask(method, "as", [.list([.text(entry ?? name)])])
        }
        _ = try manager.ask(UserUnits.manager("StartUnit"), "ss", [.text(Self.unit), .text("replace")])
    }

    private func isActive(_ manager: Bus) throws(BusError) -> Bool {
        let (method, arguments) = UserUnits.property("ActiveState", of: Self.unit, interface: "Unit")
        return try manager.ask(method, "ss", arguments).first?.text == "active"
    }

    private func startWithoutUnit() throws(SystemError) {
        let nowhere = try Descriptor("open", open("/dev/null", O_RDWR | O_CLOEXEC))
        // Nothing stays frozen if a signal kills the service. At any other end, the service thaws by itself.
        let line = "\"$0\" run || [ $? -le 128 ] || \"$0\" thaw --all"
        _ = try Spawn.start(
            ["/bin/sh", "-c", SystemString(line), SystemString("/proc/self/exe").linkTarget ?? "xphase"],
            environment: environment.entries, descriptors: [nowhere, nowhere, openLog()],
            directory: environment.workingDirectory)
    }

    /// Opens the log of the display, to append. A log that has become large is kept as the old one.
    private func openLog() throws(SystemError) -> Descriptor {
        let directory = try RecordFile.directory(environment)
        let name: SystemString = "log-\(DisplayFileName(display))"
        var facts = stat()
        if lstat(directory.path(of: name).cString, &facts) == 0, facts.st_size > Self.logLimit {
            try directory.rename(name, to: "\(name).old")
        }
        return try directory.create(name, O_WRONLY | O_APPEND | O_CLOEXEC, mode: 0o600)
    }

    /// The environment of hooks, and the owner of its PATH: the environment of the running service; otherwise the
    /// environment of this process, with the PATH of the service manager that starts the service, if there is one.
    public var hookVariables: (environment: Environment, owner: String) {
        if isRunning, let running = process.flatMap({ Environment(of: $0) }) {
            return (running, "the service")
        }
        let variables =
            (try? manager?.ask(UserUnits.environment.method, "ss", UserUnits.environment.arguments))?
            .first?.texts
        guard let path = variables?.first(where: { $0.hasPrefix("PATH=") }) else {
            return (environment, "this command")
        }
        return (
            Environment(entries: [SystemString(path)] + environment.entries), "the service manager"
        )
    }

    // MARK: Descriptions

    /// Where the running service logs: the command that prints the log of its unit, or a file or a terminal; nil if it
    /// does not run, or logs elsewhere.
    public var log: String? {
        guard isRunning, let process, let errors = SystemString("/proc/\(process)/fd/2").linkTarget
        else { return nil }
        if errors.hasPrefix("socket:") { return "journalctl --user --unit xphase" }
        return errors.isAbsolute ? errors.description : nil
    }

    private var enabling: String {
        if manager != nil { return "systemctl --user enable xphase" }
        let folder = "\(environment["XDG_CONFIG_HOME"]?.description ?? "~/.config")/xphase"
        return "mkdir -p \(folder) && touch \(folder)/enabled"
    }

    /// Whether the service runs, and the command that starts it if it does not.
    public var state: String {
        if isRunning { return "runs for \(display)" }
        let start = isEnabled ? "" : "\(enabling) && "
        return "is not running for \(display); to start it: \(start)xphase session start"
    }

    /// What starts the service at the next login, and what to do if nothing does.
    public var nextLogin: String {
        guard isEnabled else { return "not enabled; to enable it: \(enabling)" }
        let present = Self.entries.filter { access($0.cString, R_OK) == 0 }.map(\.description)
        let starters = (manager == nil ? [] : ["graphical-session.target"]) + present
        if starters.isEmpty {
            return "not started; to start it: add xphase session start to ~/.xsession or ~/.xinitrc"
        }
        return "started by the first of " + starters.joined(separator: ", ")
    }
}
