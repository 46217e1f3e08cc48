import Console
import Glibc
import Synchronization
import System

/// A writer of the files of a journal on a separate thread. Operations run in the order of submission.
package final class JournalDisk {
    package enum News: Hashable, Sendable {
        /// The file of a day was opened, and the lines were written.
        case opened
        /// Another program has removed the file. Lines are dropped until a fresh start.
        case removed
        /// Lines are dropped until a fresh start.
        case failed(String)
    }

    private struct State {
        /// nil before the start, and after a failure.
        var file: JournalFile?
        /// The day of the last file.
        var date = ""
        /// The age above which files were removed then.
        var days = Int.max

        /// Closes a file that another program has removed, alone or with its directory; returns whether it did.
        mutating func dropsRemovedFile() -> Bool {
            guard let file, file.isRemoved else { return false }
            self.file = nil
            return true
        }
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// The maximum number of operations that may wait for a disk that does not respond.
    private static let mostWaiting = 4096

    private let files: JournalFiles
    private let shared = Shared()
    /// nil in tests, in which each operation is done at once.
    private let thread: DiskQueue<News>?

    init(_ files: JournalFiles, _ thread: DiskQueue<News>?) { (self.files, self.thread) = (files, thread) }

    /// Readable when there is news.
    var answers: Int32? { thread?.answers.number }

    func takeNews() -> [News] { thread?.takeAnswers() ?? [] }

    /// Waits for all submitted operations, for at most `limit`.
    func finish(within limit: Duration) { thread?.finish(within: limit) }

    /// Appends lines to the file of a day. For a new day, syncs the previous file and removes files that are older than
    /// `days`, before it needs room for another; also after a start with fewer `days`.
    func write(_ lines: [UInt8], to date: String, isFresh: Bool, keeping days: Int) -> News? {
        submit { [files] state in
            LocalTime.followZone()
            let isNew = isFresh || state.file != nil && state.date != date
            if isNew {
                // What the disk has lost of the former file does not keep the next one from being written.
                try? state.file?.sync()
                if state.date != date || days < state.days { files.remove(olderThan: days, before: date) }
                state = State(file: try JournalFile(of: date, in: files), date: date, days: days)
            }
            if state.dropsRemovedFile() { return .removed }
            try state.file?.append(lines)
            return isNew ? .opened : nil
        }
    }

    /// Syncs the written lines to disk.
    func sync() -> News? {
        submit { state in
            if state.dropsRemovedFile() { return .removed }
            try state.file?.sync()
            return nil
        }
    }

    private func submit(_ operation: @escaping @Sendable (inout State) throws -> News?) -> News? {
        let perform = { @Sendable [shared] in
            shared.state.withLock { state -> News? in
                do {
                    return try operation(&state)
                } catch {
                    state.file = nil
                    return .failed("\(error)")
                }
            }
        }
        guard let thread else { return perform() }
        if thread.waiting >= Self.mostWaiting { return .failed("its disk does not respond") }
        thread.submit(perform)
        return nil
    }
}

/// The file of one day, open for appending.
private struct JournalFile {
    private let descriptor: Descriptor
    /// The directory of the file.
    private let directory: Descriptor
    private let path: SystemString
    /// Whether the next lines need a newline before them, because the file may end with an incomplete line.
    private var isTorn: Bool

    /// Opens the file; creates it if it is missing.
    init(of date: String, in files: JournalFiles) throws(SystemError) {
        let directory = try OwnDirectory(making: files.path, forbidding: 0o077)
        let name: SystemString = "\(date)\(JournalFiles.suffix)"
        path = directory.path(of: name)
        self.directory = directory.descriptor
        // Without O_NONBLOCK, a FIFO would wait for its reader.
        descriptor = try directory.create(name, O_WRONLY | O_APPEND | O_NONBLOCK, mode: 0o600)
        let facts = try descriptor.check(path, forbidding: 0o077)
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .noFile(path: path) }
        isTorn = facts.st_size > 0
    }

    /// Whether no directory entry leads to the file any more.
    var isRemoved: Bool {
        var facts = stat()
        return fstat(descriptor.number, &facts) == 0 && facts.st_nlink == 0
    }

    /// Writes whole lines at once, so lines of other writers to the same file come between them.
    mutating func append(_ lines: [UInt8]) throws(SystemError) {
        try descriptor.writeAll(path, isTorn ? [UInt8(ascii: "\n")] + lines : lines)
        isTorn = false
    }

    /// Makes the file and its name survive a power loss.
    func sync() throws(SystemError) {
        try SystemError.check("fsync", fsync(descriptor.number), path: path)
        // Some file systems, such as vboxsf, do not support fsync(2) on directories.
        try SystemError.check("fsync", fsync(directory.number), path: path, unless: EINVAL)
    }
}
