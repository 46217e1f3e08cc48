import CLinux
import Glibc
import System

/// Calls fsync(2) on a thread of its own: it may take seconds, and the loop's thread must not wait for a disk.
public final class SyncThread {
    /// Readable once the answer to a request is there.
    public let answers: Descriptor
    let requests: Descriptor
    /// What was asked for, held open until the answer is there.
    private var asked: [Descriptor]?

    public init() throws(SystemError) {
        let (requests, answers) = (try Self.pipe(), try Self.pipe())
        // The thread closes its ends itself.
        let ends = [requests.reading, answers.writing].map { fcntl($0.number, F_DUPFD_CLOEXEC, 0) }
        guard ends.allSatisfy({ $0 >= 0 }) else {
            let error = SystemError("dup", errno)
            for end in ends where end >= 0 { close(end) }
            throw error
        }
        // It has nothing to do but to wait for requests.
        _ = fcntl(ends[0], F_SETFL, 0)
        guard linux_sync_thread(ends[0], ends[1]) == 0 else { throw SystemError("pthread_create", errno) }
        self.requests = requests.writing
        self.answers = answers.reading
    }

    public var isBusy: Bool { asked != nil }

    /// Makes a file survive a loss of power, and then the names in a directory. One request at a time.
    ///
    /// - Throws: Where the thread cannot be reached; another one is to be started then.
    public func request(file: Descriptor?, directory: Descriptor?) throws(SystemError) {
        var request = linux_sync(file: file?.number ?? -1, directory: directory?.number ?? -1)
        guard write(requests.number, &request, MemoryLayout.size(ofValue: request)) > 0 else {
            throw SystemError("write", errno)
        }
        asked = [file, directory].compactMap(\.self)
    }

    /// The answer to the request; nil while there is none.
    ///
    /// - Throws: Where none will come: the thread has ended.
    public func answer() throws(SystemError) -> Result<Void, SystemError>? {
        var code: Int32 = 0
        let count = read(answers.number, &code, MemoryLayout.size(ofValue: code))
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return nil }
        asked = nil
        guard count > 0 else { throw SystemError("read", count == 0 ? EPIPE : errno) }
        return code == 0 ? .success(()) : .failure(SystemError("fsync", code))
    }

    private static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { throw SystemError("pipe2", errno) }
        return (try Descriptor("pipe2", ends[0]), try Descriptor("pipe2", ends[1]))
    }
}
