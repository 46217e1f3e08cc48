import Synchronization
import System

/// A writer of the files of a journal on a separate thread. Operations run in the order of submission.
final class JournalDisk {
    /// The result of a submitted operation.
    enum News: Hashable, Sendable {
        /// The number of the opened file, and why the end of the previous file could not be synced.
        case opened(Int, fault: String?)
        case synced
        /// The file of this number was removed by another program: a new one is needed.
        case removed(Int)
        case failed(String)
    }

    /// The maximum number of operations that may wait for a disk that does not respond.
    private static let mostWaiting = 4096

    private let files: JournalFiles
    private let file = OpenFile()
    /// The number of files requested so far, which is the number of the last one.
    private(set) var openings = 0
    /// nil in tests, which wait for each operation.
    private let thread: DiskThread<News>?

    private final class OpenFile: Sendable {
        let state = Mutex<JournalFile?>(nil)
    }

    init(_ files: JournalFiles, _ thread: DiskThread<News>?) { (self.files, self.thread) = (files, thread) }

    /// Readable when there is news.
    var answers: Int32? { thread?.answers.number }

    func takeNews() -> [News] { thread?.takeAnswers() ?? [] }

    /// Waits for all submitted operations, for at most `limit`.
    func finish(within limit: Duration) { thread?.finish(within: limit) }

    /// Opens the file of a day, and syncs the previous file. Answered by `opened` or `failed`.
    ///
    /// - Parameter spare: The maximum number of files older than `days` to remove, in case the disk is full.
    func open(_ date: String, beginning lines: [UInt8], removing spare: Int, olderThan days: Int) -> News? {
        openings += 1
        return submit { [files, openings] file in
            var fault: String?
            do throws(SystemError) { try file?.sync() } catch { fault = "\(error)" }
            file = nil
            var new = try JournalFile(of: date, in: files)
            files.remove(spare, olderThan: days, before: date)
            try new.append(lines)
            file = new
            return .opened(openings, fault: fault)
        }
    }

    /// Appends lines. Answered only on failure; then, lines are dropped until a file is opened.
    func append(_ lines: [UInt8]) -> News? {
        submit { file in
            try file?.append(lines)
            return nil
        }
    }

    /// Syncs the written lines to disk. Answered by `synced`, `removed` or `failed`.
    func sync() -> News? {
        submit { [openings] file in
            if file?.isRemoved == true { return .removed(openings) }
            try file?.sync()
            return .synced
        }
    }

    private func submit(
        _ operation: @escaping @Sendable (inout JournalFile?) throws -> News?
    ) -> News? {
        let isDone = { @Sendable [file] in
            file.state.withLock { file -> News? in
                do {
                    return try operation(&file)
                } catch {
                    file = nil
                    return .failed("\(error)")
                }
            }
        }
        guard let thread else { return isDone() }
        if thread.waiting >= Self.mostWaiting { return .failed("its disk does not respond") }
        thread.submit(isDone)
        return nil
    }
}
