import Glibc
import PhaseWatch
import System

/// The `leave`s that are owed, in memory and in the record.
///
/// An `enter` runs only when the disk has its line: `write` gives the number of what is to be on disk, and
/// `takeAnswer` says up to which number it is. Nothing else waits for the disk.
final class OwedLeaves {
    private struct Entry {
        let number: Int
        var pair: PairEntry
        var started: RecordedPair.StartedPart?
        var holds: [Hold] = []
        var isEnding = false
        /// How many bytes its lines have, and the last of them that tells of holds.
        var size = 0
        var heldSize = 0
    }

    /// When the lines of what is owed have so many bytes, no `enter` is added.
    private static let limit = 12 << 20

    /// nil where nothing can be owed.
    private let writer: RecordWriter?
    private let bootID = Boot.id() ?? ""
    private var entries: [Job.Key: Entry] = [:]
    private var lastNumber = 0
    /// How many bytes the lines of what is owed have.
    private var size = 0
    /// Lines that the writer does not have yet.
    private var lines: [UInt8] = []
    /// What an earlier process left behind is known.
    private(set) var isRestored: Bool

    /// - Parameter loop: Waits for `answers`.
    init(_ record: PairRecord?, loop: EventLoop? = nil) {
        writer = record.map { RecordWriter($0, loop: loop) }
        isRestored = record == nil
    }

    /// Whether an `enter` has to wait until it is on disk.
    var isRecorded: Bool { writer != nil }
    /// Where that is; nil where nothing can be owed.
    var record: PairRecord? { writer?.record }
    /// The disk has still to take something.
    var isBusy: Bool { writer?.isBusy ?? false }
    /// Readable when there is an answer to take.
    var answers: Int32? { writer?.answers }

    /// What was set aside since the last call.
    func takeProblems() -> [String] { writer?.record.takeProblems() ?? [] }

    /// What the disk has taken, or not; nil while it has not answered.
    func takeAnswer() -> RecordWriter.Answer? { writer?.takeAnswer() }

    /// What an earlier process owes, and which of it still runs.
    func restore(time: Timestamp) throws -> [(job: Job, started: RecordedPair.StartedPart?)] {
        guard let writer, !isRestored else { return [] }
        let pairs = try writer.read()
        isRestored = true
        for pair in pairs { try insert(Job(pair.entry, time: time), pair) }
        // The record is replaced as a whole.
        lines = []
        return pairs.map { pair in
            (Job(pair.entry, time: time), pair.entry.bootID == bootID ? pair.started : nil)
        }
    }

    /// Adds an `enter` that is about to run.
    func add(_ job: Job, _ processes: HookVariables.Processes) throws {
        guard isRecorded else { return }
        if let writer, size > Self.limit {
            throw FileError.tooLarge(path: writer.record.path, limit: Self.limit)
        }
        try insert(job, RecordedPair(entry: entry(for: job, processes)))
    }

    /// Writes down as which process a part of a pair runs. The disk need not have it: a process does not outlive the
    /// system.
    ///
    /// - Throws: Where it cannot be written, unless that has been told.
    func setStarted(_ job: Job, _ process: ProcessIdentity) throws {
        guard let entry = entries[job.key] else { return }
        let bytes = try RecordLine.started(number: entry.number, part: job.part, process: process).bytes()
        entries[job.key]?.started = RecordedPair.StartedPart(part: job.part, process: process)
        grow(job.key, by: bytes)
        try writer?.appendUnsynced(lines)
        lines = []
    }

    /// What is built in has done for a pair, or is about to do.
    func holds(of job: Job) -> [Hold] {
        guard let entry = entries[job.key] else { return [] }
        return RecordedPair(entry: entry.pair, holds: entry.holds).holds(in: bootID)
    }

    /// Writes down what is about to be done, or what is left of it. The disk need not have it, since a loss of power ends all
    /// of it but for what a sound server remembers: see `sync`.
    ///
    /// - Parameter isEnding: It is being undone from now on.
    /// - Throws: Where it cannot be written; then it must not be done.
    func setHolds(_ holds: [Hold], of job: Job, isEnding: Bool = false) throws {
        guard let writer, let entry = entries[job.key] else { throw NoRecord() }
        let bytes = try RecordLine.held(number: entry.number, holds: holds, isEnding: isEnding).bytes()
        try writer.appendForCertain(lines + bytes)
        lines = []
        entries[job.key]?.holds = holds
        entries[job.key]?.isEnding = isEnding
        let growth = bytes.count - entry.heldSize
        entries[job.key]?.size += growth
        entries[job.key]?.heldSize = bytes.count
        size += growth
        // What is woken every few seconds has a line each time.
        if writer.isLong(owedSize: size) { _ = try writer.write(bytes, owedSize: size, all: allLines) }
    }

