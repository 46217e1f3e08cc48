import Console
import Glibc
import PhaseWatch
import System

/// The file of the pairs whose `leave` is owed, so that the next start knows them, too.
///
/// Lines are appended, and now and then the file is replaced by one that holds only what is still owed. It is
/// locked for as long as it is open: whoever has it is the only one that leaves its pairs.
public final class PairRecord {
    /// More than this is not read.
    static let limit = 64 << 20
    static let forbidden: mode_t = 0o022
    /// How often the file may be replaced by others while it is opened.
    private static let mostAttempts = 100

    private struct Opened {
        let directory: OwnDirectory
        var file: Descriptor
        var size: Int
        /// What takes the place of the file as soon as it is on disk.
        var draft: (file: Descriptor, size: Int)?
        /// The directory on disk may not name the file yet.
        var isUnnamed = false
        /// It is kept under another name, too, and must not be cut.
        var hasCopy = false
    }

    private let folder: SystemString
    let display: String
    let name: SystemString
    private var opened: Opened?
    private var problems: [String] = []

    var path: SystemString { folder.entry(name) }
    private var draftName: SystemString { "\(name).new" }

    /// - Parameters:
    ///   - display: The name it was opened by; the screen does not count.
    ///   - command: Which of the commands that run beside each other it is for; nil for the one that is alone.
    ///   - environment: XDG_STATE_HOME and HOME say where the file lies.
    /// - Throws: `LockError.held` where another process has it, `FileError.noHome`. Other failures show when it is used.
    public init(display: String, command: Int? = nil, environment: Environment) throws {
        folder = try StateDirectory(environment: environment).path
        self.display = display
        name = Self.name(display: display, command: command)
        do {
            _ = try open()
        } catch let error as LockError {
            if case .held = error { throw error }
        } catch {}
    }

    /// How many bytes the file has, or the one that takes its place.
    var size: Int { opened.map { $0.draft?.size ?? $0.size } ?? 0 }
    var isBeingReplaced: Bool { opened?.draft != nil }

    /// What was set aside since the last call, and why.
    func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    /// The pairs that an earlier process left behind, in the order in which they were entered.
    ///
    /// - Throws: `FileError`, `LockError`.
    func read() throws -> [RecordedPair] {
        let opened = try open()
        lseek(opened.file.number, 0, SEEK_SET)
        guard let bytes = try opened.file.readAll(path, limit: Self.limit) else {
            try setAside(in: opened.directory, because: "has more than \(Self.limit) bytes")
            self.opened = nil
            return []
        }
        let content = RecordContent(bytes)
        if content.isDamaged { try keepCopy(in: opened.directory) }
        return content.pairs.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Writes lines. They are on disk after fsync(2) of what `unsynced` returns.
    func append(_ lines: [UInt8]) throws {
        var opened = try open()
        defer { self.opened = opened }
        try Self.append(lines, to: opened.file, &opened.size, path)
        if var draft = opened.draft {
            try Self.append(lines, to: draft.file, &draft.size, path)
            opened.draft = draft
        }
    }

    /// Makes the file one of which nothing is owed.
    func clear() throws {
        let opened = try open()
        if opened.hasCopy {
            try opened.directory.remove(name)
            self.opened = nil
            return
        }
        guard ftruncate(opened.file.number, 0) == 0 else {
            throw FileError.failed(path: path, SystemError("ftruncate", errno))
        }
        self.opened?.size = 0
    }

    /// Begins a file that holds only these lines. It takes the place of the present one with `finishReplacing`, when it is
    /// on disk.
    func replace(with lines: [UInt8]) throws {
        var opened = try open()
        try opened.directory.remove(draftName)
        let file = try opened.directory.create(draftName, O_RDWR | O_APPEND | O_EXCL, mode: 0o600)
        try file.lock(path)
        var size = 0
        try Self.append(lines, to: file, &size, opened.directory.path(of: draftName))
        opened.draft = (file, size)
        self.opened = opened
    }

    func finishReplacing() throws {
        guard var opened, let draft = opened.draft else { return }
        opened.draft = nil
        defer { self.opened = opened }
        try opened.directory.rename(draftName, to: name)
        (opened.file, opened.size, opened.isUnnamed, opened.hasCopy) = (draft.file, draft.size, true, false)
    }

    func giveUpReplacing() { opened?.draft = nil }

    /// What is to be given to fsync(2) so that all that was written stays.
    func unsynced() -> (file: Descriptor?, directory: Descriptor?) {
        guard let opened else { return (nil, nil) }
        return (opened.draft?.file ?? opened.file, opened.isUnnamed ? opened.directory.descriptor : nil)
    }

    /// To be called when what `unsynced` named is on disk.
    func markSynced() { if !isBeingReplaced { opened?.isUnnamed = false } }

    /// Removes the file, and lets others have its name.
    func remove() {
        // Whoever opens it meanwhile waits for the lock, and then sees that it is gone.
        if let opened { try? opened.directory.remove(name) }
        opened = nil
    }

    private static func append(
        _ lines: [UInt8], to file: Descriptor, _ size: inout Int, _ path: SystemString
    ) throws(FileError) {
        let bytes = size == 0 ? RecordContent.header + lines : lines
        do throws(FileError) {
            try file.writeAll(path, bytes)
            size += bytes.count
        } catch {
            // Half a line would spoil the one that comes behind it.
            ftruncate(file.number, size)
            throw error
        }
    }
}

extension PairRecord {
    /// The file, locked; what is none of the user's own files is moved out of its way.
    private func open() throws -> Opened {
        if let opened { return opened }
        let directory = try OwnDirectory(making: folder, forbidding: Self.forbidden)
        for _ in 1...Self.mostAttempts {
            let isNew = !directory.has(name)
            guard let (file, facts) = try ownFile(in: directory) else { continue }
            try file.lock(path)
            // Another process may have replaced or removed it before this one had the lock.
            guard directory.has(name, facts) else { continue }
            let opened = Opened(
                directory: directory, file: file, size: Int(facts.st_size), isUnnamed: isNew)
            self.opened = opened
            return opened
        }
        throw FileError.noFile(path: path)
    }

