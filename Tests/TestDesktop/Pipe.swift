import CLinux
import Glibc

/// A pipe that the test reads when it wants to.
///
/// No program inherits the pipe by accident: a program that another thread starts would hold the pipe open.
public final class Pipe {
    public let reading: Int32
    public let writing: Int32
    private var isOpen = (reading: true, writing: true)

    public init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            throw Failure("pipe2: \(String(cString: strerror(errno)))")
        }
        (reading, writing) = (ends[0], ends[1])
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

    /// Removes and returns the bytes that are in the pipe.
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
