import FoundationEssentials
import Glibc
import Hooks
import System

/// A file from which pauses hold again after a crash. It counts in the boot in which it was written:
/// their ends are times of its clock.
public struct PausesFile {
    private struct Content: Codable {
        var bootID: String?
        var pauses: Pauses
    }

    private static let limit = 64 << 10

    private let directory: OwnDirectory
    private let name: SystemString

    /// - Parameters:
    ///   - display: The name it was opened by; the screen does not count.
    ///   - environment: XDG_RUNTIME_DIR says where the file lies.
    public init(display: String, environment: Environment) throws(SystemError) {
        directory = try OwnDirectory.runtime(environment)
        name = "\(DisplayFileName(display)).pauses"
    }

    /// None where nothing can be read.
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
        // It counts in this boot only: a loss of power may take it away, and the loop waits for no disk.
        try directory.replace(name, with: bytes, mode: 0o600, isSynced: false)
    }
}
