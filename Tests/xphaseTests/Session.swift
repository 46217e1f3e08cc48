import TestDesktop

/// A display with a window manager, windows of the test's own and the real xphase watching them.
final class Session {
    let display: VirtualDisplay
    let client: TestClient
    let manager: RunningManager?
    /// What xphase reported at its start.
    private(set) var initial: [Line] = []
    private(set) var watch: Program
    let marker: TestWindow
    private let command: [String]
    private let environment: [String: String?]
    private var markerCount = 0
    private var colours: UInt

    /// - Parameters:
    ///   - arguments: Further arguments of `xphase watch --json`.
    ///   - time: The settle time; nil for xphase's default, too short for a window manager that needs two steps
    ///     for one change on a busy machine.
    ///   - command: What to run in place of `watch`.
    ///   - prepare: Makes windows before xphase starts.
    init(
        _ kind: WindowManager = .none,
        _ arguments: [String] = ["--level", "application", "--level", "scene"],
        settle time: String? = "250ms", screens: [String] = ["640x480x24"], command: String = "watch",
        environment: [String: String?] = [:],
        prepare: (Stage) throws -> Void = { _ in }
    ) throws {
        let stage = try Stage(kind, screens: screens)
        (display, client, manager) = (stage.display, stage.client, stage.manager)
        marker = try stage.marker()
        try prepare(stage)
        colours = stage.colours
        self.command = [command, "--json"] + (time.map { ["--settle", $0] } ?? []) + arguments
        self.environment = display.environment.merging(environment) { $1 }
        watch = try Program(XPhase.path, self.command, environment: self.environment)
        initial = try settle()
    }

    /// Starts xphase once more, when it has ended.
    func restart() throws {
        watch = try Program(XPhase.path, command, environment: environment)
        initial = try settle()
    }

    /// Makes a window with a colour of its own, and does not map it.
    func window(
        _ properties: TestWindow.Properties, x: Int32 = 20, y: Int32 = 30, width: UInt32 = 200,
        height: UInt32 = 150
    ) -> TestWindow {
        colours += 1
        return TestWindow(
            client, properties, colour: Stage.colour(colours), x: x, y: y, width: width, height: height)
    }

    /// Opens a window and waits until xphase has reported of it.
    @discardableResult
    func open(_ name: String, x: Int32 = 20, y: Int32 = 30) throws -> TestWindow {
        try open(TestWindow.Properties(name), x: x, y: y)
    }

    @discardableResult
    func open(_ properties: TestWindow.Properties, x: Int32 = 20, y: Int32 = 30) throws -> TestWindow {
        let window = window(properties, x: x, y: y)
        try settle { window.map() }
        return window
    }

    /// Acts, waits until nothing more comes of it, and returns what was reported of applications.
    func applications(_ action: () throws -> Void) throws -> [String] {
        try settle(action).filter { $0.kind == "application" }.map(\.description)
    }

    /// Acts, waits until nothing more comes of it, and returns what was reported.
    ///
    /// The marker window changes its class: when that is reported, all that had begun before has settled.
    /// Twice, since what an action brings about may take its time.
    @discardableResult
    func settle(_ action: () throws -> Void = {}) throws -> [Line] {
        try action()
        var lines: [Line] = []
        for _ in 1...2 {
            if client.isManaged { try manager?.catchUp(with: marker) }
            markerCount += 1
            marker.setClass("marker", "Marker\(markerCount)")
            lines += try self.lines(until: "Marker\(markerCount)")
        }
        return lines
    }

    /// Acts, and waits until it is reported that an application has come to a phase; returns that line.
    @discardableResult
    func applicationLine(_ name: String, to phase: String, _ action: () throws -> Void) throws -> Line {
        try action()
        var lines: [Line] = []
        func line() -> Line? {
            lines.last { $0.kind == "application" && $0.application == name && $0.to == phase }
        }
        _ = try waitUntil {
            lines += try settle()
            return line() != nil
        }
        guard let line = line() else { throw Failure("\(name) does not come to \(phase), only \(lines)") }
        return line
    }

    /// Reads until the marker of that name is reported; its lines and those of the old markers are left out.
    private func lines(until name: String) throws -> [Line] {
        var lines: [Line] = []
        while true {
            guard let text = try watch.output.next() else {
                throw Failure("xphase ended: \(try watch.exitCode()) \(try watch.errors.rest())")
            }
            let line = try Line(text)
            if !line.isOfMarker { lines.append(line) }
            if line.application == name && line.change != "phase" { return lines }
        }
    }

    /// Waits until a window can be seen, or not, on the screen itself.
    func wait(for window: TestWindow, onScreen isVisible: Bool) -> Bool {
        waitUntil(within: .seconds(10)) { window.isOnScreen == isVisible }
    }

    /// What a fresh `xphase list --json` says.
    func list(_ arguments: [String] = []) throws -> [Line] {
        try XPhase.run(["list", "--json"] + arguments, on: display).output.map { try Line($0) }
            .filter { !$0.isOfMarker }
    }

    func phase(of window: TestWindow) throws -> String? {
        try list(["--level", "scene"]).first { $0.scene == window.name }?.to
    }
}
