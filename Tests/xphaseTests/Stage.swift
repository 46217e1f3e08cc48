import TestDesktop
import Testing

/// A display with a window manager, a temporary home, and the windows of the test.
final class Stage: Desktop {
    let display: VirtualDisplay
    let client: TestClient
    let manager: RunningManager?
    let home: HookHome
    var environment: [String: String?]
    private var colours: UInt = 0

    init(_ kind: WindowManager, _ configuration: String? = nil) throws {
        display = try VirtualDisplay()
        client = try TestClient(display.name)
        // Without a window manager, the window under the pointer has the focus.
        client.movePointer(x: 630, y: 470)
        manager = try kind.start(on: display, client)
        home = try HookHome(configuration)
        environment = home.environment.merging(display.environment) { $1 }
    }

    /// Returns a display with a window of Alpha that has the focus.
    static func alpha(
        _ kind: WindowManager = .openbox, _ configuration: String? = nil, instance: String? = nil
    ) throws -> (Stage, TestWindow) {
        let stage = try Stage(kind, configuration)
        let window = try stage.show(.init("Alpha", instance: instance))
        if kind == .none { stage.client.setFocus(window.id) }
        try stage.wait(for: "Alpha", "active")
        return (stage, window)
    }

    /// Creates a window with a unique colour, without mapping it.
    func window(
        _ properties: TestWindow.Properties, x: Int32 = 20, y: Int32 = 30, width: UInt32 = 200,
        height: UInt32 = 150
    ) -> TestWindow {
        colours += 1
        let colour = 0x20_40_60 + colours * 0x10_20_07
        return TestWindow(client, properties, colour: colour, x: x, y: y, width: width, height: height)
    }

    /// Opens a window, and waits until it is visible.
    @discardableResult
    func show(_ properties: TestWindow.Properties, x: Int32 = 20, y: Int32 = 30) throws -> TestWindow {
        let window = window(properties, x: x, y: y)
        window.map()
        guard waitUntil({ window.isOnScreen }) else { throw Failure("a window does not appear") }
        return window
    }

    /// Opens a small window that takes no focus. Reports of its class changes show that all earlier changes have
    /// settled.
    func marker() throws -> TestWindow {
        var properties = TestWindow.Properties("Marker")
        properties.refusesFocus = true
        let marker = TestWindow(
            try TestClient(display.name), properties, colour: 0x01_01_01, x: 600, y: 440, width: 8, height: 8)
        marker.map()
        guard waitUntil({ marker.isOnScreen }) else { throw Failure("the marker does not appear") }
        return marker
    }

    /// Iconifies a window and waits until xphase sees it.
    func hide(_ window: TestWindow, _ application: String) throws {
        window.iconify()
        try wait(for: application, "background")
    }

    /// Activates a window and waits until xphase sees it.
    func focus(_ window: TestWindow, _ application: String) throws {
        window.activate()
        try wait(for: application, "active")
    }

    func wait(for application: String, _ phase: String) throws {
        guard try waitUntil({ try run("phase", application).output == [phase] }) else {
            throw Failure("\(application) does not become \(phase)")
        }
    }
}

/// Where commands of xphase run. Each is a line of words, and further words that may contain blanks.
protocol Desktop {
    /// The variables of the commands.
    var environment: [String: String?] { get }
}

extension Desktop {
    func run(_ line: String, _ more: String...) throws -> XPhase.Result {
        try XPhase.run(XPhase.words(line) + more, on: nil, environment: environment)
    }

    /// Runs a command that succeeds without a message, and returns its output.
    func output(_ line: String, _ more: String...) throws -> [String] {
        let result = try XPhase.run(XPhase.words(line) + more, on: nil, environment: environment)
        guard result.code == 0, result.errors.isEmpty else { throw Failure("'\(line)': \(result)") }
        return result.output
    }

    /// Expects what a command exits with, and all that it prints.
    func expect(
        _ line: String, code: Int32 = 0, output: [String] = [], errors: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try XPhase.run(XPhase.words(line), on: nil, environment: environment)
        #expect(
            result.code == code && result.output == output && result.errors == errors, "\(line): \(result)",
            sourceLocation: sourceLocation)
    }

    func start(
        _ line: String, _ more: String..., stdout: Int32? = nil, stderr: Int32? = nil,
        terminal: Terminal? = nil
    ) throws -> Program {
        try Program(
            XPhase.path, XPhase.words(line) + more, environment: environment, stdout: stdout,
            stderr: stderr, terminal: terminal)
    }
}

extension HookHome: Desktop {}
