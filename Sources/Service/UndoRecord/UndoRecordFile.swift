import FoundationEssentials
import Glibc
import Hooks
import System

/// The file that records the pairs that are owed on a display, for the next start.
///
/// The file is JSON, a header and one line for each pair, and is replaced as a whole. Only the holder of the display's lock
/// writes it. All operations may block on the disk.
struct UndoRecordFile: Sendable {
    private struct Header: Codable {
        /// It rises when what was written before cannot be decoded, or would be undone in another way. A file of another
        /// version is set aside for the user: only a new field that may be missing needs no new version.
        static let version = 5

        var version = Self.version
        var display: String
        /// The boot in which the file was written. In another boot, processes and control groups are meaningless.
        var boot: String
    }

    /// The pairs that an earlier process has left.
    struct Contents: Sendable {
        var display = ""
        var pairs: [UndoRecordEntry] = []
        /// Whether all lines are valid.
        var isWhole = true
    }

    /// The maximum size that is read or written.
    private static let limit = 64 << 20
    private static let forbidden: mode_t = 0o022
    private static let (prefix, suffix) = ("undo-record-", ".json")

    private let folder: SystemString
    private let name: SystemString

    /// - Parameters:
    ///   - display: The name of the display; the screen number is ignored.
    ///   - environment: XDG_STATE_HOME and HOME locate the file.
    init(display: String, environment: Environment) throws(SystemError) {
        folder = try environment.stateDirectory()
        name = Self.name(of: display, Self.suffix)
    }

    private init(folder: SystemString, name: SystemString) { (self.folder, self.name) = (folder, name) }

    /// Returns the directory of all records.
    static func directory(_ environment: Environment) throws(SystemError) -> OwnDirectory {
        try OwnDirectory(making: try environment.stateDirectory(), forbidding: forbidden)
    }

    /// Returns the records of all displays.
    static func all(environment: Environment) throws(SystemError) -> [UndoRecordFile] {
        let folder = try environment.stateDirectory()
        return names(in: folder, suffix).map { UndoRecordFile(folder: folder, name: $0) }
    }

    /// Returns the name of a file for a display: the record, or one beside it.
    static func name(of display: String, _ suffix: String) -> SystemString {
        "\(prefix)\(DisplayFileName(display))\(suffix)"
    }

    /// Returns the names of such files of all displays.
    static func names(in folder: SystemString, _ suffix: String) -> [SystemString] {
        (folder.entryNames ?? []).filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private var path: SystemString { folder.entry(name) }

    /// Reads the record.
    ///
    /// - Throws: `SystemError`, or `ServiceError.noRecord` if the file is not a record of the user.
    func read() throws -> Contents {
        try read(in: try OwnDirectory(making: folder, forbidding: Self.forbidden))
    }

    /// Reads the record for the process that serves the display. A file that is not a record of the user is moved away.
    /// A file with invalid lines is also kept under another name.
    ///
    /// - Returns: The pairs, and a message about a file that was set aside.
    func takeOver() throws -> (pairs: [UndoRecordEntry], problem: String?) {
        let directory = try OwnDirectory(making: folder, forbidding: Self.forbidden)
        let kept = directory.freeName(like: "\(name).bad")
        func problem(_ reason: String) -> String {
            "'\(path)' \(reason): it is kept as '\(directory.path(of: kept))': check it for anything to undo by hand"
        }
        do {
            let contents = try read(in: directory)
            if contents.isWhole { return (contents.pairs, nil) }
            // Stays in place until the next write: the valid pairs are still owed.
            try directory.link(name, as: kept)
            return (contents.pairs, problem("is partly invalid"))
        } catch ServiceError.noRecord(_, let reason) {
            try directory.rename(name, to: kept)
            return ([], problem(reason))
        }
    }

    private func read(in directory: OwnDirectory) throws -> Contents {
        func refusal(_ reason: String) -> ServiceError { .noRecord(path: path, reason: reason) }
        // O_NONBLOCK: opening a FIFO would wait for its writer.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let bytes: [UInt8]?
        do throws(SystemError) {
            let file = try Descriptor(
                "open", openat(directory.descriptor.number, name.cString, flags), path: path)
            let facts = try file.check(path, forbidding: Self.forbidden)
            guard facts.st_mode & S_IFMT == S_IFREG else { throw .noFile(path: path) }
            bytes = try file.readAll(path, limit: Self.limit)
        } catch {
            if error.cause == ("open", ENOENT) { return Contents() }
            throw error.refusal.map(refusal) ?? error
        }
        guard let bytes else { throw refusal("has more than \(Self.limit) bytes") }
        guard let contents = Self.contents(of: bytes) else { throw refusal("is invalid") }
        return contents
    }

    /// Returns nil if the bytes are not a record of this version.
    static func contents(of bytes: [UInt8]) -> Contents? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first, let header = Header(json: first), header.version == Header.version
        else { return nil }
        let pairs = lines.dropFirst().compactMap { UndoRecordEntry(json: $0) }.filter(\.isPlausible)
        return Contents(
            display: header.display, pairs: header.boot == Boot.id() ? pairs : pairs.map(\.afterBoot),
            isWhole: pairs.count == lines.count - 1)
    }

    /// Writes exactly these pairs to the disk; removes the file if there are none.
    func write(_ pairs: [UndoRecordEntry], display: String) throws {
        let directory = try OwnDirectory(making: folder, forbidding: Self.forbidden)
        if pairs.isEmpty { return try directory.remove(name) }
        let encoder = JSONEncoder()
        // Readable for the user, who must undo by hand what is left after a fault.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(Header(display: display, boot: Boot.id() ?? ""))
        let lines = try [header] + pairs.map(encoder.encode)
        let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        guard bytes.count <= Self.limit else { throw SystemError.tooLarge(path: path, limit: Self.limit) }
        try directory.replace(name, with: bytes, mode: 0o600)
    }
}

extension SystemError {
    /// The reason why xphase cannot have made the file; nil for other errors.
    fileprivate var refusal: String? {
        switch self {
        case .foreign: "belongs to another user"
        case .exposed: "is open to others, who may have changed it"
        case .noFile: "is not a regular file"
        case .failed(_, let error) where [ELOOP, EISDIR, ENXIO, EACCES, EPERM].contains(error.code):
            "is not your file (\(error))"
        default: nil
        }
    }
}

extension OwnDirectory {
    /// Returns an unused name: this one, or this one with a number appended.
    fileprivate func freeName(like name: SystemString) -> SystemString {
        var (free, number) = (name, 1)
        while faccessat(descriptor.number, free.cString, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
            number += 1
            free = "\(name).\(number)"
        }
        return free
    }
}
