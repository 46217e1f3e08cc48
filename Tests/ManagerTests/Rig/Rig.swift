import TestDesktop

/// A display with a window manager, windows, the real xphase that watches them, and what it has told.
final class Rig {
    let display: VirtualDisplay
    let client: TestClient
    let manager: Manager
    let process: ManagerProcess
    private(set) var other: ManagerProcess?
    private let watch: Program
    let recording: Recording?
    var actors: [String: Actor] = [:]
    private var desktopWindow: TestWindow?
    private var actorCount: UInt = 0
    /// Windows that something lies over, which changes nothing, and why.
    var covering: Wish?
    /// The keys cannot be typed to tell the focus.
    var isKeyboardGrabbed = false
    /// Who got the key that was typed last.
    private var typedInto: Set<UInt> = []
    /// Windows that it had hidden may be none of the next manager's.
    var hadAnotherManager = false
    /// The manager runs only a tenth of the time.
    let isSlowed: Bool

    private(set) var scenes: [String: String] = [:]
    private(set) var applications: [String: String] = [:]
    var ledger: Ledger

    /// - Parameter recordedAs: The name of the recording, where such are wanted.
    init(
        _ manager: Manager, isSlowed: Bool = false, hasTwoMonitors: Bool = false,
        recordedAs name: String? = nil
    ) throws {
        self.manager = manager
        self.isSlowed = isSlowed
        ledger = Ledger(manager.name)
        display = try VirtualDisplay(screens: ["800x600x24"])
        client = try TestClient(display.name)
        // Windows open on the monitor that it is on.
        client.movePointer(x: hasTwoMonitors ? 395 : 795, y: 595)
        if hasTwoMonitors { try display.split() }
        process = try ManagerProcess(manager, on: display)
        if !manager.program.isEmpty { try process.start(client) }
        recording = try Recording(name, on: display)
        watch = try Program(
            Self.xphase, ["watch", "--json", "--level", "scene", "--level", "application"],
            environment: display.environment)
        try waitForFirstWindow()
        try closeGreeting()
        _ = try readUntilQuiet()
    }

    deinit {
        // First: a manager that holds the server would keep the clients from closing.
        try? process.kill()
        try? other?.kill()
    }

    /// The program under test lies beside the test runner.
    static var xphase: String {
        let runner = CommandLine.arguments[0]
        return runner.lastIndex(of: "/").map { runner[...$0] + "xphase" } ?? "xphase"
    }

    /// While managers start, some miss requests to map; so one is made until it is managed and told.
    private func waitForFirstWindow() throws {
        let isReady = try waitUntil {
            let probe = TestWindow(client, .init("Probe"), colour: 0, width: 10, height: 10)
            probe.map()
            defer { probe.destroy() }
            let isManaged = waitUntil(within: .milliseconds(500)) {
                manager.program.isEmpty || client.words("WM_STATE", of: probe.id) != nil
            }
            return try isManaged && tellsOfProbe()
        }
        guard isReady else { throw Failure("\(manager) manages no window: \(process.log())") }
    }

    private func tellsOfProbe() throws -> Bool {
        while let text = try nextLine() {
            if try Line(text).application == "Probe" { return true }
        }
        return false
    }

    func make(
        _ name: String, _ application: String, x: Int32 = 40, y: Int32 = 60, parent: String? = nil,
        startsIconic: Bool = false
    ) throws -> Actor {
        actorCount += 1
        let actor = try Actor(
            name, application, on: display, number: actorCount, x: x, y: y, parent: parent.map(self.actor),
            startsIconic: startsIconic)
        actors[name] = actor
        return actor
    }

    /// A window under all others, as a file manager has it.
    func showDesktopWindow() throws {
        var properties = TestWindow.Properties("Files")
        properties.type = "DESKTOP"
        properties.refusesFocus = true
        let window = TestWindow(
            try TestClient(display.name), properties, colour: 0x01_02_03, x: 0, y: 0, width: 800, height: 600)
        window.map()
        desktopWindow = window
        guard waitUntil({ window.isOnScreen }) else { throw Failure("the desktop does not appear") }
    }

    func actor(_ name: String) -> Actor {
        guard let actor = actors[name] else { preconditionFailure("no window is called \(name)") }
        return actor
    }

    func window(_ name: String) -> TestWindow { actor(name).window }

    /// Reads what is told until nothing was for a while.
    func readUntilQuiet() throws -> [Line] {
        var lines: [Line] = []
        while let text = try nextLine() {
            let line = try Line(text)
            if line.application == "Probe" { continue }
            lines.append(line)
            if line.kind == "scene", let scene = line.scene { scenes[scene] = line.to }
            if line.kind == "application", let name = line.application { applications[name] = line.to }
        }
        return lines
    }

    /// nil once nothing has come for a while.
    private func nextLine() throws -> String? {
        let quiet = Duration.milliseconds(isSlowed ? 900 : 300)
        do {
            if let line = try watch.output.next(within: quiet) { return line }
        } catch {
            return nil
        }
        throw Failure("xphase ended: \(try watch.exitCode()) \(try watch.errors.rest())")
    }

    /// What a fresh `xphase list` says of the scenes.
    func list() throws -> [Line] {
        try Program.run(
            Self.xphase, ["list", "--json", "--level", "scene"], environment: display.environment
        ).output.map { try Line($0) }
    }

    /// Types a key and returns who got it.
    func typed() throws -> Set<UInt> {
        if isKeyboardGrabbed { return typedInto }
        for actor in actors.values { _ = actor.window.client.takeKeyPresses() }
        let result = try Program.run(
            "xdotool", ["key", "z"], package: "xdotool", environment: display.environment)
        guard result.code == 0 else { throw Failure("xdotool: \(result.errors)") }
        typedInto = actors.values.reduce(into: []) { $0.formUnion($1.window.client.takeKeyPresses()) }
        return typedInto
    }

    func hasKeys(_ name: String) throws -> Bool { try typed().contains(window(name).id) }

    /// Whether the manager has taken it over, iconic or not.
    func isManaged(_ name: String) -> Bool {
        let id = window(name).id
        return client.words("WM_STATE", of: id) != nil
            || client.words("_NET_CLIENT_LIST")?.contains(id) == true
    }

    func isVisible(_ name: String) -> Bool { window(name).isOnScreen }

    /// Another manager takes over.
    func replace(by another: Manager, arguments: [String]) throws {
        let other = try ManagerProcess(another, on: display)
        try other.spawn(arguments: arguments)
        self.other = other
        try process.waitForEnd()
        try other.insist(arguments: arguments, client)
    }
}
