import Glibc
import System
import TestDesktop
import Testing

@testable import Journal

/// Files that are removed, torn, foreign or in the way.
extension JournalSinkTests {
    @Test func linesThatCannotBeWrittenAreReportedOnceAndMadeUpForLater() throws {
        try folder.write("xphase", "in the way")
        let sink = sink()
        play("A active; B background; wait 10; A inactive; wait 55; A active", on: sink)
        #expect(notices(of: sink).count == 1)
        unlink("\(folder.path)/xphase")
        play("wait 60; B -", on: sink)
        #expect(notices(of: sink) == ["the journal can be written again"])
        play("wait 10; stop", on: sink)
        #expect(try report().texts == ["A 10.000/0.000/0.000"])
    }

    /// The line is lost, but the next run of the file begins with the whole state.
    @Test(arguments: ["", "/2025-11-22.jsonl"]) func aRemovedJournalIsMadeAnewAtTheNextLine(name: String)
        throws
    {
        let sink = sink()
        play("A active; B background; wait 10", on: sink)
        _ = try TestDesktop.Program.run("rm", ["-r", "\(files.path)\(name)"])
        play("A inactive; wait 0", on: sink)
        #expect(try kinds() == "start application application" && notices(of: sink) == [])
        #expect(try lines()[1].contains(#""to":"inactive""#))
    }

    @Test func aTornLineDoesNotSpoilTheNextOne() throws {
        play("A active", on: sink(":1"))
        #expect(truncate(files.path(of: files.dates[0]).cString, 40) == 0)
        play("B active; wait 10; stop", on: sink(":2"))
        let report = try report()
        #expect(report.texts == ["B 10.000/0.000/0.000"] && report.summary.skipped[.unreadable] == 1)
    }

    private func write(_ names: [String], _ text: String = "") throws {
        _ = try OwnDirectory(making: files.path, forbidding: 0o077)
        for name in names { try folder.write("xphase/journal/\(name)", text) }
    }

    /// At the start and at midnight.
    @Test func oldFilesAreRemovedAndNothingElse() throws {
        let days = (10...21).map { "2025-11-\($0)" }
        try write(days.map { "\($0).jsonl" } + ["2020-01-01.txt", "notes"])
        let sink = sink(days: 2)
        play("A active", on: sink)
        #expect(files.dates == ["2025-11-19", "2025-11-20", "2025-11-21", "2025-11-22"])
        // A file that is made anew is no start.
        try write(["2025-11-18.jsonl"])
        unlink(files.path(of: "2025-11-22").cString)
        play("wait 60; B active; wait 0", on: sink)
        #expect(files.dates.first == "2025-11-18" && files.dates.last == "2025-11-22")
        #expect(try kinds("2025-11-22") == "start application application" && notices(of: sink) == [])
        play("wait 86400; A inactive", on: sink)
        #expect(files.dates == ["2025-11-20", "2025-11-21", "2025-11-22", "2025-11-23"])
        for name in ["2020-01-01.txt", "notes"] { #expect(access("\(files.path)/\(name)", F_OK) == 0) }
    }

    @Test func fewerDaysToKeepRemoveOldFilesAtOnce() throws {
        let days = (1...21).map { $0 < 10 ? "2025-11-0\($0)" : "2025-11-\($0)" }
        try write(days.map { "\($0).jsonl" })
        let sink = sink(days: 90)
        play("A active", on: sink)
        #expect(files.dates == days + ["2025-11-22"])
        requests(of: sink, isOn: true, days: 7)
        play("A inactive", on: sink)
        #expect(files.dates == days.filter { $0 >= "2025-11-14" } + ["2025-11-22"])
    }

    /// Two at a start, which may follow a jump of the clock, for the first seven days.
    @Test func filesFromBeforeALongGapAreRemovedOnceTheClockIsTrusted() throws {
        let old = (1...30).map { $0 < 10 ? "2025-09-0\($0)" : "2025-09-\($0)" }
        let new = (16...20).map { "2025-11-\($0)" }
        try write((old + new).map { "\($0).jsonl" })
        for day in 0...1 {
            calendar = day * 86_400
            play("A active", on: sink(days: 30))
            #expect(files.dates.first == old[2 + 2 * day])
        }
        calendar = 2 * 86_400
        play("A active", on: sink(days: 30))
        #expect(files.dates == new + ["2025-11-22", "2025-11-23", "2025-11-24"])
    }

    /// The clock is ahead by more than the whole journal. Only the start and the midnight of a second day under that
    /// clock remove old files.
    @Test(arguments: [45, 400]) func aClockThatIsAheadCostsFourDays(ahead: Int) throws {
        let days = (24...31).map { "2025-10-\($0)" } + (10...21).map { "2025-11-\($0)" }
        try write(days.map { "\($0).jsonl" })
        calendar = ahead * 86_400
        for _ in 1...3 { play("A active", on: sink(days: 30)) }
        #expect(files.dates.dropLast() == days[...])
        calendar += 86_400
        play("A active; wait 86400; A inactive", on: sink(days: 30))
        #expect(files.dates.dropLast(3) == days.dropFirst(4))
        // A start with the true clock ignores files of future dates.
        calendar = 86_400
        play("A active", on: sink(days: 30))
        #expect(files.dates.filter { $0 < "2025-11-22" } == Array(days.dropFirst(4)))
    }

    @Test func aFolderWhoseNameIsNoTextIsReadAgain() throws {
        let environment = Self.environment("\(folder.path)/j", [0xE9])
        play("A active; wait 10; stop", on: sink(in: environment))
        #expect(try report(of: JournalFiles(environment: environment)).texts == ["A 10.000/0.000/0.000"])
    }

    /// Files that others could have written are not read, and the length of a line without an end is limited.
    @Test func foreignFilesAreRefused() throws {
        try write(["2025-11-22.jsonl"], String(repeating: "x", count: 1 << 20))
        #expect(try report().summary.skipped[.unreadable] == 1)
        chmod(files.path(of: "2025-11-22").cString, 0o666)
        #expect(throws: SystemError.exposed(path: files.path(of: "2025-11-22"))) { try self.report() }
    }
}
