import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Journal

/// Files that are removed, torn, foreign or in the way.
extension JournalWriterTests {
    @Test func whatCannotBeWrittenIsReportedOnceAndMadeUpForLater() throws {
        _ = try folder.write("journal", "in the way")
        let writer = writer()
        writer.take([change("A", .active), change("B", .background)])
        pass(10)
        writer.take([change("A", .inactive)])
        pass(55)
        writer.take([change("A", .active)])
        #expect(reported.count == 1)
        unlink("\(folder.path)/journal")
        pass(60)
        writer.take([change("B", nil)])
        #expect(reported.count == 2)
        pass(10)
        writer.stop()
        #expect(try report().texts == ["A 10.000/0.000/0.000"])
    }

    @Test func aTornLineDoesNotSpoilTheNextOne() throws {
        writer(":1").take([change("A", .active)])
        let path = files.path(of: files.dates[0])
        #expect(truncate(path.cString, 40) == 0)
        let writer = writer(":2")
        writer.take([change("B", .active)])
        pass(10)
        writer.stop()
        #expect(try report().texts == ["B 10.000/0.000/0.000"])
        #expect(try report().summary.unreadable == 1)
    }

    @Test func aFileThatIsRemovedIsMadeAnew() throws {
        let writer = writer()
        writer.take([change("A", .active)])
        unlink(files.path(of: files.dates[0]).cString)
        pass(60)
        writer.sync()
        writer.take([change("B", .active)])
        #expect(try kinds(files.dates[0]) == ["start", "group", "group"])
    }

    @Test func oldFilesAreRemovedAndNothingElse() throws {
        mkdir(files.path.cString, 0o700)
        let old = ["2025-08-01", "2025-08-02", "2025-08-03", "2025-08-04", "2025-11-19", "2025-11-21"]
        for name in old.map({ "\($0).jsonl" }) + ["2020-01-01.txt", "notes"] {
            _ = try folder.write("journal/\(name)", "")
        }
        let writer = writer(days: 2)
        writer.take([change("A", .active)])
        #expect(files.dates == ["2025-08-03", "2025-08-04", "2025-11-19", "2025-11-21", "2025-11-22"])
        // Neither a start nor a midnight, so no old file is removed.
        unlink(files.path(of: "2025-11-22").cString)
        pass(60)
        writer.sync()
        #expect(files.dates == ["2025-08-03", "2025-08-04", "2025-11-19", "2025-11-21", "2025-11-22"])
        pass(86_400)
        writer.take([change("A", .inactive)])
        #expect(
            files.dates == ["2025-08-04", "2025-11-19", "2025-11-21", "2025-11-22", "2025-11-23"])
        #expect(access("\(files.path)/2020-01-01.txt", F_OK) == 0)
        #expect(access("\(files.path)/notes", F_OK) == 0)
    }

    /// The clock is ahead by more than the whole journal. Only the start and the midnight of a second day under that
    /// clock remove old files.
    @Test(arguments: [45, 90, 400]) func aClockThatIsAheadCostsThreeDays(ahead: Int) throws {
        mkdir(files.path.cString, 0o700)
        let days = (24...31).map { "2025-10-\($0)" } + (10...21).map { "2025-11-\($0)" }
        for day in days { _ = try folder.write("journal/\(day).jsonl", "") }
        calendar = ahead * 86_400
        for _ in 1...3 { writer(days: 30).take([change("A", .active)]) }
        #expect(files.dates.dropLast() == days[...])
        calendar += 86_400
        let writer = writer(days: 30)
        writer.take([change("A", .active)])
        pass(86_400)
        writer.take([change("A", .inactive)])
        #expect(files.dates.dropLast(3) == days.dropFirst(3))
        // A start with the true clock ignores files of future dates.
        calendar = 86_400
        self.writer(days: 30).take([change("A", .active)])
        #expect(files.dates.filter { $0 < "2025-11-22" } == Array(days.dropFirst(3)))
    }

    @Test func aFolderWhoseNameIsNoTextIsReadAgain() throws {
        let name = SystemString(bytes: Array("\(folder.path)/j".utf8) + [0xE9])
        let writer = writer(in: JournalFiles(folder: name))
        writer.take([change("A", .active)])
        pass(10)
        writer.stop()
        #expect(try report(of: JournalFiles(folder: name)).texts == ["A 10.000/0.000/0.000"])
    }

    /// Files that others could have written are not read, and the length of a line without an end is limited.
    @Test func foreignFilesAreRefused() throws {
        mkdir(files.path.cString, 0o700)
        let path = try folder.write("journal/2025-11-22.jsonl", String(repeating: "x", count: 1 << 20))
        #expect(try report().summary.unreadable == 1)
        chmod(path, 0o666)
        #expect(throws: SystemError.exposed(path: files.path(of: "2025-11-22"))) { try self.report() }
    }

    /// The words for session states in the journal do not depend on those in the notices.
    @Test(arguments: [
        (SessionChange.away, "away", true), (.back, "away", false),
        (.dropped(.away), "away", false), (.locked(by: nil, scenes: 1), "lock", true),
        (.unlocked, "lock", false), (.dropped(.lock), "lock", false),
        (.displayOff(.noMonitor), "display-off", true), (.displayOn, "display-off", false),
        (.dropped(.displayOff), "display-off", false),
    ])
    func changesOfTheSessionAreLines(_ change: SessionChange, _ word: String, _ isOn: Bool) throws {
        var hidden: Set<SessionState> = isOn ? [] : Set(SessionState.allCases)
        let (first, second) = (hidden.note(change), hidden.note(change))
        let (state, value) = try #require(first)
        #expect(second == nil)
        let line = JournalFormat(run: 1, time: Timestamp(seconds: 0, nanoseconds: 0), clock: .zero).session(
            state, isOn: value)
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.hasSuffix("\"state\":\"\(word)\",\"on\":\(isOn)}\n"))
    }

    @Test func beingIdleHidesNothing() {
        var hidden = Set(SessionState.allCases)
        for change in [SessionChange.idle, .returned, .dropped(nil)] {
            let news = hidden.note(change)
            #expect(news == nil)
        }
        #expect(hidden == Set(SessionState.allCases))
    }
}