    /// Has the disk take what `setHolds` has written.
    ///
    /// - Returns: The number that an answer will name.
    func sync() throws -> Int { try writer?.sync() ?? 0 }

    /// Nothing is owed for a pair any longer.
    func remove(_ job: Job) {
        guard let entry = entries.removeValue(forKey: job.key) else { return }
        size -= entry.size
        lines += (try? RecordLine.done(number: entry.number).bytes()) ?? []
    }

    /// Writes what has changed since the last call, and has the disk take it.
    ///
    /// - Returns: The number that an answer will name.
    /// - Throws: Where it cannot be written; it is tried again with the next change.
    @discardableResult
    func write() throws -> Int {
        guard let writer, isRestored else { return 0 }
        defer { lines = [] }
        return try writer.write(lines, owedSize: size, all: allLines)
    }

    /// The same, for what nobody waits for: a failure is thrown once.
    func writeUnawaited() throws {
        let hadFailed = writer?.hasFailed ?? false
        do { try write() } catch { if !hadFailed { throw error } }
    }

    /// Removes the record if nothing is owed. The last call.
    func close() {
        if isRestored && entries.isEmpty { writer?.record.remove() }
    }

    /// For a `leave`: those processes of its `enter` that still live. nil for other jobs.
    func processes(for job: Job) -> HookVariables.Processes? {
        guard job.part == .leave, let pair = entries[job.key]?.pair else { return nil }
        guard pair.bootID == bootID else { return HookVariables.Processes() }
        return HookVariables.Processes(
            of: pair.processes.filter(\.isAlive).compactMap { ProcessFacts(pid: $0.pid) })
    }
}

extension OwedLeaves {
    private func insert(_ job: Job, _ pair: RecordedPair) throws {
        remove(job)
        let number = lastNumber + 1
        let bytes = try Self.lines(number, pair)
        lastNumber = number
        entries[job.key] = Entry(number: number, pair: pair.entry, started: pair.started, holds: pair.holds)
        if !pair.holds.isEmpty {
            entries[job.key]?.heldSize = try RecordLine.held(number: number, holds: pair.holds).bytes().count
        }
        grow(job.key, by: bytes)
    }

    private func grow(_ key: Job.Key, by bytes: [UInt8]) {
        lines += bytes
        size += bytes.count
        entries[key]?.size += bytes.count
    }

    private func allLines() throws -> [UInt8] {
        try entries.values.sorted { $0.number < $1.number }.flatMap {
            try Self.lines(
                $0.number,
                RecordedPair(entry: $0.pair, started: $0.started, holds: $0.holds, isEnding: $0.isEnding))
        }
    }

    private static func lines(_ number: Int, _ pair: RecordedPair) throws -> [UInt8] {
        var lines = [RecordLine.owed(number: number, pair: pair.entry)]
        if let started = pair.started {
            lines.append(.started(number: number, part: started.part, process: started.process))
        }
        if !pair.holds.isEmpty {
            lines.append(.held(number: number, holds: pair.holds, isEnding: pair.isEnding))
        }
        return try lines.flatMap { try $0.bytes() }
    }

    private func entry(for job: Job, _ processes: HookVariables.Processes) -> PairEntry {
        var leaving = job
        leaving.part = .leave
        return PairEntry(
            hook: job.hook.name, leave: leaving.program?.arguments.map(\.description) ?? [],
            builtIns: job.hook.builtIns.isEmpty ? nil : job.hook.builtIns,
            timeoutMilliseconds: Int(job.hook.timeout.milliseconds), change: job.trigger.change,
            processes: processes.pids.compactMap { ProcessIdentity(pid: $0) }, bootID: bootID)
    }
}

/// Nothing would undo it after a crash.
private struct NoRecord: Error, CustomStringConvertible {
    var description: String { "there is no record that it could be undone from" }
}

extension Job {
    /// The `enter` that an entry tells of.
    fileprivate init(_ entry: PairEntry, time: Timestamp) {
        let leave = entry.leave.isEmpty ? nil : Program.arguments(entry.leave.map { SystemString($0) })
        let phases = Set([entry.change.to].compactMap(\.self))
        var hook = Hook(
            name: entry.hook,
            reaction: .pair(
                Hook.Pair(phases: phases, enter: leave, leave: leave, builtIns: entry.builtIns ?? [])))
        hook.condition.level = entry.change.level
        hook.timeout = .milliseconds(entry.timeoutMilliseconds)
        self.init(hook: hook, part: .enter, trigger: HookTrigger(change: entry.change, time: time))
    }
}

extension HookVariables.Processes {
    init(of facts: [ProcessFacts]) {
        let units = Set(facts.map(\.unit))
        self.init(
            pids: facts.map(\.identity.pid), unit: units.count == 1 ? units.first.flatMap(\.self) : nil)
    }
}
