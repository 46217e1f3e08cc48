import Glibc
import Synchronization

/// The loop of the main thread, as in a toolkit. Work that other threads add wakes it.
final class MainLoop: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])
    private let (reading, writing): (Int32, Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (reading, writing) = (ends[0], ends[1])
    }

    func add(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        _ = write(writing, [1], 1)
    }

    /// Runs until the window is closed.
    func run(with window: Window) {
        while !window.takeEvents() {
            var sources = [window.descriptor, reading].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&sources, 2, -1)
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = read(reading, &bytes, bytes.count)
            let taken = work.withLock { work in
                defer { work = [] }
                return work
            }
            for body in taken { body() }
        }
    }
}
