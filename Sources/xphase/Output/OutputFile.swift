import Glibc
import System

/// Output files that the user has named.
enum OutputFile {
    /// Opens a new file, or an existing file that is not a regular one, such as a terminal or a pipe; for `-`, stdout.
    ///
    /// - Parameter force: Whether to truncate an existing file.
    /// - Throws: `CommandFailure`, also if the file exists and `force` is false.
    static func open(_ path: SystemString, mode: mode_t, force: Bool) throws(CommandFailure) -> Int32 {
        if path == "-" { return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY
        var number = Glibc.open(path.cString, flags | O_CREAT | (force ? O_TRUNC : O_EXCL), mode)
        if number < 0 && errno == EEXIST {
            var status = stat()
            guard stat(path.cString, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
                throw .misuse("'\(path)' already exists: name another file, or overwrite it with --force")
            }
            number = Glibc.open(path.cString, flags)
        }
        guard number >= 0 else { throw .output("write '\(path)'", errno) }
        return number
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
