import Glibc
import TestDesktop

/// A real program and its window, which can be iconified.
struct ProgramWindow {
    let program: Program
    private let window: UInt
    private let client: TestClient

    /// - Parameters:
    ///   - application: What xphase calls it.
    ///   - environment: What differs from that of the display.
    init(
        _ session: Session, _ name: String, _ arguments: [String] = [], package: String = "",
        application: String, environment: [String: String?] = [:]
    ) throws {
        let program = try Program(
            name, arguments, package: package,
            environment: session.display.environment.merging(environment) { $1 })
        guard try waitUntil({ try session.settle().contains { $0.application == application } }),
            let window = session.client.words("_NET_CLIENT_LIST")?.last(where: {
                session.client.words("_NET_WM_PID", of: $0)?.first.map { pid_t($0) } == program.pid
            })
        else { throw Failure("\(name) does not appear") }
        (self.program, self.window, client) = (program, window, session.client)
    }

    static func terminal(_ session: Session) throws -> ProgramWindow {
        try ProgramWindow(session, "xterm", application: "XTerm")
    }

    func iconify() {
        client.iconify(window)
    }

    func activate() {
        client.request("_NET_ACTIVE_WINDOW", window: window, [2, 0, 0])
    }

    func setFullscreen(_ isSet: Bool) {
        let state = Int(client.atom("_NET_WM_STATE_FULLSCREEN"))
        client.request("_NET_WM_STATE", window: window, [isSet ? 1 : 0, state, 0, 2])
    }

    var isFullscreen: Bool {
        client.words("_NET_WM_STATE", of: window)?.contains(client.atom("_NET_WM_STATE_FULLSCREEN")) ?? false
    }

    func close() {
        client.request("_NET_CLOSE_WINDOW", window: window, [0, 2])
    }

    var isStopped: Bool {
        get throws { try program.status("State").contains("T (stopped)") }
    }
}
