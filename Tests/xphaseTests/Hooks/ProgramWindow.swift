import Glibc
import TestDesktop

/// A real program and its window, which can be iconified.
struct ProgramWindow {
    let program: Program
    let window: UInt
    private let session: Session
    private var client: TestClient { session.client }

    /// - Parameters:
    ///   - application: The name of the application in xphase.
    ///   - environment: The variables that differ from those of the display.
    ///   - number: The PID that the window claims, if it is not that of the program.
    init(
        _ session: Session, _ name: String, _ arguments: [String] = [], package: String = "",
        application: String, environment: [String: String?] = [:], reports number: pid_t? = nil
    ) throws {
        let program = try Program(
            name, arguments, package: package,
            environment: session.display.environment.merging(environment) { $1 })
        try self.init(session, of: program, application: application, reports: number)
    }

    /// Finds the window of a running program, or of a process that it has started.
    init(
        _ session: Session, of program: Program, application: String, reports number: pid_t? = nil
    ) throws {
        func find() -> UInt? {
            session.client.words("_NET_CLIENT_LIST")?.last {
                session.client.words("_NET_WM_PID", of: $0)?.first.map { pid_t($0) } == number ?? program.pid
            }
        }
        // A program may replace its first window.
        guard try waitUntil({ try session.settle().contains { $0.application == application } }),
            waitUntil({ find() != nil }), let window = find()
        else { throw Failure("\(application) does not appear") }
        (self.program, self.window, self.session) = (program, window, session)
    }

    /// Starts a terminal without a shell, which might still be starting programs of its own.
    static func terminal(_ session: Session) throws -> ProgramWindow {
        try ProgramWindow(
            session, "xterm", ["-e", "sh", "-c", "echo word word word; exec sleep 1000"], application: "XTerm"
        )
    }

    func iconify() {
        client.iconify(window)
    }

    func activate() {
        client.request("_NET_ACTIVE_WINDOW", window: window, [2, 0, 0])
    }

    func move(toDesktop number: Int) {
        client.request("_NET_WM_DESKTOP", window: window, [number, 2])
    }

    func setFullscreen(_ isSet: Bool) {
        let state = Int(client.atom("_NET_WM_STATE_FULLSCREEN"))
        client.request("_NET_WM_STATE", window: window, [isSet ? 1 : 0, state, 0, 2])
    }

    /// The atoms of _NET_WM_STATE.
    var states: [UInt] { client.words("_NET_WM_STATE", of: window) ?? [] }

    var isFullscreen: Bool { states.contains(client.atom("_NET_WM_STATE_FULLSCREEN")) }

    func close() {
        client.request("_NET_CLOSE_WINDOW", window: window, [0, 2])
    }

    var isStopped: Bool {
        get throws { try program.status("State").contains("T (stopped)") }
    }
}
