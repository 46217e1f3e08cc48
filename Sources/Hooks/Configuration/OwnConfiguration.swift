import Console
import Glibc
import PhaseWatch
import System

/// The user's configuration file, for additions. Its contents are kept.
public struct OwnConfiguration {
    /// The path of the file that is written.
    public let path: SystemString
    /// The configuration in effect. If the user has no file yet, this is the system-wide one, which a new file would
    /// hide.
    private(set) var text = ""
    /// The file that contains `text`; nil if there is none.
    let source: SystemString?

    /// - Throws: `ConfigurationError` if the configuration is invalid or others may write to it; `SystemError`.
    public init(_ locations: HookLocations) throws {
        guard let own = locations.writable else { throw SystemError.noHome }
        // The target of the link may be on a disk that is not mounted.
        if own.isLink, own.resolved == nil {
            throw SystemError.failed(path: own, SystemError("realpath", ENOENT))
        }
        path = own
        // Reading the file as a configuration also checks who may write to it.
        let present = try locations.configurations.first { try Configuration(file: $0) != nil }
        source = present
        guard let present else { return }
        let file = try Descriptor("open", open(present.cString, O_RDONLY | O_CLOEXEC), path: present)
        text = String(decoding: try file.readAll(present, limit: 1 << 20) ?? [], as: UTF8.self)
    }

    /// Appends hooks to the file.
    ///
    /// - Parameter name: The name of the added text, for faults of the combined configuration.
    mutating func append(_ more: String, named name: String) throws {
        let start = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        let new = start + (start.isEmpty ? "" : "\n") + more
        _ = try Configuration(text: new, file: "\(path), with \(name)")
        try replace(with: new)
    }

    private mutating func replace(with new: String) throws(SystemError) {
        // A symbolic link to a file elsewhere stays a link.
        try Self.write(new, to: path.resolved ?? path, mode: nil)
        text = new
    }

    /// Writes a file atomically.
    ///
    /// - Parameter mode: nil for the mode of the file that is replaced.
    static func write(_ text: String, to path: SystemString, mode: mode_t?) throws(SystemError) {
        var facts = stat()
        let mode = mode ?? (stat(path.cString, &facts) == 0 ? facts.st_mode & 0o777 : 0o644)
        let directory = try OwnDirectory(making: path.directory, forbidding: 0o022)
        guard let name = path.components.last else { throw .noFile(path: path) }
        try directory.replace(name, with: Array(text.utf8), mode: mode)
    }
}

extension SystemString {
    fileprivate var isLink: Bool {
        var facts = stat()
        return lstat(cString, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }
}
