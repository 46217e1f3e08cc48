import Glibc

@testable import System

/// A watch, asked after each step of a test. The kernel queues events before the call that causes them returns.
struct WatchedFiles {
    private let files: FileWatch

    init(_ paths: [String]) throws {
        files = try FileWatch(paths: paths.map { SystemString($0) })
    }

    /// Whether something has changed since it was asked last.
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
