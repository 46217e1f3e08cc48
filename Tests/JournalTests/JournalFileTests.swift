import Glibc
import System
import TestDesktop
import Testing

@testable import Journal

/// Files that are removed, torn, foreign or in the way.
extension JournalSinkTests {
    @Test func whatCannotBeWrittenIsReportedOnceAndMadeUpForLater() throws {
        _ = try folder.write("xphase", "in the way")
        let sink = sink()
        sink.take([change("A", .active), change("B", .background)])
        for seconds in [10, 55] {
            pass(seconds)
            sink.wake()
            sink.take([change("A", seconds == 10 ? .inactive : .active)])
        }
        #expect(notices(of: sink).count == 1)
        unlink("\(folder.path)/xphase")
        pass(60)
        sink.wake()
        sink.take([change("B", nil)])
        #expect(notices(of: sink) == ["the journal can be written again"])
        pass(10)
        sink.stop()
        #expect(try report().texts == ["A 10.000/0.000/0.000"])
    }

    @Test func aTornLineDoesNotSpoilTheNextOne() throws {
        sink(":1").take([change("A", .active)])
        let path = files.path(of: files.dates[0])
        #expect(truncate(path.cString, 40) == 0)
        let sink = sink(":2")
        sink.take([change("B", .active)])
        pass(10)
        sink.stop()
        #expect(try report().texts == ["B 10.000/0.000/0.000"])
        #expect(try report().summary.unreadable == 1)
    }

    @Test func aFileThatIsRemovedIsMadeAnew() throws {
        let sink = sink()
        sink.take([change("A", .active)])
        unlink(files.path(of: files.dates[0]).cString)
        pass(60)
        sink.wake()
        sink.take([change("B", .active)])
        #expect(try kinds(files.dates[0]) == ["start", "application", "application"])
        #expect(notices(of: sink) == [])
    }

    @Test func oldFilesAreRemovedAndNothingElse() throws {
        _ = try OwnDirectory(making: files.path, forbidding: 0o077)
        let old = ["2025-08-01", "2025-08-02", "2025-08-03", "2025-08-04", "2025-11-19", "2025-11-21"]
        for name in old.map({ "\($0).jsonl" }) + ["2020-01-01.txt", "notes"] {
            _ = try folder.write("xphase/journal/\(name)", "")
        }
        let sink = sink(days: 2)
        sink.take([change("A", .active)])
        #expect(files.dates == ["2025-08-03", "2025-08-04", "2025-11-19", "2025-11-21", "2025-11-22"])
        // Neither a start nor a midnight, so no old file is removed.
        unlink(files.path(of: "2025-11-22").cString)
        pass(60)
        sink.wake()
        sink.wake()
        #expect(files.dates == ["2025-08-03", "2025-08-04", "2025-11-19", "2025-11-21", "2025-11-22"])
        pass(86_400)
        sink.take([change("A", .inactive)])
        #expect(files.dates == ["2025-11-19", "2025-11-21", "2025-11-22", "2025-11-23"])
        #expect(access("\(files.path)/2020-01-01.txt", F_OK) == 0)
        #expect(access("\(files.path)/notes", F_OK) == 0)
    }

    /// The clock is ahead by more than the whole journal. Only the start and the midnight of a second day under that
    /// clock remove old files.
    @Test(arguments: [45, 400]) func aClockThatIsAheadCostsFourDays(ahead: Int) throws {
        _ = try OwnDirectory(making: files.path, forbidding: 0o077)
        let days = (24...31).map { "2025-10-\($0)" } + (10...21).map { "2025-11-\($0)" }
        for day in days { _ = try folder.write("xphase/journal/\(day).jsonl", "") }
        calendar = ahead * 86_400
        for _ in 1...3 { sink(days: 30).take([change("A", .active)]) }
        #expect(files.dates.dropLast() == days[...])
        calendar += 86_400
        let sink = sink(days: 30)
        sink.take([change("A", .active)])
        pass(86_400)
        sink.take([change("A", .inactive)])
        #expect(files.dates.dropLast(3) == days.dropFirst(4))
        // A start with the true clock ignores files of future dates.
        calendar = 86_400
        self.sink(days: 30).take([change("A", .active)])
        #expect(files.dates.filter { $0 < "2025-11-22" } == Array(days.dropFirst(4)))
    }

    @Test func aFolderWhoseNameIsNoTextIsReadAgain() throws {
        let environment = Self.environment("\(folder.path)/j", [0xE9])
        let sink = sink(in: environment)
        sink.take([change("A", .active)])
        pass(10)
        sink.stop()
        #expect(try report(of: JournalFiles(environment: environment)).texts == ["A 10.000/0.000/0.000"])
    }

    /// Files that others could have written are not read, and the length of a line without an end is limited.
    @Test func foreignFilesAreRefused() throws {
        _ = try OwnDirectory(making: files.path, forbidding: 0o077)
        let path = try folder.write("xphase/journal/2025-11-22.jsonl", String(repeating: "x", count: 1 << 20))
        #expect(try report().summary.unreadable == 1)
        chmod(path, 0o666)
        #expect(throws: SystemError.exposed(path: files.path(of: "2025-11-22"))) { try self.report() }
    }
}
