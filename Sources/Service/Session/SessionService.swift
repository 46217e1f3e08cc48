import CLinux
import Glibc
import System

/// The service of a display from login to logout: `xphase.service`, or a plain `xphase run` for a second display and if
/// no user service manager has the unit.
public struct SessionService {
    private static let unit = "xphase.service"
    private static let logLimit = 1 << 20
    /// The time that the unit has to end.
    private static let patience = Duration.seconds(15)

    private let environment: Environment
    public let display: String
    /// The user's service manager; nil if none answers, or if it does not have the unit.
    private let manager: Bus?
    /// Whether the administrator or the user forbids to start the unit.
    private let isMasked: Bool
    /// Whether the user has enabled the service: by `systemctl --user enable xphase`, or by one of two files without
    /// the unit.
    public let isEnabled: Bool
    /// The process that serves the display, or runs `xphase on`.
    private let process: Int32?
    /// Whether an `xphase run` serves the display.
    public let isRunning: Bool
    /// The address for clients; nil if the service does not run.
    public let address: String?

    /// - Returns: nil if no display is given and DISPLAY is not set.
    /// - Throws: `SystemError` if another user may change the runtime directory.
    public init?(environment: Environment, display: String? = nil) throws(SystemError) {
        guard let display = display ?? environment["DISPLAY"]?.description else { return nil }
        (self.environment, self.display) = (environment, display)
        let manager = BusAddress.serviceManager(environment).flatMap { try? Bus($0) }
        let state = try? manager?.ask(UserUnits.manager("GetUnitFileState"), "s", [.text(Self.unit)])
        // It refuses a question about a unit that it does not have.
        self.manager = state == nil ? nil : manager
        isMasked = state?.first?.text?.hasPrefix("masked") ?? false
        isEnabled = state?.first?.text?.hasPrefix("enabled") ?? Self.isEnabled(environment)
        do throws(SystemError) {
            process = try InstanceLock.holder(display: display, environment)
        } catch {
            if error.isUntrusted { throw error }
            // There is no runtime directory.
            process = nil
        }
        isRunning = process.flatMap(VarlinkClient.command) == "run"
        address =
            isRunning ? (try? VarlinkClient(display: display, environment: environment))?.address : nil
    }

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

    /// Ends the service, which undoes what its hooks hold, and waits until it has ended.
    ///
    /// - Throws: `ServiceError.notRunning`, `ServiceError.lingering`.
    public func stop() throws {
        guard isRunning, let process else { throw ServiceError.notRunning(display: display) }
        // Readable once the process has ended. Without one, it has ended already.
        guard let end = try? Descriptor("pidfd_open", pidfd_open(process, 0)) else { return }
        if let manager, try property("MainPID", "Service", manager)?.number == UInt64(process) {
            _ = try manager.ask(UserUnits.manager("StopUnit"), "ss", [.text(Self.unit), .text("replace")])
        } else {
            kill(process, SIGTERM)
            // A stopped process would not end.
            kill(process, SIGCONT)
        }
        var state = pollfd(fd: end.number, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, Int32(Self.patience.milliseconds)) > 0 else {
            throw ServiceError.lingering(pid: process)
        }
    }

    private func isActive(_ manager: Bus) throws(BusError) -> Bool {
        try property("ActiveState", "Unit", manager)?.text == "active"
    }

    private func property(
        _ name: String, _ interface: String, _ manager: Bus
    ) throws(BusError) -> BusValue? {
        let (method, arguments) = UserUnits.property(name, of: Self.unit, interface: interface)
        return try manager.ask(method, "ss", arguments).first
    }

    /// Checks that no other process runs the hooks of the display.
    ///
    /// - Throws: `ServiceError.held`.
    public func checkIsFree() throws(ServiceError) {
        if let process { throw .held(pid: process) }
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
        let directory = try UndoRecordFile.directory(environment)
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
        if isRunning, let running = process.flatMap({ Environment(of: $0)?.completed() }) {
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

    /// The commands that enable the service.
    private var enabling: String {
        if manager != nil {
            // The programs of systemd do not look for the directory.
            let found = environment.found.filter { $0.hasPrefix("XDG_RUNTIME_DIR=") }.map(\.quotedForShell)
            let call = (found + ["systemctl --user"]).joined(separator: " ")
            return (isMasked ? "\(call) unmask xphase && " : "") + "\(call) enable xphase"
        }
        let home = environment.absolutePath("XDG_CONFIG_HOME").map(\.quotedForShell) ?? "~/.config"
        return "mkdir -p \(home)/xphase && touch \(home)/xphase/enabled"
    }

    /// Whether the service runs.
    public var state: String { "\(isRunning ? "runs" : "is not running") for \(display)" }

    /// The commands that start the service.
    public var starting: String {
        let start = isEnabled ? "" : "\(enabling) && "
        let isOther = environment["DISPLAY"]?.description != display
        return start + (isOther ? "DISPLAY=\(display.quotedForShell) " : "") + "xphase session start"
    }

    /// What starts the service at the next login, and what to do if nothing does.
    public var nextLogin: String {
        let files = LoginFiles(environment)
        let target = manager == nil ? [] : ["graphical-session.target"]
        let starters = (isEnabled ? target + files.ifEnabled : []) + files.always
        guard starters.isEmpty else {
            return (starters.count > 1 ? "started by the first of " : "started by ")
                + starters.joined(separator: ", ")
        }
        guard isEnabled else { return "not enabled; to enable it: \(enabling)" }
        return "not started; to start it: add xphase session start to ~/.xsession or ~/.xinitrc"
    }
}
