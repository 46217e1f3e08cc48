import Console
import FoundationEssentials
import Glibc
import Loop
import PhaseWatch

/// The file of the pairs whose `leave` is owed, so that also the next start knows them.
///
/// Whatever happens, it holds all of what was written last, or all of what was written before.
/// For one process at a time: the holder of the display's `InstanceLock`.
public struct PairRecord {
    private struct Content: Codable {
        static let version = 1
        var v = version
        var pairs: [PairEntry]
    }

    private static let limit = 16 << 20

    private let directory: SystemString
    private let name: String

    public var path: String { "\(directory)/\(name)" }

    /// - Parameters:
    ///   - display: The name it was opened by; the screen does not count.
    ///   - environment: XDG_STATE_HOME and HOME say where the file lies.
    public init(display: String, environment: Environment) throws(FileError) {
        directory = try StateDirectory(environment: environment).path
        name = "pairs-\(DisplayFileName(display)).json"
    }

    /// Returns when the disk has it.
    ///
    /// - Throws: `FileError`.
    public func write(_ entries: [PairEntry]) throws {
        let directory = try OwnDirectory(making: directory, forbidding: 0o022)
        if entries.isEmpty {
            try directory.remove(name)
        } else {
            let bytes = [UInt8](try JSONEncoder().encode(Content(pairs: entries)))
            guard bytes.count <= Self.limit else { throw FileError.tooLarge(path: path, limit: Self.limit) }
            try replace(bytes, in: directory)
        }
        try directory.synchronize()
    }

    /// What was written last; nothing if that was never.
    ///
    /// - Throws: `FileError.damaged` where it cannot be understood: it is out of the way then.
    public func read() throws(FileError) -> [PairEntry] {
        guard let directory = try OwnDirectory(existing: directory, forbidding: 0o022),
            // A fifo would wait for its writer.
            let file = try directory.open(name, O_RDONLY | O_NONBLOCK)
        else { return [] }
        let facts = try file.check(path, forbidding: 0o022)
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .noFile(path: path) }
        if let entries = try decode(file) { return entries }
        try directory.rename(name, to: "\(name).bad")
        throw .damaged(path: path, keptAs: "\(path).bad")
    }

    private func replace(_ bytes: [UInt8], in directory: OwnDirectory) throws(FileError) {
        let draft = "\(name).new"
        // One that a crash left may have any mode.
        try directory.remove(draft)
        let file = try directory.create(draft, O_WRONLY | O_EXCL, mode: 0o600)
        do {
            try file.writeThrough(directory.path(of: draft), bytes)
            try directory.rename(draft, to: name)
        } catch {
            try directory.remove(draft)
            throw error
        }
    }

    private func decode(_ file: Descriptor) throws(FileError) -> [PairEntry]? {
        guard let bytes = try file.readAll(path, limit: Self.limit),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
            content.v == Content.version, content.pairs.allSatisfy({ !$0.leave.isEmpty })
        else { return nil }
        return content.pairs
    }
}
