import Glibc
import System

/// How a program ended.
public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
    /// The program was ended because it was no longer needed.
    case stopped
    /// The program was not started, for this reason.
    case notStarted(String)
    /// The program was not started because of a possibly temporary limit, which the text describes.
    case postponed(String)

    var hasStarted: Bool {
        switch self {
        case .notStarted, .postponed: false
        case .exited, .killed, .timedOut, .stopped: true
        }
    }

    /// Whether `unless` has not answered. Any exit is an answer, and one that was stopped is no longer needed.
    var isFailureOfCheck: Bool {
        switch self {
        case .exited, .stopped: false
        case .killed, .timedOut, .notStarted, .postponed: true
        }
    }

    /// Returns the description of a failure; nil for a run that ended as it should.
    public func failure(after time: Duration) -> String? {
        let tenths = time.milliseconds / 100
        let end = "after \(tenths / 10).\(tenths % 10) s"
        switch self {
        case .exited(0): return nil
        case .exited(let code): return "exit \(code) \(end)"
        case .killed(let number):
            let name = strsignal(number).map { String(cString: $0) } ?? "unknown"
            return "killed by signal \(number) (\(name)) \(end)"
        case .timedOut: return "timed out \(end) and was terminated"
        case .stopped: return "ended with xphase \(end)"
        case .notStarted(let reason), .postponed(let reason): return reason
        }
    }
}
