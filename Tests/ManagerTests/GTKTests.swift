import Glibc
import TestDesktop
import Testing

extension UnderManagers {
    /// The program in packaging/examples/gtk-phase, which packaging/test builds.
    @Suite struct GTKTests {
        @Test(arguments: [Manager.openbox, .i3, .xfwm4])
        func theProgramFollowsThePhaseOfItsWindow(_ manager: Manager) async throws {
            try await UnderManagers.executor.run {
                let rig = try GTKRig(manager)
                try rig.waitForPhase("active") { rig.activate() }
                try rig.waitForPhase("inactive") { rig.other.activate() }
                #expect(rig.timer.hasPrefix("paused at "))
                try rig.waitForPhase("active") { rig.activate() }
                #expect(rig.timer.hasPrefix("resumed at "))
                try rig.waitForPhase("background") { try rig.hide() }
                #expect(try rig.example.comesToRest())
                try rig.waitForPhase("active") { try rig.show() }
                rig.close()
                #expect(try rig.example.exitCode() == 0)
            }
        }
    }
}

/// A display with a window manager, the example, and a window beside it.
private final class GTKRig {
    let other: TestWindow
    let example: Program
    /// The last line about the timer.
    private(set) var timer = ""
    private let client: TestClient
    private let process: ManagerProcess
    private var window: UInt = 0

    init(_ manager: Manager) throws {
        let path = try Program.example("XPHASE_GTK_EXAMPLE")
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        client.movePointer(x: 639, y: 479)
        process = try ManagerProcess(manager, on: display)
        try process.start(client)
        try process.waitForFirstWindow(client)
        let other = TestWindow(client, .init("Other"), colour: 0x30_5070, x: 10, width: 100)
        other.map()
        // Otherwise it might take the focus from the example later.
        guard waitUntil({ client.words("_NET_ACTIVE_WINDOW")?.first == other.id }) else {
            throw Failure("\(manager) does not focus a new window: \(process.log())")
        }
        (self.client, self.other) = (client, other)
        // The programs that GTK starts through the session bus would outlive the test. Without OpenGL it does not
        // depend on the graphics drivers of the machine.
        let plain = ["DBUS_SESSION_BUS_ADDRESS": "disabled:", "GDK_DEBUG": "gl-disable", "GTK_THEME": nil]
        example = try Program(path, environment: process.environment.merging(plain) { $1 })
        let isShown = waitUntil {
            let windows = client.words("_NET_CLIENT_LIST") ?? []
            window = windows.first { client.words("_NET_WM_PID", of: $0) == [UInt(example.pid)] } ?? 0
            return window != 0
        }
        guard isShown else { throw Failure("the example shows no window: \(process.log())") }
    }

    deinit { try? process.kill() }

    func activate() { client.request("_NET_ACTIVE_WINDOW", window: window, [2, 0, 0]) }
    func close() { client.request("_NET_CLOSE_WINDOW", window: window, [0, 2]) }

    /// Iconifies the window, or moves it to another workspace under a manager that does not iconify.
    func hide() throws {
        if !(try ask(.moveAway)) { client.iconify(window) }
    }

    func show() throws {
        _ = try ask(.moveBack)
        activate()
    }

    /// Sends a request with the manager's own command, and returns whether it has one.
    private func ask(_ request: Request) throws -> Bool {
        guard case .run(let command) = process.manager.methods[request]?.first else { return false }
        try process.run(command, name: "GTK phase", window: window)
        return true
    }

    /// Performs an action, then reads lines until the example prints the phase. It prints the timer's lines before.
    func waitForPhase(_ phase: String, _ action: () throws -> Void) throws {
        try action()
        var lines: [String] = []
        while let line = try? example.output.next() {
            if line.contains(" at ") { timer = line }
            if line == phase { return }
            lines.append(line)
        }
        throw Failure("no line is \(phase), but there are \(lines)")
    }
}
