import TestDesktop

/// A display with a window manager, the windows of the test, and the real xphase that watches them.
final class Session: Desktop {
    private let stage: Stage
    var display: VirtualDisplay { stage.display }
    var client: TestClient { stage.client }
    var manager: RunningManager? { stage.manager }
    /// The lines that xphase reported at its start.
    private(set) var initial: [Line] = []
    private(set) var watch: Program
    let marker: TestWindow
    private let command: [String]
    let environment: [String: String?]
    private var markerCount = 0

    /// - Parameters:
    ///   - arguments: Further arguments of `xphase watch --json`.
    ///   - time: The settle time; nil for the default, which is too short on a busy machine for a window manager that
    ///     makes one change in two steps.
    ///   - command: The command to run instead of `watch`.
    ///   - prepare: Opens windows before xphase starts.
    init(
        _ kind: WindowManager = .none,
        _ arguments: [String] = ["--level", "application", "--level", "scene"],
        settle time: String? = "250ms", command: String = "watch", environment: [String: String?] = [:],
        prepare: (Stage) throws -> Void = { _ in }
    ) throws {
        stage = try Stage(kind)
        marker = try stage.marker()
        try prepare(stage)
        self.command = [command, "--json"] + (time.map { ["--settle", $0] } ?? []) + arguments
        self.environment = stage.environment.merging(environment) { $1 }
        watch = try Program(XPhase.path, self.command, environment: self.environment)
        initial = try settle()
    }

    /// Starts xphase again after it has ended.
    func restart() throws {
        watch = try Program(XPhase.path, command, environment: environment)
        initial = try settle()
    }

    /// Creates a window with a unique colour, without mapping it.
    func window(
        _ properties: TestWindow.Properties, x: Int32 = 20, y: Int32 = 30, width: UInt32 = 200,
        height: UInt32 = 150
    ) -> TestWindow { stage.window(properties, x: x, y: y, width: width, height: height) }

    /// Opens a window and waits until xphase has reported it.
    @discardableResult func open(_ name: String, x: Int32 = 20, y: Int32 = 30) throws -> TestWindow {
        try open(TestWindow.Properties(name), x: x, y: y)
    }

    @discardableResult
    func open(_ properties: TestWindow.Properties, x: Int32 = 20, y: Int32 = 30) throws -> TestWindow {
        let window = window(properties, x: x, y: y)
        try settle { window.map() }
        return window
    }

    /// Performs an action, waits until its effects have settled, and returns the reported lines, without those about
    /// markers.
    ///
    /// The marker window changes its class. Once that is reported, all earlier changes have settled. This happens
    /// twice, since the effects of an action may be delayed.
    @discardableResult func settle(_ action: () throws -> Void = {}) throws -> [Line] {
        try action()
        var lines: [Line] = []
        for _ in 1...2 {
            if client.isManaged { try manager?.catchUp(with: marker) }
            markerCount += 1
            // The marker has a connection of its own.
            client.sync()
            marker.setClass("marker", "Marker\(markerCount)")
            var line: Line
            repeat {
                guard let text = try watch.output.next() else {
                    throw Failure("xphase ended: \(try watch.exitCode()) \(try watch.errors.rest())")
                }
                line = try Line(text)
                if !line.isOfMarker { lines.append(line) }
            } while line.application != "Marker\(markerCount)" || line.change == "phase"
        }
        return lines
    }

    /// Performs an action, waits until an application is reported to have entered a phase, and returns that line.
    @discardableResult
    func applicationLine(_ name: String, to phase: String, _ action: () throws -> Void) throws -> Line {
        try action()
        var line: Line?
        let isThere = try waitUntil {
            line = try settle().last { $0.kind == "application" && $0.application == name && $0.to == phase }
            return line != nil
        }
        guard isThere, let line else { throw Failure("\(name) does not come to \(phase)") }
        return line
    }
}
