import Glibc
import TestDesktop

/// A window manager that runs on a display, with its companions.
final class ManagerProcess {
    let manager: Manager
    private let display: VirtualDisplay
    private let folder: TemporaryFolder
    private var companions: [Program] = []
    private var compositor: Program?
    private(set) var program: Program?
    private var variables: [String: String?] = [:]

    init(_ manager: Manager, on display: VirtualDisplay) throws {
        self.manager = manager
        self.display = display
        folder = try TemporaryFolder()
        variables = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.path,
            "XDG_CACHE_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_SESSION_ID": nil,
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "NO_AT_BRIDGE": "1",
        ]
        for (name, value) in manager.variables { variables[name] = fill(value) }
        for (name, text) in manager.files {
            if let slash = name.lastIndex(of: "/") {
                _ = try Program.run("mkdir", ["-p", "\(folder.path)/\(name[..<slash])"])
            }
            try folder.write(name, fill(text), mode: 0o700)
        }
        try prepare()
        try startCompanions()
    }

    deinit {
        // Before the folder is deleted: programs that write when they exit would create it again.
        for program in [program, compositor].compactMap(\.self) + companions { try? program.end() }
        _ = try? waitUntil(within: .seconds(5)) { try killLeftovers() }
    }

    /// Kills all processes that the bus has started, directly or indirectly. Their environment names the folder.
    ///
    /// - Returns: Whether no such process is left.
    private func killLeftovers() throws -> Bool {
        let files = try Program.run(
            "/bin/sh", ["-c", "grep -ls \"$1\" /proc/[0-9]*/environ", "sh", folder.path]
        ).output
        for pid in files.compactMap({ pid_t($0.split(separator: "/")[1]) }) { Glibc.kill(pid, SIGKILL) }
        return files.isEmpty
    }

    private func prepare() throws {
        guard !manager.preparation.isEmpty else { return }
        let result = try Program.run("/bin/sh", ["-c", fill(manager.preparation)], environment: environment)
        guard result.code == 0 else { throw Failure("\(manager) is not prepared: \(result.errors)") }
    }

    /// Starts the manager and waits until it manages the display.
    func start(arguments: [String] = [], _ client: TestClient) throws {
        try spawn(arguments: arguments)
        guard waitUntil({ client.isManaged }) else { throw Failure("\(manager) did not start: \(log())") }
    }

    /// Starts the manager again if it has exited. Some managers exit while their predecessor still manages the root
    /// window.
    func respawnIfExited(arguments: [String], _ client: TestClient) throws {
        _ = try waitUntil { try client.isManaged || program.map(hasEnded) ?? true }
        if !client.isManaged { try spawn(arguments: arguments) }
    }

    func spawn(arguments: [String] = []) throws {
        guard !manager.program.isEmpty else { return }
        let path = try Program.find(manager.program, package: manager.package)
        // The output goes to a file, since a pipe would not be read while the manager runs.
        program = try Program(
            "/bin/sh",
            ["-c", "exec \"$@\" >>'\(folder.path)/log' 2>&1", "sh", path] + manager.arguments.map(fill)
                + arguments,
            environment: environment)
    }

    /// Maps probe windows until one is managed, since some managers miss map requests while they start.
    func waitForFirstWindow(_ client: TestClient) throws {
        let isReady = waitUntil {
            let probe = TestWindow(client, .init("Probe"), colour: 0, width: 10, height: 10)
            probe.map()
            defer { probe.destroy() }
            return waitUntil(within: .milliseconds(500)) { client.words("WM_STATE", of: probe.id) != nil }
        }
        guard isReady else { throw Failure("\(manager) manages no window: \(log())") }
    }

    /// Runs one of the manager's own commands to its end.
    func run(_ command: [String], name: String, window: UInt) throws {
        let words = command.map {
            fill($0).replacing("{id}", with: "0x" + String(window, radix: 16))
                .replacing("{decimal}", with: String(window))
                .replacing("{name}", with: name)
        }
        let result = try Program.run(
            words[0], Array(words.dropFirst()), package: manager.package, environment: environment)
        guard result.code == 0 else {
            throw Failure("\(words.joined(separator: " ")): \(result.output + result.errors)")
        }
    }

    func kill() throws {
        try program?.end(SIGKILL)
        program = nil
    }

    /// Waits until the manager has exited because another one has replaced it.
    func waitForEnd() throws {
        if let program, try !waitUntil(within: .seconds(5), { try hasEnded(program) }) { try kill() }
        program = nil
    }

    /// Returns the last lines of the manager's output.
    func log() -> String {
        (try? Program.run("tail", ["-n", "20", "\(folder.path)/log"]).output.joined(separator: "\n")) ?? ""
    }

    private func hasEnded(_ program: Program) throws -> Bool {
        (try? program.exitCode(within: .milliseconds(1))) != nil
    }

    /// Restarts picom, which otherwise keeps painting windows whose frames vanished with the manager.
    func restartCompositor() throws {
        try compositor?.end(SIGTERM)
        try startCompositor()
    }

    private func startCompositor() throws {
        compositor = try Program(
            "picom", ["--backend", "xrender", "--config", "/dev/null"], package: "picom",
            environment: environment)
    }

    private func startCompanions() throws {
        for companion in manager.companions {
            switch companion {
            case .bus:
                let address = "unix:path=\(folder.path)/bus"
                companions.append(
                    try Program(
                        "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(address)"],
                        package: "dbus", environment: environment))
                variables["DBUS_SESSION_BUS_ADDRESS"] = address
                guard waitUntil({ access("\(folder.path)/bus", F_OK) == 0 }) else {
                    throw Failure("dbus-daemon did not start")
                }
            case .compositor: try startCompositor()
            }
        }
    }

    private func fill(_ text: String) -> String { text.replacing("{folder}", with: folder.path) }

    /// The environment of the manager: its own folder in place of the user's.
    var environment: [String: String?] { display.environment.merging(variables) { $1 } }
}
