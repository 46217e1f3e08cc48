import Console
import System

/// A failure of the service, or of a command that calls it.
public enum ServiceError: Error, Equatable, CustomStringConvertible {
    /// Another process runs the hooks of the display; its pid is 0 if it is in another container.
    case held(pid: Int32)
    /// No service runs for the display. The name is empty if no service runs at all.
    case notRunning(display: String)
    case silent(pid: Int32)
    case cutOff(pid: Int32)
    /// The service refuses the call, or does not know its method because it is of another version.
    case refused(String)
    /// The service has too many connections. The text names the process to look for.
    case crowded(String)
    /// The service was asked to end, and still runs.
    case lingering(pid: Int32)
    /// Applications that could not be thawed.
    case stillFrozen(applications: [String])
    /// The file is not a record of this user.
    case noRecord(path: SystemString, reason: String)

    /// Whether a retry may succeed: the service may be starting or ending.
    public var mayPass: Bool {
        switch self {
        case .notRunning, .cutOff: true
        default: false
        }
    }

    public var description: String {
        switch self {
        case .held(0):
            "a process of another container already runs the hooks of this display: end it first, or use 'xphase watch'"
        case .held(let pid):
            "process \(pid) already runs the hooks of this display\(Self.name(pid)): end it first "
                + "(\(VarlinkClient.command(of: pid) == "run" ? "xphase session stop, or " : "")"
                + "kill \(pid)), or use 'xphase watch'"
        case .notRunning(""):
            "no 'xphase run' of this user serves a display: 'xphase doctor' reports how to start it"
        case .notRunning(let display):
            "no 'xphase run' serves display '\(display)': 'xphase doctor' reports how to start it; or set "
                + "DISPLAY to another display"
        case .silent(let pid):
            "'xphase run'\(Self.process(pid)) does not answer within 5 s: is it stopped, or the X server?"
        case .cutOff(let pid): "'xphase run'\(Self.process(pid)) ended while it answered: try again"
        case .lingering(let pid):
            "'xphase run'\(Self.process(pid)) has not ended within 15 s: type kill -KILL \(pid), then xphase thaw --all"
        case .refused(let text), .crowded(let text): text
        case .stillFrozen(let applications):
            "\(applications.joined(separator: ", ").escapedForTerminal) "
                + "\(applications.count == 1 ? "stays" : "stay") frozen: run 'xphase thaw --all'"
        case .noRecord(let path, let reason): "'\(path)' \(reason)"
        }
    }

    private static func process(_ pid: Int32) -> String { pid > 0 ? ", process \(pid)," : "" }

    private static func name(_ pid: Int32) -> String {
        VarlinkClient.command(of: pid).map { ", as 'xphase \($0)'".escapedForTerminal } ?? ""
    }
}
