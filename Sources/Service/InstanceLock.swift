import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// A lock that permits one `xphase run` per user and display. Keep it alive with `withExtendedLifetime`.
///
/// The kernel owns the lock and knows its holder, so a crash releases it. A process must not create two locks for one
/// display: record locks do not conflict within a process, and closing any descriptor of the file releases all of them.
public final class InstanceLock {
    private let file: Descriptor
    /// The lock file beside the pair record, which instances with another XDG_RUNTIME_DIR share; nil if it cannot be
    /// created.
    private let recordFile: Descriptor?

    /// - Parameters:
    ///   - display: The name of the display; the screen number is ignored.
    ///   - environment: XDG_RUNTIME_DIR and XDG_STATE_HOME locate the lock files.
    public init(display: String, environment: Environment) throws(ServiceError) {
        let name = "\(DisplayFileName(display)).lock"
        do throws(SystemError) {
            // The sticky bit keeps cleanup programs from removing the file.
            let directory = try OwnDirectory.runtime(environment)
            file = try directory.create(SystemString(name), O_RDWR, mode: 0o1600)
        } catch {
            throw .file(error)
        }
        try file.lock(SystemString(name))
        recordFile = try? RecordFile.directory(environment).create("pairs-\(name)", O_RDWR, mode: 0o600)
        do throws(ServiceError) {
            try recordFile?.lock(SystemString(name))
        } catch {
            if case .held = error { throw error }
        }
    }
}

extension Descriptor {
    /// Locks the file for this process until the descriptor is closed. Closing any other descriptor of the file
    /// releases the lock, too.
    func lock(_ path: SystemString) throws(ServiceError) {
        while true {
            var request = Self.wholeFile
            if fcntl(number, F_SETLK, &request) == 0 { return }
            guard errno == EAGAIN || errno == EACCES, fcntl(number, F_GETLK, &request) == 0 else {
                throw .file(.failed(path: path, SystemError("fcntl", errno)))
            }
            // With F_UNLCK, the holder has ended in the meantime.
            if request.l_type != Int16(F_UNLCK) { throw .held(pid: request.l_pid) }
        }
    }

    private static var wholeFile: flock {
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        return request
    }
}
