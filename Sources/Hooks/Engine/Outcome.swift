/// How a program ended.
public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
    /// The program was ended because it was no longer wanted.
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
}
