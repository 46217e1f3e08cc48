import Glibc
import System

/// A watch for new starts of running programs: executing a file opens it, which inotify(7) reports.
final class StartWatch {
    private let inotify: Descriptor
    private var buffer = [UInt8](repeating: 0, count: 4096)

    init() throws(SystemError) {
        inotify = try Descriptor("inotify_init1", inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
    }

    /// For poll(2).
    var descriptor: Int32 { inotify.number }

    /// Watches the executable of a process.
    ///
    /// - Returns: The number of the watch, which all processes of one executable share.
    func watch(_ pid: Int32) throws(SystemError) -> Int32 {
        let watch = inotify_add_watch(inotify.number, "/proc/\(pid)/exe", UInt32(IN_OPEN))
        guard watch >= 0 else { throw SystemError("inotify_add_watch", errno) }
        return watch
    }

    /// Returns the watches whose files were opened since the last call. Never blocks.
    func take() -> Set<Int32> {
        let count = read(inotify.number, &buffer, buffer.count)
        return count > 0 ? Set(FileEvents(buffer[..<count]).map(\.watch)) : []
    }
}
