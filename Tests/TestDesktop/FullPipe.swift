import Glibc

/// A pipe that takes nothing more until somebody reads it.
public final class FullPipe {
    public let reading: Int32
    public let writing: Int32
    /// What is in it at first.
    public let filling: Int

    public init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure("pipe: \(String(cString: strerror(errno)))") }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
        var count = 0
        while write(writing, bytes, bytes.count) == bytes.count { count += bytes.count }
        filling = count
        // Whoever gets it does wait.
        _ = fcntl(writing, F_SETFL, 0)
    }

    deinit {
        close(reading)
        close(writing)
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
