import Glibc

/// A pipe that takes nothing more until somebody reads it.
public final class FullPipe {
    private let pipe: Pipe
    /// How many bytes fill it at first.
    public let filling: Int

    public init() throws {
        pipe = try Pipe()
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
        var count = 0
        while write(pipe.writing, bytes, bytes.count) == bytes.count { count += bytes.count }
        filling = count
        // A program that gets it must block on it.
        _ = fcntl(pipe.writing, F_SETFL, 0)
    }

    public var reading: Int32 { pipe.reading }
    public var writing: Int32 { pipe.writing }

    /// Takes out what is in it now.
    public func drain() -> [UInt8] { pipe.drain() }
}
