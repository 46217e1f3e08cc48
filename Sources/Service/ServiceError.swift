import Console
import System

/// Why the service, or a command that asks it, cannot do what it should.
public enum ServiceError: Error, Equatable, CustomStringConvertible {
    /// That process runs the hooks of the display. 0 for one that is in another container.
    case held(pid: Int32)
    case file(SystemError)
    /// No service runs for the display; empty where none runs at all.
    case notRunning(display: String)
    case silent(pid: Int32)
    case cutOff(pid: Int32)
    /// What was sent is no message of this version, or the service refuses it.
    case refused(String)
    /// What could not be thawed until the end.
    case stillFrozen(applications: [String])
    /// A file is no record of the user.
    case noRecord(path: SystemString, reason: String)

    /// The service begins or ends, maybe: it is worth another try.
    public var mayPass: Bool {
        switch self {
        case .notRunning, .cutOff: true
        default: false
        }
    }

    public var description: String {
        switch self {
        case .held(let pid):
            "process \(pid) already runs the hooks of this display: end it first "
                + "(systemctl --user stop xphase, or kill \(pid)), or use 'xphase watch'"
        case .file(let error): error.description
        case .notRunning(""):
            "no 'xphase run' of yours serves a display: start one (systemctl --user start xphase)"
        case .notRunning(let display):
            "no 'xphase run' serves display '\(display)': start it (systemctl --user start xphase), or name "
                + "another display with --display"
        case .silent(let pid): "'xphase run'\(Self.process(pid)) does not answer within 5 s: is it stopped?"
        case .cutOff(let pid): "'xphase run'\(Self.process(pid)) went away while it answered: try again"
        case .refused(let text): text
        case .stillFrozen(let applications):
            "\(applications.joined(separator: ", ").escapedForTerminal) "
                + "\(applications.count == 1 ? "stays" : "stay") frozen: run 'xphase hooks thaw-all'"
        case .noRecord(let path, let reason): "'\(path)' \(reason)"
        }
    }

    private static func process(_ pid: Int32) -> String { pid > 0 ? ", process \(pid)," : "" }
}
