import Glibc

/// A terminal that a program can be given as its stdout.
public final class Terminal {
    /// The side of the program.
    public let end: Int32
    private let reader: LineReader

    public init() throws {
        var master: Int32 = 0
        var slave: Int32 = 0
        guard openpty(&master, &slave, nil, nil, nil) == 0 else {
            throw Failure("no terminal: \(String(cString: strerror(errno)))")
        }
        end = slave
        reader = LineReader(master)
    }

    /// All that was written to it by programs that have ended.
    public func text() throws -> String {
        close(end)
        return try reader.rest().joined(separator: "\n")
    }
}
