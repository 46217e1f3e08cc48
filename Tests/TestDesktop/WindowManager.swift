import CLinux
import Glibc

/// A window manager that the tests run under.
public enum WindowManager: String, Sendable {
    case none, openbox, i3, xfwm4

    /// Starts the manager on a display and waits until it manages the display.
    public func start(on display: VirtualDisplay, _ client: TestClient) throws -> RunningManager? {
        guard self != .none else { return nil }
        let folder = try TemporaryFolder()
        let running = RunningManager(self, display: display, folder: folder)
        try running.start(client)
        return running
    }
}

/// A window manager that manages a display.
public final class RunningManager {
    public let kind: WindowManager
    private let display: VirtualDisplay
    private let folder: TemporaryFolder
    private var program: Program?
    /// The bus over which xfwm4 reads its settings.
    private var bus: SessionBus?

    init(_ kind: WindowManager, display: VirtualDisplay, folder: TemporaryFolder) {
        self.kind = kind
        self.display = display
        self.folder = folder
    }

    deinit {
        // Before the folder is deleted, since the manager would create it again.
        try? end()
    }

    public var pid: pid_t? { program?.pid }

    public func start(_ client: TestClient) throws {
        switch kind {
        case .none: return
        case .openbox:
            // The animation of iconified windows would take half of the time of the tests.
            let still = try Program.run(
                "sed", ["s/<animateIconify>yes/<animateIconify>no/", "/etc/xdg/openbox/rc.xml"])
            let file = try folder.write("rc.xml", still.output.joined(separator: "\n"))
            program = try Program(
                "openbox", ["--sm-disable", "--config-file", file], environment: environment)
        case .i3:
            let file = try folder.write(
                "config", Self.i3Configuration + "ipc-socket \(folder.path)/i3.sock\n")
            program = try Program("i3", ["-c", file], package: "i3-wm", environment: environment)
        case .xfwm4:
            let bus = try SessionBus()
            self.bus = bus
            program = try Program(
                "xfwm4", ["--compositor=off"], package: "xfwm4",
                environment: environment.merging(bus.environment) { $1 })
        }
        guard waitUntil({ client.isManaged }), waitUntil({ manages(aWindowOf: client) }) else {
            throw Failure("\(kind.rawValue) did not take over: \(killAndReadErrors())")
        }
    }

    /// Sends the manager a signal, to stop or continue it.
    public func send(_ signal: Int32) {
        program?.send(signal)
    }

    /// Waits until the manager has processed all earlier requests.
    ///
    /// - Parameter window: A managed window. One of its states is set and removed.
    public func catchUp(with window: TestWindow) throws {
        let state = kind == .i3 ? "STICKY" : "SKIP_TASKBAR"
        let atom = window.client.atom("_NET_WM_STATE_\(state)")
        for isSet in [true, false] {
            window.setState(state, isSet)
            let isDone = waitUntil {
                (window.client.words("_NET_WM_STATE", of: window.id) ?? []).contains(atom) == isSet
            }
            guard isDone else { throw Failure("\(kind.rawValue) does not answer") }
        }
    }

    public func end(_ signal: Int32 = SIGKILL) throws {
        try program?.end(signal)
        program = nil
    }

    /// Runs a command of i3.
    public func i3(_ command: String) throws {
        let result = try Program.run(
            "i3-msg", ["-s", "\(folder.path)/i3.sock", command], package: "i3-wm", environment: environment)
        guard result.code == 0 else { throw Failure("i3-msg \(command): \(result.errors)") }
    }

    /// Returns whether the manager manages a newly mapped window. Some managers miss map requests while they start.
    private func manages(aWindowOf client: TestClient) -> Bool {
        let probe = TestWindow(client, .init("Probe"), colour: 0, width: 10, height: 10)
        probe.map()
        let isManaged = waitUntil(within: .milliseconds(300)) {
            client.words("WM_STATE", of: probe.id) != nil
        }
        probe.destroy()
        return isManaged
            && waitUntil { client.words("_NET_CLIENT_LIST")?.contains(probe.id) != true }
    }

    private func killAndReadErrors() -> [String] {
        program?.send(SIGKILL)
        return (try? program?.errors.rest()) ?? []
    }

    private var environment: [String: String?] {
        // Otherwise the manager would read the configuration of the user who runs the tests.
        display.environment.merging(["HOME": folder.path, "XDG_CONFIG_HOME": folder.path]) { $1 }
    }

    private static let i3Configuration = """
        # i3 config file (v4)
        font pango:monospace 8
        no_focus [class="^Marker"]
        for_window [class="^Marker"] floating enable

        """
}

/// A folder that is deleted with its owner.
public final class TemporaryFolder {
    public let path: String

    public init() throws {
        var template = Array("/tmp/xphase-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        _ = try? Program.run("rm", ["-rf", path])
    }

    @discardableResult
    public func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure("cannot write \(file)") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure("cannot write \(file)")
        }
        return file
    }
}
