import Synchronization
import System

/// Writes the files of a journal, on a thread of its own. What is submitted is done in that order.
final class JournalDisk {
    /// What came of an operation that was submitted.
    enum News: Hashable, Sendable {
        /// With its number, and why the disk has not taken the end of the file before.
        case opened(Int, fault: String?)
        case synced
        /// The file of this number was removed by somebody: a new one is wanted.
        case removed(Int)
        case failed(String)
    }

    /// How many operations may wait for a disk that does not answer.
    private static let mostWaiting = 4096

    private let files: JournalFiles
    private let file = OpenFile()
    /// How many files were to be opened, which is the number of the last one.
    private(set) var openings = 0
    /// nil for a test, which waits for each operation.
    private let thread: DiskThread<News>?

    private final class OpenFile: Sendable {
        let state = Mutex<JournalFile?>(nil)
    }

    init(_ files: JournalFiles, _ thread: DiskThread<News>?) { (self.files, self.thread) = (files, thread) }

    /// Readable when there are news.
    var answers: Int32? { thread?.answers.number }

    func takeNews() -> [News] { thread?.takeAnswers() ?? [] }

    /// Waits for all that was submitted, at most so long.
    func finish(within limit: Duration) { thread?.finish(within: limit) }

    /// Begins the file of a day, and has the disk take the file before. Answered by `opened` or `failed`.
    ///
    /// - Parameter spare: How many files older than `days` are removed, for a disk that is full.
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

    /// Answered only where it fails. Lines behind that are dropped, until a file is opened.
    func append(_ lines: [UInt8]) -> News? {
        submit { file in
            try file?.append(lines)
            return nil
        }
    }

    /// Has the disk take what was written. Answered by `synced`, `removed` or `failed`.
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
        if thread.waiting >= Self.mostWaiting { return .failed("its disk does not answer") }
        thread.submit(isDone)
        return nil
    }
}
