import Glibc
import System

/// Writing to stdout with write(2): `print` buffers, and reports no errors.
enum StandardOutput {
    /// Opens /dev/null for each of the descriptors 0 to 2 that is closed; otherwise, the X socket would get its number.
    /// Writing to a closed stdout stays an error.
    static func reserveDescriptors() {
        for descriptor in 0...2 where fcntl(Int32(descriptor), F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Returns a descriptor for stdout or stderr that never blocks a writer.
    ///
    /// A write to a terminal may block even if poll(2) reports it as writable. The terminal is opened again, because
    /// O_NONBLOCK on the descriptor itself would apply to every program on the terminal.
    static func withoutWaiting(_ descriptor: Int32 = STDOUT_FILENO) -> Int32 {
        guard isatty(descriptor) == 1 else { return descriptor }
        let other = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return other >= 0 ? other : descriptor
    }

    /// Writes all bytes to stdout; blocks while the reader does not read.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) { try write(bytes, to: STDOUT_FILENO) }

    /// Writes all bytes to any descriptor.
    ///
    /// - Parameter failure: Converts errno to an error.
    static func write(
        _ bytes: [UInt8], to descriptor: Int32,
        _ failure: (Int32) -> CommandFailure = CommandFailure.output
    ) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try writeOnce(rest, to: descriptor, failure)
            if count == 0 { waitForRoom(descriptor) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns whether a write of up to PIPE_BUF bytes would not block.
    static func hasRoom(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// - Throws: `CommandFailure` if a log could not write its lines.
    static func check(_ log: Log) throws(CommandFailure) {
        if let code = log.failure { throw .output(code) }
    }

    static func waitForRoom(_ descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
    }

    /// Calls write(2) once; returns the number of bytes written.
    ///
    /// - Parameter failure: Converts errno to an error.
    static func writeOnce(
        _ bytes: some Collection<UInt8>, to descriptor: Int32,
        _ failure: (Int32) -> CommandFailure = CommandFailure.output
    ) throws(CommandFailure) -> Int {
        do throws(SystemError) {
            return try SystemError.check(
                "write",
                bytes.withContiguousStorageIfAvailable {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                } ?? -1)
        } catch {
            if error.code == EAGAIN { return 0 }
            throw failure(error.code)
        }
    }
}

/// Output files that the user has named.
enum OutputFile {
    /// Opens a new file, or an existing file that is not a regular one, such as a terminal or a pipe; for `-`, stdout.
    ///
    /// - Parameter force: Whether to truncate an existing file.
    /// - Throws: `CommandFailure`, also if the file exists and `force` is false.
    static func open(_ path: SystemString, mode: mode_t, force: Bool) throws(CommandFailure) -> Int32 {
        if path == "-" { return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY
        do throws(SystemError) {
            let new = flags | O_CREAT | (force ? O_TRUNC : O_EXCL)
            let number = try SystemError.check(
                "open", Glibc.open(path.cString, new, mode), path: path, unless: EEXIST)
            if number >= 0 { return number }
            var status = stat()
            if stat(path.cString, &status) == 0 && status.st_mode & S_IFMT != S_IFREG {
                return try SystemError.check("open", Glibc.open(path.cString, flags))
            }
        } catch {
            throw .output("write '\(path)'", error.code)
        }
        throw .misuse("'\(path)' already exists: name another file, or overwrite it with --force")
    }

    /// Writes a whole file.
    ///
    /// - Throws: `CommandFailure`, also if the file exists and `force` is false.
    static func write(_ bytes: [UInt8], to path: SystemString, force: Bool) throws(CommandFailure) {
        let number = try open(path, mode: 0o666, force: force)
        defer { close(number) }
        try StandardOutput.write(bytes, to: number) { .output("write '\(path)'", $0) }
    }
}
