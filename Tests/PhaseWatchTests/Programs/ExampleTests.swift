import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// The program in packaging/examples/own-phases.
    @Suite struct ExampleTests {
        private let display: MonitoredDisplay
        private let other: TestWindow
        private let example: Program

        init() throws {
            let path = try Program.example("XPHASE_EXAMPLE")
            display = try MonitoredDisplay(.openbox)
            other = try display.show("Other", at: 0)
            example = try Program(path, environment: display.server.environment)
        }

        @Test func printsThePhasesOfItsOwnWindow() throws {
            let (window, client) = (try ownWindow(), display.client)
            try waitForPhase("active") { client.activate(window) }
            try waitForPhase("inactive") { other.activate() }
            try waitForPhase("active") { client.activate(window) }
            try waitForPhase("background") { client.iconify(window) }
            try waitForPhase("active") { client.activate(window) }
            try waitForPhase("background") { client.switchDesktop(1) }
            client.close(window)
            #expect(try example.exitCode() == 0)
        }

        @Test func sleepsWhileNothingHappens() throws {
            let window = try ownWindow()
            try waitForPhase("active") { display.client.activate(window) }
            #expect(try example.comesToRest())
        }

        /// Windows disappear while the monitor reads them. Xlib's default error handler would exit the program.
        @Test func survivesTheErrorsOfTheMonitor() throws {
            let window = try ownWindow()
            for _ in 1...300 {
                let brief = TestWindow(display.client, .init("Brief"), colour: 0, width: 10, height: 10)
                brief.map()
                brief.destroy()
            }
            try waitForPhase("inactive") { other.activate() }
            try waitForPhase("active") { display.client.activate(window) }
            try waitForPhase("background") { display.client.iconify(window) }
        }

        /// The example handles errors of its own connection as usual: Xlib exits the program, no signal kills it.
        @Test func endsWithItsDisplayAsEveryClientDoes() throws {
            _ = try ownWindow()
            try display.server.crash()
            #expect(try example.exitCode() == 1)
            #expect(try example.errors.rest().contains { $0.contains(display.server.name) })
        }

        private func ownWindow() throws -> UInt {
            var window: UInt?
            _ = waitUntil {
                window = display.client.words("_NET_CLIENT_LIST")?.first { $0 != other.id }
                return window != nil
            }
            guard let window else { throw Failure("the example shows no window") }
            return window
        }

        /// Runs an action, then reads lines until the phase is printed. The line may be older than the action.
        private func waitForPhase(_ phase: String, _ action: () throws -> Void) throws {
            try action()
            while let line = try example.output.next() {
                if line == phase { return }
            }
            throw Failure("the example ended: \(try example.errors.rest())")
        }
    }
}

/// The requests of a pager to the window manager.
extension TestClient {
    fileprivate func activate(_ window: UInt) { request("_NET_ACTIVE_WINDOW", window: window, [2, 0, 0]) }
    fileprivate func iconify(_ window: UInt) { request("WM_CHANGE_STATE", window: window, [3]) }
    fileprivate func close(_ window: UInt) { request("_NET_CLOSE_WINDOW", window: window, [0, 2]) }
}
