import Glibc
import Loop
import PhaseWatch

/// The `leave`s that are owed, in memory and in the record.
///
/// An `enter` runs only when the disk has its line: `write` gives the number of what is to be on disk, and
/// `takeAnswer` says up to which number it is. Nothing else waits for the disk.
final class OwedLeaves {
    private struct Debt {
        let number: Int
        var pair: PairEntry
        var started: RecordedPair.StartedPart?
        /// How many bytes its lines have.
        var size = 0
    }

    /// What became of the writes up to a number.
    enum Answer {
        case synced(upTo: Int)
        /// `isNews`: the write before it had not failed.
        case failed(upTo: Int, any Error, isNews: Bool)
    }

    /// The lines of what is owed may have so many bytes.
    private static let limit = 12 << 20
    /// The file is replaced when it has more than this and four times what is still owed.
    private static let slack = 64 << 10

    /// nil where nothing can be owed.
    private let record: PairRecord?
    private let loop: EventLoop?
    private let bootID = Boot.id() ?? ""
    private var debts: [Job.Key: Debt] = [:]
    private var lastNumber = 0
    /// How many bytes the lines of what is owed have.
    private var size = 0
    /// Lines that the file does not have yet.
    private var lines: [UInt8] = []
    /// The file has something else than what is owed, and is to be replaced.
    private var isOutdated = false
    /// What an earlier process left behind is known.
    private(set) var isRestored: Bool
    private var thread: SyncThread?
    /// How many writes there were, how many are on disk, and how many will be with the present request.
    private var (written, synced, requested) = (0, 0, 0)
    private var isDraftRequested = false
    /// What was requested is no longer what is wanted on disk.
    private var isRequestStale = false
    /// The last write failed, which has been told.
    private var hasFailed = false

    /// - Parameter loop: Told of the descriptor that is readable when the disk has something; `answers` else.
    init(_ record: PairRecord?, loop: EventLoop? = nil) {
        self.record = record
        self.loop = loop
        isRestored = record == nil
    }

    /// Whether an `enter` has to wait until it is on disk.
    var isRecorded: Bool { record != nil }
    /// The disk has still to take something.
    var isBusy: Bool { thread?.isBusy ?? false }
    /// Readable when there is an answer to take.
    var answers: Int32? { thread?.answers.number }

    /// What was set aside since the last call.
    func takeProblems() -> [String] { record?.takeProblems() ?? [] }

    /// What an earlier process owes, and which of it still runs.
    func restore(time: Timestamp) throws -> [(job: Job, started: RecordedPair.StartedPart?)] {
        guard let record, !isRestored else { return [] }
        let pairs = try record.read()
        isRestored = true
        isOutdated = record.size > 0
        for pair in pairs { try insert(Job(pair.entry, time: time), pair) }
        lines = []
        try write()
        return pairs.map { pair in
            (Job(pair.entry, time: time), pair.entry.bootID == bootID ? pair.started : nil)
        }
    }

    /// Notes an `enter` that is about to run.
    func add(_ job: Job, _ processes: HookVariables.Processes) throws {
        guard isRecorded else { return }
        try insert(job, RecordedPair(entry: entry(for: job, processes)))
    }

    /// Writes down as which process a part of a pair runs. The disk need not have it: a process does not outlive the
    /// system.
    ///
    /// - Throws: Where it cannot be written, unless that has been told.
    func setStarted(_ job: Job, _ process: ProcessIdentity) throws {
        guard let debt = debts[job.key] else { return }
        let bytes = try RecordLine.started(number: debt.number, part: job.part, process: process).bytes()
        debts[job.key]?.started = RecordedPair.StartedPart(part: job.part, process: process)
        grow(job.key, by: bytes)
        if isOutdated { return }
        let hadFailed = hasFailed
        do {
            try record?.append(lines)
            lines = []
        } catch {
            fail()
            if !hadFailed { throw error }
        }
    }

    /// Nothing is owed for a pair any longer.
    func remove(_ job: Job) {
        guard let debt = debts.removeValue(forKey: job.key) else { return }
        size -= debt.size
        lines += (try? RecordLine.done(number: debt.number).bytes()) ?? []
    }

    /// Writes what has changed since the last call, and has the disk take it.
    ///
    /// - Returns: The number that an answer will name.
    /// - Throws: Where it cannot be written; it is tried again with the next change.
    @discardableResult
    func write() throws -> Int {
        guard let record, isRestored, isOutdated || !lines.isEmpty else { return written }
        do {
            try write(to: record)
            (lines, isOutdated) = ([], false)
            written += 1
            try requestSync()
        } catch {
            fail()
            throw error
        }
        return written
    }

    /// The same, for what nobody waits for: a failure is told once.
    func writeUnawaited() throws {
        let hadFailed = hasFailed
        do { try write() } catch { if !hadFailed { throw error } }
    }

