import Glibc
import System

/// The bytes of a recording: those of stdin for `-`, the output of gzip(1) for a compressed file.
struct RecordingInput {
    private let file: SystemString
    private let descriptor: Descriptor

    /// - Throws: `CommandFailure`.
    init(_ file: SystemString) throws {
        self.file = file
        do throws(SystemError) {
            descriptor = try Self.open(file)
        } catch {
            throw Self.unreadable(file, error.code)
        }
    }

    private static func open(_ file: SystemString) throws(SystemError) -> Descriptor {
        let input =
            file == "-"
            ? try Descriptor("dup", fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
            : try Descriptor("open", Glibc.open(file.cString, O_RDONLY | O_CLOEXEC | O_NOCTTY))
        var start: [UInt8] = [0, 0]
        // The first bytes of a file of gzip(1). A pipe cannot be read in advance.
        guard pread(input.number, &start, 2, 0) == 2, start == [0x1F, 0x8B] else { return input }
        let pipe = try Descriptor.pipe()
        let errors = try Descriptor("dup", fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
        _ = try Spawn.start(
            ["gzip", "-dc"], environment: Environment.own.entries,
            descriptors: [input, pipe.writing, errors], directory: ".")
        return pipe.reading
    }

    /// Returns the next bytes; none at the end.
    func read() throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            do throws(SystemError) {
                let count = try SystemError.check(
                    "read", Glibc.read(descriptor.number, &bytes, bytes.count))
                return Array(bytes[..<count])
            } catch {
                guard error.code == EAGAIN else { throw Self.unreadable(file, error.code) }
            }
            // The end of a pipe does not block.
            var state = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            poll(&state, 1, -1)
        }
    }

    private static func unreadable(_ file: SystemString, _ code: Int32) -> CommandFailure {
        CommandFailure(Exit.badData, "cannot read '\(file)': \(String(cString: strerror(code)))")
    }
}
