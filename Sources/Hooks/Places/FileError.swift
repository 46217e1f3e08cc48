import Console
import Loop
import PhaseWatch

/// Why a file or a directory that xphase keeps for itself cannot be used.
public enum FileError: Error, Equatable, CustomStringConvertible {
    case failed(path: String, SystemError)
    /// It belongs to another user.
    case foreign(path: String)
    /// Its mode lets others in.
    case exposed(path: String)
    /// It is no regular file.
    case noFile(path: String)
    /// More than this many bytes.
    case tooLarge(path: String, limit: Int)
    case noHome

    public var description: String {
        switch self {
        case .failed(let path, let error):
            "cannot use '\(path)' (\(error)): look what is there, who owns it and whether the disk is full"
        case .foreign(let path):
            "'\(path)' belongs to another user: remove it or have it removed"
        case .exposed(let path):
            "'\(path)' is open to others: see that nobody changed it, then chmod go= '\(path)'"
        case .noFile(let path):
            "'\(path)' is no regular file: move it away"
        case .tooLarge(let path, let limit):
            "'\(path)' would have more than \(limit) bytes: have fewer pairs at a time"
        case .noHome:
            "HOME is not set: set it, or XDG_STATE_HOME"
        }
    }
}
