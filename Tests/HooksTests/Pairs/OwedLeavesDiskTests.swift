import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks

/// What the disk refuses, or refuses for a while.
extension OwedLeavesTests {
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
}

/// A pipe that is closed with its owner.
private final class Pipes {
    private var ends: [Int32] = [-1, -1]

    init() { pipe(&ends) }

    deinit { for end in ends { close(end) } }

    var writing: Int32 { ends[1] }
}
