import Glibc

/// A pipe that accepts no more bytes until it is read.
public final class FullPipe {
    private let pipe: Pipe
    /// The number of bytes that fill the empty pipe.
    public let filling: Int

    public init() throws {
        pipe = try Pipe()
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
        var count = 0
        while write(pipe.writing, bytes, bytes.count) == bytes.count { count += bytes.count }
        filling = count
        // A program that inherits the descriptor must block when it writes.
        _ = fcntl(pipe.writing, F_SETFL, 0)
    }

    public var reading: Int32 { pipe.reading }
    public var writing: Int32 { pipe.writing }

    /// Removes and returns the bytes that are in the pipe.
    public func drain() -> [UInt8] { pipe.drain() }
}
