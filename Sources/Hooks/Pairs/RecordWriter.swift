import Glibc
import System

/// Writes to the record, and has the disk take it without waiting for that.
///
/// Writes are numbered. A failed one leaves the record outdated: the next write replaces it.
final class RecordWriter {
    /// What became of all writes up to a number.
    enum Answer {
        case synced(upTo: Int)
        /// `isNews`: the write before it had not failed.
        case failed(upTo: Int, any Error, isNews: Bool)
    }

    /// The record is replaced when it has more bytes than this and four times those of what is still owed.
    private static let slack = 64 << 10

    let record: PairRecord
    private let loop: EventLoop?
    private var thread: SyncThread?
    /// How many bytes the lines of all that is owed have.
    private var owedSize = 0
    /// The record has something else than what is owed.
    private var isOutdated = false
    /// How many writes there were, how many are on disk, and how many will be with the present request.
    private var (written, synced, requested) = (0, 0, 0)
    private var isDraftRequested = false
    /// A write has failed since the request: its answer says nothing about what is to be on disk.
    private var isRequestStale = false
    /// The last write failed.
    private(set) var hasFailed = false

    init(_ record: PairRecord, loop: EventLoop?) {
        self.record = record
        self.loop = loop
    }

    var isBusy: Bool { thread?.isBusy ?? false }
    var answers: Int32? { thread?.answers.number }

    /// What an earlier process left behind; the first write replaces it.
    func read() throws -> [RecordedPair] {
        let pairs = try record.read()
        isOutdated = record.size > 0
        return pairs
    }

    /// Whether the record is to be replaced by one with what is still owed alone.
    func isLong(owedSize: Int) -> Bool {
        record.size > Self.slack + 4 * owedSize && !record.isBeingReplaced
    }

    /// Writes lines, or all that is owed where that is better.
    ///
    /// - Parameter owedSize: How many bytes `all` will return.
    /// - Returns: The number of the write.
    func write(_ lines: [UInt8], owedSize: Int, all: () throws -> [UInt8]) throws -> Int {
        guard isOutdated || !lines.isEmpty else { return written }
        self.owedSize = owedSize
        do {
            if owedSize == 0 && !record.isBeingReplaced {
                if record.size > 0 { try record.clear() }
            } else if isOutdated && !record.isBeingReplaced || isLong(owedSize: owedSize) {
                try record.replace(with: all())
            } else {
                try record.append(lines)
            }
            isOutdated = false
            written += 1
            try requestSync()
        } catch {
            fail()
            throw error
        }
        return written
    }

    /// Writes lines that a loss of power may take away.
    ///
    /// - Throws: Unless the write before it had failed, too.
    func appendUnsynced(_ lines: [UInt8]) throws {
        if isOutdated { return }
        let hadFailed = hasFailed
        do {
            try record.append(lines)
        } catch {
            fail()
            if !hadFailed { throw error }
        }
    }

    /// Writes lines that a loss of power may take away, but nothing else.
    ///
    /// - Throws: Where they are not in the file now.
    func appendForCertain(_ lines: [UInt8]) throws {
        if isOutdated { throw FileError.failed(path: record.path, SystemError("write", EIO)) }
        do {
            try record.append(lines)
        } catch {
            fail()
            throw error
        }
    }

    /// Has the disk take what was appended.
    ///
    /// - Returns: The number that an answer will name.
    func sync() throws -> Int {
        written += 1
        do {
            try requestSync()
        } catch {
            fail()
            throw error
        }
        return written
    }

    /// What the disk has taken, or not; nil while it has not answered.
    func takeAnswer() -> Answer? {
        let isNews = !hasFailed
        do {
            guard let answer = thread?.takeAnswers().first else { return nil }
            if let answer { throw answer }
            if !isRequestStale { try finishRequest() }
            try requestSync()
        } catch {
            fail()
            synced = written
            return .failed(upTo: written, error, isNews: isNews)
        }
        return .synced(upTo: synced)
    }

    private func fail() {
        isRequestStale = isBusy
        record.giveUpReplacing()
        (isOutdated, hasFailed) = (true, true)
    }

    private func requestSync() throws {
        guard synced < written, !isBusy else { return }
        if thread == nil { try startThread() }
        (requested, isDraftRequested, isRequestStale) = (written, record.isBeingReplaced, false)
        let (file, directory) = record.unsynced()
        thread?.sync(file: file, directory: directory)
    }

    private func startThread() throws {
        let thread = try SyncThread()
        loop?.watch(thread.answers.number)
        self.thread = thread
    }

    private func finishRequest() throws {
        if isDraftRequested {
            try record.finishReplacing()
            // All of it may have been left meanwhile.
            if owedSize == 0 { try record.clear() }
            // Its new name is still to be on disk.
            return
        }
        record.markSynced()
        synced = requested
        hasFailed = false
    }
}
