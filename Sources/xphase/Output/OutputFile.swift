import Glibc
import Hooks
import Loop

/// Files that the user has named.
enum OutputFile {
    /// Writes a file anew, wherever its name leads: to a terminal or a pipe, too.
    ///
    /// - Throws: `OutputFileError`.
    static func write(_ bytes: [UInt8], to path: SystemString) throws {
        let number = open(path.cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
        guard number >= 0 else { throw OutputFileError(path: path.description, code: errno) }
        defer { close(number) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw OutputFileError(path: path.description, code: errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// A file that the user has named cannot be written.
struct OutputFileError: Error, CustomStringConvertible {
    let path: String
    /// errno.
    let code: Int32

    var description: String { "cannot write '\(path)': \(String(cString: strerror(code)))" }
}
