import CLinux
import Glibc
import System

/// The output of another program. The initializer blocks until the program ends: only for processes with nothing else
/// to do.
struct ToolOutput {
    private static let limit = 8 << 20
    private static let patience: Int32 = 5000

    let bytes: [UInt8]

    var lines: [Substring] { String(decoding: bytes, as: UTF8.self).split(separator: "\n") }

    /// Runs a program.
    ///
    /// - Throws: `SystemError` unless the program exits with 0 within 5 s.
    @discardableResult
    init(of words: [String]) throws {
        let (output, errors) = (try Descriptor.memory([]), try Descriptor.memory([]))
        let pid = try Self.start(words, output, errors)
        let hasEnded = Self.awaitEnd(of: pid)
        if !hasEnded { kill(pid, SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        guard hasEnded else { throw SystemError.refused("\(words[0]) does not answer") }
        guard status == 0 else {
            let said = String(decoding: try Self.bytes(of: errors), as: UTF8.self).split(separator: "\n").last
            throw SystemError.refused("\(words[0]): \(said ?? "it failed")")
        }
        bytes = try Self.bytes(of: output)
    }

    /// Starts a program and discards its output. The caller must end it.
    static func start(_ words: [String]) throws -> pid_t {
        let nowhere = try Descriptor.memory([])
        return try start(words, nowhere, nowhere)
    }

    private static func start(_ words: [String], _ output: Descriptor, _ errors: Descriptor) throws -> pid_t {
        do throws(SystemError) {
            return try Spawn.start(
                words.map { SystemString($0) }, environment: Environment.own.entries,
                descriptors: [Descriptor.memory([]), output, errors], inheriting: .all)
        } catch {
            throw error.code == ENOENT ? SystemError.missing(words[0]) : SystemError(words[0], error.code)
        }
    }

    /// Calls `look` until it returns a value; returns nil after 5 s.
    static func await<Value>(_ look: () throws -> Value?) rethrows -> Value? {
        let end = ContinuousClock.now + .milliseconds(Int(patience))
        while .now < end {
            if let value = try look() { return value }
            usleep(10_000)
        }
        return nil
    }

    private static func awaitEnd(of pid: pid_t) -> Bool {
        guard let exit = try? Descriptor("pidfd_open", pidfd_open(pid, 0)) else { return false }
        var wait = pollfd(fd: exit.number, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, patience) > 0
    }

    private static func bytes(of file: Descriptor) throws -> [UInt8] {
        lseek(file.number, 0, SEEK_SET)
        guard let bytes = try file.readAll("memfd", limit: limit) else {
            throw SystemError.refused("it printed more than \(limit) bytes")
        }
        return bytes
    }
}
