import Glibc
import PhaseWatch
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct OwedLeavesTests {
    private let folder: TemporaryFolder
    private let record: PairRecord
    private let owed: OwedLeaves
    private let job = Self.job("A")

    init() throws {
        folder = try TemporaryFolder()
        record = try Self.record(in: folder)
        owed = OwedLeaves(record)
        #expect(try owed.restore(time: .zero).isEmpty)
    }

    private static func record(in folder: TemporaryFolder) throws -> PairRecord {
        try PairRecord(display: ":7", environment: Environment(["XDG_STATE_HOME": folder.path]))
    }

    private static func job(_ application: String) -> Job {
        Job(
            hook: .pair("slow"), part: .enter,
            trigger: HookTrigger(change: .step(application, from: .active, to: .background), time: .zero))
    }

    private func leave(_ job: Job) -> Job {
        var leave = job
        leave.part = .leave
        leave.trigger = job.trigger.abandoned(at: .zero)
        return leave
    }

    private func add(_ job: Job, pids: [Int32] = []) throws -> Int {
        try owed.add(job, HookVariables.Processes(pids: pids, unit: nil))
        return try owed.write()
    }

    private func next() throws -> OwedLeaves {
        OwedLeaves(try Self.record(in: folder))
    }

    /// What the next start would find.
    private func recorded() throws -> [RecordedPair] { try Self.record(in: folder).read() }

    /// Takes answers until there are none to come.
    private func finish() throws -> [RecordWriter.Answer] {
        var answers: [RecordWriter.Answer] = []
        while owed.isBusy {
            var request = pollfd(fd: try #require(owed.answers), events: Int16(POLLIN), revents: 0)
            try #require(poll(&request, 1, 20_000) == 1)
            if let answer = owed.takeAnswer() { answers.append(answer) }
        }
        return answers
    }

    private func lastSynced(_ answers: [RecordWriter.Answer]) -> Int? {
        if case .synced(let number)? = answers.last { number } else { nil }
    }

    @Test func theDiskAnswersWhatHasBeenWritten() throws {
        let write = try add(job)
        #expect(owed.isBusy)
        #expect(try recorded().map(\.entry.hook) == ["slow"])
        #expect(lastSynced(try finish()) == write)
        owed.remove(job)
        try owed.write()
        #expect(try recorded().isEmpty)
        #expect(lastSynced(try finish()) == write + 1)
        owed.close()
        #expect(try folder.names(in: "xphase").isEmpty)
    }

    @Test func whatIsWrittenWhileTheDiskIsBusyIsAnsweredNext() throws {
        let first = try add(job)
        let second = try add(Self.job("B"))
        #expect(second == first + 1)
        let numbers = try finish().map { if case .synced(let number) = $0 { number } else { -1 } }
        #expect(numbers == [first, second])
    }

    /// Only what asks for it waits for the disk, and others see what is being undone.
    @Test func whatHoldsIsOnDiskWhereThatIsAskedFor() throws {
        let write = try add(job)
        #expect(lastSynced(try finish()) == write)
        let hold = Hold.frozen(path: "/a")
        try owed.setHolds([hold], of: job)
        #expect(!owed.isBusy)
        #expect(try owed.sync() == write + 1 && owed.isBusy)
        #expect(lastSynced(try finish()) == write + 1)
        try owed.setHolds([hold], of: job, isEnding: true)
        #expect(try recorded().map(\.isEnding) == [true] && recorded().map(\.holds) == [[hold]])
        try owed.setHolds([hold], of: job)
        #expect(try recorded().map(\.isEnding) == [false])
    }

    @Test func theNextStartKnowsIt() throws {
        _ = try add(job)
        let next = try next()
        let restored = try #require(try next.restore(time: .zero).first)
        #expect(restored.job.key == job.key && restored.started == nil)
        #expect(leave(restored.job).program == .arguments(["leave"]))
        #expect(restored.job.hook.timeout == .seconds(30))
        next.remove(job)
        try next.write()
        #expect(try recorded().isEmpty)
    }

    @Test func whatIsLeftWhileTheRecordIsReplacedIsGoneFromIt() throws {
        _ = try add(job)
        _ = try finish()
        let next = try next()
        #expect(try next.restore(time: .zero).count == 1)
        try next.write()
        next.remove(job)
        try next.write()
        while next.isBusy {
            var request = pollfd(fd: try #require(next.answers), events: Int16(POLLIN), revents: 0)
            try #require(poll(&request, 1, 20_000) == 1)
            _ = next.takeAnswer()
        }
        #expect(try folder.text(of: "xphase/pairs-:7.log").isEmpty)
    }

    @Test func theNextStartKnowsWhatStillRuns() throws {
        _ = try add(job)
        let sleeper = try Child("sleep", ["60"], package: "coreutils")
        let process = try #require(ProcessIdentity(pid: sleeper.pid))
        try owed.setStarted(job, process)
        let started = try #require(try next().restore(time: .zero).first?.started)
        #expect(started == RecordedPair.StartedPart(part: .enter, process: process))
        let program = try #require(
            RunningProgram(following: started.process, timeout: .seconds(30), at: .zero))
        try sleeper.end()
        #expect(waitUntil { RunningProgram(following: process, timeout: .zero, at: .zero) == nil })
        #expect(program.isOver(at: .zero) && program.reap() == .exited(0))
    }

    @Test func ofItsProcessesOnlyThoseAreToldThatStillLive() throws {
        _ = try add(job, pids: [getpid(), 1 << 30])
        #expect(owed.processes(for: leave(job))?.pids == [getpid()])
        #expect(owed.processes(for: job) == nil)
    }

    @Test func whatAnotherBootKnewMeansNothing() throws {
        _ = try add(job, pids: [getpid()])
        try owed.setStarted(job, try #require(ProcessIdentity(pid: getpid())))
        var pair = try #require(try recorded().first)
        pair.entry.bootID = "another"
        let record = try Self.record(in: folder)
        try record.append(
            RecordLine.done(number: 1).bytes() + RecordLine.owed(number: 2, pair: pair.entry).bytes())
        let next = try next()
        let restored = try #require(try next.restore(time: .zero).first)
        #expect(restored.started == nil)
        #expect(next.processes(for: leave(restored.job))?.pids == [])
    }

    @Test func theRecordDoesNotGrowForEver() throws {
        _ = try add(Self.job("kept"))
        for number in 1...500 {
            _ = try add(Self.job("\(number)"))
            owed.remove(Self.job("\(number)"))
            try owed.write()
            _ = owed.takeAnswer()
        }
        let write = try add(Self.job("last"))
        #expect(lastSynced(try finish()) == write)
        #expect(try recorded().map(\.entry.change.application) == ["kept", "last"])
        #expect(try folder.text(of: "xphase/pairs-:7.log").utf8.count < 128 << 10)
        #expect(try folder.names(in: "xphase") == ["pairs-:7.log"])
    }

    @Test func whatCannotBeWrittenIsToldOnceAndWrittenLater() throws {
        _ = try add(job)
        _ = try finish()
        // The disk is full, and a new file cannot take the place of the old one.
        let full = open("/dev/full", O_WRONLY)
        dup2(full, try #require(record.unsynced().file?.number))
        close(full)
        mkdir(folder("xphase/pairs-:7.log.new"), 0o700)
        #expect(throws: FileError.self) { try add(Self.job("B")) }
        owed.remove(Self.job("B"))
        try owed.writeUnawaited()
        #expect(try recorded().map(\.entry.change.application) == ["A"])
        rmdir(folder("xphase/pairs-:7.log.new"))
        let write = try add(Self.job("C"))
        #expect(lastSynced(try finish()) == write)
        #expect(try recorded().map(\.entry.change.application) == ["A", "C"])
    }

    @Test func whatCannotBeReadYetIsReadLater() throws {
        _ = try add(job)
        let state = folder("xphase")
        #expect(rename(state, folder("away")) == 0 && symlink("/nowhere", state) == 0)
        let next = try next()
        #expect(throws: FileError.self) { try next.restore(time: .zero) }
        #expect(!next.isRestored)
        #expect(unlink(state) == 0 && rename(folder("away"), state) == 0)
        #expect(try next.restore(time: .zero).map(\.job.key) == [job.key])
    }

    @Test func whatTheDiskRefusesIsAFailureOfEverythingSince() throws {
        // fsync(2) knows no pipe.
        _ = try add(job)
        _ = try finish()
        let ends = Pipes()
        dup2(ends.writing, try #require(record.unsynced().file?.number))
        let write = try add(Self.job("B"))
        guard case .failed(write, _, isNews: true)? = try finish().last else {
            throw Failure("no failure of \(write)")
        }
        owed.remove(Self.job("B"))
        let next = try owed.write()
        #expect(lastSynced(try finish()) == next)
        #expect(try recorded().map(\.entry.change.application) == ["A"])
    }

    @Test func whatIsTooLargeIsNotOwed() throws {
        var large = Self.job("large")
        large.hook.reaction = .pair(
            while: [.background], enter: .arguments(["true"]),
            leave: .arguments([SystemString(String(repeating: "x", count: 13 << 20))]))
        _ = try add(large)
        #expect(throws: FileError.self) { try add(job) }
        #expect(try recorded().map(\.entry.change.application) == ["large"])
    }

    /// What is woken every few seconds has a line each time.
    @Test func theRecordOfWhatIsFrozenAgainAndAgainStaysShort() throws {
        _ = try add(job)
        let processes = (1...20).map { ProcessIdentity(pid: $0, startTicks: 7) }
        for _ in 1...2000 {
            try owed.setHolds([], of: job)
            try owed.setHolds([.stopped(processes)], of: job)
            _ = try finish()
        }
        #expect(record.size < 200 << 10)
        #expect(try recorded().map(\.holds) == [[.stopped(processes)]])
    }
}

/// A pipe that is closed with its owner.
private final class Pipes {
    private var ends: [Int32] = [-1, -1]

    init() { pipe(&ends) }

    deinit { for end in ends { close(end) } }

    var writing: Int32 { ends[1] }
}
