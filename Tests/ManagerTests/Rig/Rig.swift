import TestDesktop

/// A display with a window manager, windows, the real xphase that watches them, and the reported phases.
final class Rig {
    let display: VirtualDisplay
    let client: TestClient
    let manager: Manager
    let process: ManagerProcess
    private(set) var other: ManagerProcess?
    private let watch: Program
    let recording: ManagerRecording?
    var scenarioClients: [String: ScenarioClient] = [:]
    private var desktopWindow: TestWindow?
    var scenarioClientCount: UInt = 0
    /// The request that currently makes a window cover the others; nil for none.
    var covering: Request?
    /// Whether a client has grabbed the keyboard, so that typed keys do not show the focus.
    var isKeyboardGrabbed = false
    /// The windows that received the key that was typed last.
    private var typedInto: Set<UInt> = []
    /// Whether the manager was replaced or restarted. A window that was hidden then may be unmanaged now.
    var hadAnotherManager = false
    /// Whether the manager runs only a tenth of the time.
    let isSlowed: Bool
    /// Whether wholly covered windows are in the background, too.
    let seesCovered: Bool
    /// The policy of the watch: `focus` or `visible`.
    let policy: String
    /// The program that locks the screen, and the folder for its files.
    var locker: (program: Program, folder: TemporaryFolder)?

    private(set) var scenes: [String: String] = [:]
    private(set) var applications: [String: String] = [:]
    var report: ScenarioReport

    /// - Parameters:
    ///   - seesCovered: Whether wholly covered windows are in the background, too.
    ///   - name: The name of the recording, if one is wanted.
    init(
        _ manager: Manager, isSlowed: Bool = false, hasTwoMonitors: Bool = false, seesCovered: Bool = false,
        policy: String = "focus", recordedAs name: String? = nil
    ) throws {
        self.manager = manager
        self.isSlowed = isSlowed
        self.seesCovered = seesCovered
        self.policy = policy
        report = ScenarioReport(manager.name)
        display = try VirtualDisplay(screens: ["800x600x24"], hasOpenGL: true)
        client = try TestClient(display.name)
        // Windows open on the monitor that has the pointer.
        client.movePointer(x: hasTwoMonitors ? 395 : 795, y: 595)
        if hasTwoMonitors { try display.split() }
        process = try ManagerProcess(manager, on: display)
        if !manager.program.isEmpty { try process.start(client) }
        recording = try ManagerRecording(name, on: display)
        watch = try Program(
            Self.xphase,
            ["watch", "--json", "--level", "scene", "--level", "application", "--policy", policy]
                + (seesCovered ? ["--occlusion", "200ms"] : []),
            environment: display.environment)
        try waitForFirstWindow()
        try closeStartupDialog()
        _ = try readUntilQuiet()
    }

    deinit {
        // Kills the managers first: one that has grabbed the server would block the clients while they close.
        try? process.kill()
        try? other?.kill()
    }

    /// The path of the program under test, which lies next to the test runner.
    static var xphase: String {
        let runner = CommandLine.arguments[0]
        return runner.lastIndex(of: "/").map { runner[...$0] + "xphase" } ?? "xphase"
    }

    /// Maps probe windows until xphase reports one, since some managers miss map requests while they start.
    private func waitForFirstWindow() throws {
        let isReady = try waitUntil {
            let probe = TestWindow(client, .init("Probe"), colour: 0, width: 10, height: 10)
            probe.map()
            defer { probe.destroy() }
            let isManaged = waitUntil(within: .milliseconds(500)) {
                manager.program.isEmpty || client.words("WM_STATE", of: probe.id) != nil
            }
            return try isManaged && hasReportedProbe()
        }
        guard isReady else { throw Failure("\(manager) manages no window: \(process.log())") }
    }

    private func hasReportedProbe() throws -> Bool {
        while let text = try nextLine() {
            if try Line(text).application == "Probe" { return true }
        }
        return false
    }

