import Glibc

@testable import Service
@testable import System

/// A file watch that a test reads after each step. The kernel queues an event before the call that causes it returns.
struct WatchedFiles {
    private let files: FileWatch

    init(_ paths: [String]) throws {
        files = try FileWatch(paths: paths.map { SystemString($0) })
    }

    /// Whether a file has changed since the last read.
    var hasChanged: Bool {
        get throws {
            var hasChanged = false
            while hasEvents { hasChanged = try files.read() || hasChanged }
            return hasChanged
        }
    }

    private var hasEvents: Bool {
        var request = pollfd(fd: files.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }
}