    private func write(to record: PairRecord) throws {
        if debts.isEmpty && !record.isBeingReplaced {
            if record.size > 0 { try record.clear() }
        } else if (isOutdated || record.size > Self.slack + 4 * size) && !record.isBeingReplaced {
            try record.replace(with: try allLines())
        } else {
            try record.append(lines)
        }
    }

    private func fail() {
        isRequestStale = isBusy
        record?.giveUpReplacing()
        (lines, isOutdated, hasFailed) = ([], true, true)
    }

    private func requestSync() throws {
        guard let record, synced < written, !isBusy else { return }
        let thread = try self.thread ?? startThread()
        (requested, isDraftRequested, isRequestStale) = (written, record.isBeingReplaced, false)
        let (file, directory) = record.unsynced()
        thread.request(file: file, directory: directory)
    }

    private func startThread() throws -> SyncThread {
        let thread = try SyncThread()
        loop?.watch(thread.answers.number)
        self.thread = thread
        return thread
    }

    /// What the disk has taken, or not; nil while it says nothing.
    func takeAnswer() -> Answer? {
        guard let result = thread?.answer() else { return nil }
        let isNews = !hasFailed
        do {
            try result.get()
            if !isRequestStale { try finishRequest() }
            try requestSync()
        } catch {
            fail()
            synced = written
            return .failed(upTo: written, error, isNews: isNews)
        }
        return .synced(upTo: synced)
    }

    private func finishRequest() throws {
        // Its new name is still to be on disk.
        if isDraftRequested { return try record?.finishReplacing() ?? () }
        record?.isSynced()
        synced = requested
        hasFailed = false
    }

    /// Removes the record if nothing is owed. The last call.
    func close() {
        if isRestored && debts.isEmpty && lines.isEmpty && !isOutdated && !isBusy { record?.remove() }
    }

    /// For a `leave`: those processes of its `enter` that still live. nil for other jobs.
    func processes(for job: Job) -> HookVariables.Processes? {
        guard job.part == .leave, let pair = debts[job.key]?.pair else { return nil }
        guard pair.bootID == bootID else { return HookVariables.Processes() }
        return HookVariables.Processes(
            of: pair.processes.filter(\.isAlive).compactMap { ProcessFacts(pid: $0.pid) })
    }
}

extension OwedLeaves {
    private func insert(_ job: Job, _ pair: RecordedPair) throws {
        remove(job)
        let number = lastNumber + 1
        let bytes = try Self.lines(number, pair.entry, pair.started)
        if let record, size + bytes.count > Self.limit {
            throw FileError.tooLarge(path: record.path, limit: Self.limit)
        }
        lastNumber = number
        debts[job.key] = Debt(number: number, pair: pair.entry, started: pair.started)
        grow(job.key, by: bytes)
    }

    private func grow(_ key: Job.Key, by bytes: [UInt8]) {
        lines += bytes
        size += bytes.count
        debts[key]?.size += bytes.count
    }

    private func allLines() throws -> [UInt8] {
        try debts.values.sorted { $0.number < $1.number }.flatMap {
            try Self.lines($0.number, $0.pair, $0.started)
        }
    }

    private static func lines(
        _ number: Int, _ pair: PairEntry, _ started: RecordedPair.StartedPart?
    ) throws -> [UInt8] {
        let line = try RecordLine.owed(number: number, pair: pair).bytes()
        guard let started else { return line }
        return try line
            + RecordLine.started(number: number, part: started.part, process: started.process).bytes()
    }

    private func entry(for job: Job, _ processes: HookVariables.Processes) -> PairEntry {
        var leaving = job
        leaving.part = .leave
        return PairEntry(
            hook: job.hook.name, leave: leaving.program.arguments,
            timeoutMilliseconds: Int(job.hook.timeout.milliseconds), change: job.occasion.change,
            processes: processes.pids.compactMap { ProcessIdentity(pid: $0) }, bootID: bootID)
    }
}

extension Job {
    /// The `enter` that an entry tells of.
    fileprivate init(_ entry: PairEntry, time: Timestamp) {
        let leave = Program.arguments(entry.leave)
        let phases = Set([entry.change.to].compactMap(\.self))
        var hook = Hook(name: entry.hook, reaction: .pair(while: phases, enter: leave, leave: leave))
        hook.condition.level = entry.change.level
        hook.timeout = .milliseconds(entry.timeoutMilliseconds)
        self.init(hook: hook, part: .enter, occasion: Occasion(change: entry.change, time: time))
    }
}

extension HookVariables.Processes {
    init(of facts: [ProcessFacts]) {
        let units = Set(facts.map(\.unit))
        self.init(
            pids: facts.map(\.identity.pid), unit: units.count == 1 ? units.first.flatMap(\.self) : nil)
    }
}
