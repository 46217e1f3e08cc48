import Glibc
import PhaseWatch
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct DebtsTests {
    private let folder: TemporaryFolder
    private let record: PairRecord
    private var debts: Debts
    private let job = Job(
        hook: .pair("slow"), part: .enter,
        occasion: Occasion(change: .step("A", from: .active, to: .background), time: .zero))

    init() throws {
        folder = try TemporaryFolder()
        record = try PairRecord(display: ":7", environment: ["XDG_STATE_HOME": folder.path])
        debts = Debts(record)
    }

    private mutating func add(pids: [Int32] = []) throws {
        try debts.add([(job, HookVariables.Processes(pids: pids, unit: nil))])
    }

    @Test mutating func whatIsOwedIsOnDiskAtOnceAndGoneWhenItIsLeft() throws {
        try add()
        #expect(try record.read().map(\.hook) == ["slow"])
        try debts.keep(only: [job])
        #expect(try record.read().count == 1)
        try debts.keep(only: [])
        #expect(try record.read().isEmpty)
    }

    @Test mutating func theNextStartKnowsIt() throws {
        try add()
        var next = Debts(record)
        let restored = try #require(try next.restore(time: .zero).first)
        #expect(restored.key == job.key)
        var leave = restored
        leave.part = .leave
        #expect(leave.program == .arguments(["leave"]))
        #expect(restored.hook.timeout == .seconds(30))
        try next.keep(only: [])
        #expect(try record.read().isEmpty)
    }

    @Test mutating func ofItsProcessesOnlyThoseAreToldThatStillLive() throws {
        try add(pids: [getpid(), 1 << 30])
        var leave = job
        leave.occasion = job.occasion.abandoned(at: .zero)
        #expect(debts.processes(for: leave)?.pids == [getpid()])
        #expect(debts.processes(for: job) == nil)
    }

    @Test mutating func whatAnotherBootKnewMeansNothing() throws {
        try add(pids: [getpid()])
        var entries = try record.read()
        entries[0].bootID = "another"
        try record.write(entries)
        var next = Debts(record)
        var leave = try #require(try next.restore(time: .zero).first)
        leave.occasion = leave.occasion.abandoned(at: .zero)
        #expect(next.processes(for: leave)?.pids == [])
    }

    @Test mutating func aDiskThatDoesNotTakeItIsToldOnceAndTriedAgain() throws {
        try add()
        let state = "\(folder.path)/xphase"
        #expect(rename(state, "\(folder.path)/away") == 0)
        #expect(symlink("/nowhere", state) == 0)
        #expect(throws: (any Error).self) { try debts.keep(only: []) }
        try debts.keep(only: [])
        #expect(unlink(state) == 0)
        #expect(rename("\(folder.path)/away", state) == 0)
        try debts.keep(only: [])
        #expect(try record.read().isEmpty)
    }
}
