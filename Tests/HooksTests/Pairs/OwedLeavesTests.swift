import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct OwedLeavesTests {
    let folder: TemporaryFolder
    let record: PairRecord
    let owed: OwedLeaves
    let job = Self.job("A")

    init() throws {
        folder = try TemporaryFolder()
        record = try Self.record(in: folder)
        owed = OwedLeaves(record)
        #expect(try owed.restore(time: .zero).isEmpty)
    }

    private static func record(in folder: TemporaryFolder) throws -> PairRecord {
        try PairRecord(display: ":7", environment: Environment(["XDG_STATE_HOME": folder.path]))
    }

    static func job(_ application: String) -> Job {
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

    func add(_ job: Job, pids: [Int32] = []) throws -> Int {
        try owed.add(job, HookVariables.Processes(pids: pids, unit: nil))
        return try owed.write()
    }

    func next() throws -> OwedLeaves {
        OwedLeaves(try Self.record(in: folder))
    }

    /// What the next start would find.
    func recorded() throws -> [RecordedPair] { try Self.record(in: folder).read() }

    /// Takes answers until there are none to come.
    func finish() throws -> [RecordWriter.Answer] {
        var answers: [RecordWriter.Answer] = []
        while owed.isBusy {
            var request = pollfd(fd: try #require(owed.answers), events: Int16(POLLIN), revents: 0)
            try #require(poll(&request, 1, 20_000) == 1)
            if let answer = owed.takeAnswer() { answers.append(answer) }
        }
        return answers
    }

    func lastSynced(_ answers: [RecordWriter.Answer]) -> Int? {
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

    @Test func theNextStartFindsTheOwedLeave() throws {
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

    @Test func aLeaveIsToldOnlyOfProcessesThatStillRun() throws {
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