    /// nil where something else was in its place, and is set aside now.
    private func ownFile(in directory: OwnDirectory) throws(FileError) -> (Descriptor, stat)? {
        do throws(FileError) {
            // A fifo would wait for its reader.
            let file = try directory.create(name, O_RDWR | O_APPEND | O_NONBLOCK, mode: 0o600)
            let facts = try file.check(path, forbidding: Self.forbidden)
            if facts.st_mode & S_IFMT == S_IFREG { return (file, facts) }
            try setAside(in: directory, because: "is no regular file")
        } catch {
            guard let reason = error.refusal else { throw error }
            try setAside(in: directory, because: reason)
        }
        return nil
    }

    private func setAside(in directory: OwnDirectory, because reason: String) throws(FileError) {
        let kept = directory.freeName(like: "\(name).bad")
        try directory.rename(name, to: kept)
        tell(kept: directory.path(of: kept), because: reason)
    }

    /// Keeps the file as it is under another name, too.
    private func keepCopy(in directory: OwnDirectory) throws(FileError) {
        let kept = directory.freeName(like: "\(name).bad")
        try directory.link(name, as: kept)
        opened?.hasCopy = true
        tell(kept: directory.path(of: kept), because: "makes no sense, or not all of it")
    }

    private func tell(kept: SystemString, because reason: String) {
        problems.append(
            "'\(path)' \(reason): it is kept as '\(kept)'; see there what may have to be undone by hand")
    }
}

extension FileError {
    /// Why a file is none that xphase made; nil for a fault that has nothing to do with what is there.
    fileprivate var refusal: String? {
        switch self {
        case .foreign: "belongs to another user"
        case .exposed: "is open to others, who may have changed it"
        case .failed(_, let error) where [ELOOP, EISDIR, ENXIO, EACCES, EPERM].contains(error.code):
            "is no file of yours (\(error))"
        default: nil
        }
    }
}

extension OwnDirectory {
    fileprivate func has(_ name: SystemString) -> Bool {
        faccessat(descriptor.number, name.cString, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether a name is that of a certain file.
    fileprivate func has(_ name: SystemString, _ file: stat) -> Bool {
        var facts = stat()
        return fstatat(descriptor.number, name.cString, &facts, AT_SYMLINK_NOFOLLOW) == 0
            && facts.st_ino == file.st_ino && facts.st_dev == file.st_dev
    }

    /// A name that no file has: this one, or one with a number behind it.
    fileprivate func freeName(like name: SystemString) -> SystemString {
        var (free, number) = (name, 1)
        while has(free) {
            number += 1
            free = "\(name).\(number)"
        }
        return free
    }
}
