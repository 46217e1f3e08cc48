import FoundationEssentials
import Glibc
import Hooks
import System

/// The file that restores pauses after a crash. It is valid only in the boot in which it was written, because the ends
/// of pauses are times of that boot's clock.
public struct PausesFile {
    private struct Content: Codable {
        var bootID: String?
        var pauses: Pauses
    }

    private static let limit = 64 << 10

    private let directory: OwnDirectory
    private let name: SystemString

    /// - Parameters:
    ///   - display: The name of the display; the screen number is ignored.
    ///   - environment: XDG_RUNTIME_DIR locates the file.
    public init(display: String, environment: Environment) throws(SystemError) {
        directory = try OwnDirectory.runtime(environment)
        name = "\(DisplayFileName(display)).pauses"
    }

    /// Returns the stored pauses; none if the file cannot be read or is of another boot.
    func read() -> Pauses {
        let number = openat(
            directory.descriptor.number, name.cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard let file = try? Descriptor("open", number),
            let bytes = try? file.readAll(name, limit: Self.limit),
            let content = Content(json: bytes),
            content.bootID == Boot.id()
        else { return Pauses() }
        return content.pauses
    }

    func write(_ pauses: Pauses) throws {
        if pauses == Pauses() { return try directory.remove(name) }
        let bytes = [UInt8](try JSONEncoder().encode(Content(bootID: Boot.id(), pauses: pauses)))
        // Not synced: the file is valid in this boot only, so a power failure may lose it, and the loop must not wait
        // for a disk.
        try directory.replace(name, with: bytes, mode: 0o600, isSynced: false)
    }
}
