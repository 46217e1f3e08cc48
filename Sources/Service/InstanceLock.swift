import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// Makes `xphase run` the only one of its user on a display, for as long as it is held: `withExtendedLifetime`.
///
/// The kernel keeps the lock and knows its holder, so that a crash leaves none. No process may have two for
/// one display: record locks do not hold up the process that has them, and all go with the first descriptor
/// of the file that is closed.
public final class InstanceLock {
    private let file: Descriptor
    /// Beside the record, which other ways to the display lead to, too; nil where it cannot be.
    private let recordFile: Descriptor?

    /// - Parameters:
    ///   - display: The name it was opened by; the screen does not count.
    ///   - environment: XDG_RUNTIME_DIR and XDG_STATE_HOME say where the locks lie.
    public init(display: String, environment: Environment) throws(ServiceError) {
        let name = "\(DisplayFileName(display)).lock"
        do throws(SystemError) {
            // The sticky bit keeps programs that clean up from removing it.
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
    /// Locks the file for this process, until it is closed. No descriptor of it may be closed before that.
    func lock(_ path: SystemString) throws(ServiceError) {
        while true {
            var request = Self.wholeFile
            if fcntl(number, F_SETLK, &request) == 0 { return }
            guard errno == EAGAIN || errno == EACCES, fcntl(number, F_GETLK, &request) == 0 else {
                throw .file(.failed(path: path, SystemError("fcntl", errno)))
            }
            // Else it has ended since.
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
