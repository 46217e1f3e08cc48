import Console
import Glibc
import PhaseWatch
import System

extension Configuration {
    private static let mostBytes = 1 << 20

    /// Reads a file that only the user and root can write or replace.
    ///
    /// - Returns: nil if there is no such file.
    /// - Throws: All faults of the file or of its contents.
    public init?(file path: SystemString) throws(ConfigurationError) {
        let name = path.description
        let number = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if number < 0 && (errno == ENOENT || errno == ENOTDIR) { return nil }
        let file = try Self.read(path) { () throws(SystemError) in try Descriptor("open", number) }
        try Self.checkFile(file.number, path)
        let bytes = try Self.read(path) { () throws(SystemError) in
            try file.readAll(path, limit: Self.mostBytes)
        }
        guard let bytes else { throw ConfigurationError(name, "is larger than 1 MiB") }
        try self.init(text: Self.text(of: bytes, name), file: name)
    }

    /// Checks the open descriptor; the path may lead to another file by now.
    private static func checkFile(_ descriptor: Int32, _ path: SystemString) throws(ConfigurationError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(path.description, "is not a regular file")
        }
        let faults = Trust.faults(of: status, at: path)
        if !faults.isEmpty { throw ConfigurationError(path.description, faults) }
    }

    private static func read<Value>(
        _ path: SystemString, _ body: () throws(SystemError) -> Value
    ) throws(ConfigurationError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw ConfigurationError(
                path.description, "cannot be read: \(String(cString: strerror(error.code)))")
        }
    }

    /// Validates and decodes the bytes. CTOML stops at a NUL without an error.
    private static func text(of bytes: [UInt8], _ path: String) throws(ConfigurationError) -> String {
        // UTF-16 without a byte order mark: every other byte of ASCII text is a NUL.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || bytes.prefix(2).count(where: { $0 == 0 }) == 1
        {
            throw ConfigurationError(path, "is UTF-16: save the file as UTF-8")
        }
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let place = "\(path):\(index + 1)"
            if line.contains(0) { throw ConfigurationError(place, "contains a NUL character") }
            if String(validating: line, as: UTF8.self) == nil {
                throw ConfigurationError(place, "is not UTF-8: save the file as UTF-8")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
