import Glibc

/// A pseudo-terminal for a program: its stdout, or its controlling terminal.
public final class Terminal {
    /// The descriptor of the program's side.
    public let end: Int32
    /// The path of the program's side.
    public let path: String
    /// The output of programs, and the echo of typed keys.
    public let output: LineReader
    private let keyboard: Int32

    public init() throws {
        var slave: Int32 = 0
        var master: Int32 = 0
        var name = [CChar](repeating: 0, count: 64)
        guard openpty(&master, &slave, &name, nil, nil) == 0 else {
            throw Failure("no terminal: \(String(cString: strerror(errno)))")
        }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        end = slave
        keyboard = master
        output = LineReader(master)
    }

    /// Types keys; "\u{3}" is Ctrl-C.
    public func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(keyboard, bytes, bytes.count)
    }

    /// Returns the output of programs that have ended.
    public func text() throws -> String {
        close(end)
        return try output.rest().joined(separator: "\n")
    }
}