    func make(
        _ name: String, _ application: String, x: Int32 = 40, y: Int32 = 60, parent: String? = nil,
        startsIconic: Bool = false
    ) throws -> ScenarioClient {
        scenarioClientCount += 1
        let scenarioClient = try ScenarioClient(
            name, application, on: display, number: scenarioClientCount, x: x, y: y,
            parent: parent.map(self.scenarioClient),
            startsIconic: startsIconic)
        scenarioClients[name] = scenarioClient
        return scenarioClient
    }

    /// Opens a window below all others, like the desktop window of a file manager.
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

    func scenarioClient(_ name: String) -> ScenarioClient {
        guard let scenarioClient = scenarioClients[name] else {
            preconditionFailure("no window is called \(name)")
        }
        return scenarioClient
    }

    func window(_ name: String) -> TestWindow { scenarioClient(name).window }

    /// Reads reported lines until none has arrived for a while.
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

    /// Returns the next line; nil if none arrives for a while.
    private func nextLine() throws -> String? {
        let quiet = Duration.milliseconds(isSlowed ? 900 : 300)
        do {
            if let line = try watch.output.next(within: quiet) { return line }
        } catch {
            return nil
        }
        throw Failure("xphase ended: \(try watch.exitCode()) \(try watch.errors.rest())")
    }

    /// Returns the scenes that a new `xphase list` prints.
    func list() throws -> [Line] {
        try Program.run(
            Self.xphase, ["list", "--json", "--level", "scene"], environment: display.environment
        ).output.map { try Line($0) }
    }

    /// Returns a window and those that it is transient for, through any chain.
    func withParents(_ client: ScenarioClient) -> [ScenarioClient] {
        var chain: [ScenarioClient] = []
        var last: ScenarioClient? = client
        while let window = last, !chain.contains(where: { $0 === window }) {
            chain.append(window)
            let parent = self.client.words("WM_TRANSIENT_FOR", of: window.window.id)?.first
            last = scenarioClients.values.first { $0.window.id == parent }
        }
        return chain
    }

    /// The names of the windows that a new list and the watch may report differently.
    var knownDifferences: Set<String> {
        Set(scenarioClients.values.filter { KnownDifference(of: $0, in: self) != nil }.map(\.window.name))
    }

    /// Returns the scenes for which a new list differs from the reported phases, once both are stable.
    func settledDifferences() throws -> [String] {
        var differences: [String] = []
        _ = try waitUntil {
            _ = try readUntilQuiet()
            var listed: [String: String] = [:]
            for line in try list() { if let scene = line.scene { listed[scene] = line.to } }
            differences = Set(listed.keys).union(scenes.keys).subtracting(knownDifferences).sorted()
                .filter { listed[$0] != scenes[$0] }
                .map { "\($0) is listed as \(listed[$0] ?? "gone"), reported as \(scenes[$0] ?? "gone")" }
            return differences.isEmpty
        }
        return differences
    }

    /// Types a key and returns the windows that received it.
    func typeKey() throws -> Set<UInt> {
        if isKeyboardGrabbed { return typedInto }
        for scenarioClient in scenarioClients.values { _ = scenarioClient.window.client.takeKeyPresses() }
        let result = try Program.run(
            "xdotool", ["key", "z"], package: "xdotool", environment: display.environment)
        guard result.code == 0 else { throw Failure("xdotool: \(result.errors)") }
        typedInto = scenarioClients.values.reduce(into: []) {
            $0.formUnion($1.window.client.takeKeyPresses())
        }
        return typedInto
    }

    func hasKeys(_ name: String) throws -> Bool { try typeKey().contains(window(name).id) }

    /// Whether the manager manages the window, iconic or not.
    func isManaged(_ name: String) -> Bool {
        let id = window(name).id
        return client.words("WM_STATE", of: id) != nil
            || client.words("_NET_CLIENT_LIST")?.contains(id) == true
    }

    func isVisible(_ name: String) -> Bool { window(name).isOnScreen }

    /// Replaces the manager by another one.
    func replace(by another: Manager, arguments: [String]) throws {
        let other = try ManagerProcess(another, on: display)
        try other.spawn(arguments: arguments)
        self.other = other
        try process.waitForEnd()
        try other.respawnIfExited(arguments: arguments, client)
    }
}
