import CLinux
import Glibc

/// A pipe whose reader reads when the test wants it to.
///
/// No program inherits it by chance: one that another thread starts would hold its end open.
public final class Pipe {
    public let reading: Int32
    public let writing: Int32
    private var isOpen = (reading: true, writing: true)

    public init() throws {
        var ends: [Int32] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { throw Failure("pipe2: \(String(cString: strerror(errno)))") }
        (reading, writing) = (ends[0], ends[1])
        // A program that gets it waits for what comes.
        _ = fcntl(reading, F_SETFL, 0)
    }

    deinit {
        closeReading()
        closeWriting()
    }

    public func closeReading() {
        if isOpen.reading { close(reading) }
        isOpen.reading = false
    }

    public func closeWriting() {
        if isOpen.writing { close(writing) }
        isOpen.writing = false
    }

    /// Takes out what is in it now.
    public func drain() -> [UInt8] {
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(reading, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
