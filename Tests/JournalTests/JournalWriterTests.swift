import Console
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Journal

/// The files that a run writes, with clocks that the test sets.
final class JournalWriterTests {
    let folder: TemporaryFolder
    let files: JournalFiles
    /// The seconds of the calendar since 2025-11-22 10:00 UTC.
    var calendar = 0
    private var clock = 5
    private var asleep = 0
    var reported: [String] = []

    init() throws {
        folder = try TemporaryFolder()
        files = JournalFiles(folder: SystemString("\(folder.path)/journal"))
    }

    func writer(
        _ display: String = ":0", titles: Bool = false, days: Int = 90, in files: JournalFiles? = nil,
        on thread: DiskThread<JournalDisk.News>? = nil
    ) -> JournalWriter {
        var settings = JournalSettings()
        (settings.titles, settings.days) = (titles, days)
        let clocks = JournalClocks(
            calendar: { [unowned self] in
                Timestamp(seconds: Int(TestJournal.start / 1000) + calendar, nanoseconds: 0)
            },
            now: { [unowned self] in .seconds(clock) }, asleep: { [unowned self] in .seconds(asleep) })
        return JournalWriter(
            JournalDisk(files ?? self.files, thread), display: display, settings,
            origin: RunOrigin(boot: "b", pid: 1, ticks: 7),
            clocks: clocks
        ) { [unowned self] in reported.append($0) }
    }

    func pass(_ seconds: Int) { (calendar, clock) = (calendar + seconds, clock + seconds) }

    func change(_ name: String, _ phase: ScenePhase?) -> Event {
        .change(
            Change(
                kind: .phase, application: name, group: "g",
                subject: .group(.init(counts: .init(active: 1), pids: [], groups: ["g"])), to: phase,
                cause: .focus))
    }

    private func title(_ name: String, _ title: String) -> Event {
        .change(
            Change(
                kind: .title, application: name, group: "g",
                subject: .scene(.init(id: WindowID(7), title: title)), from: .active, to: .active,
                cause: .title))
    }

    /// Returns the kinds of the lines of a file.
    func kinds(_ date: String) throws -> [String] {
        try lines(date).map {
            String($0.split(separator: "\"")[2]) == ":" ? String($0.split(separator: "\"")[3]) : $0
        }
    }

    func lines(_ date: String) throws -> [String] {
        try Child.run("cat", [files.path(of: date).description]).output
    }

    func report(of files: JournalFiles? = nil) throws -> Report {
        let window = TestJournal.start - 86_400_000..<TestJournal.start + 400_000_000
        let tally = Tally(Tally.Question(by: .application, window: window))
        try JournalReading(files ?? self.files, window: window).read(into: tally) { _ in }
        return Report(tally)
    }

    @Test func eachDayHasAFileThatBeginsWithWhatIsThere() throws {
        let writer = writer()
        writer.take([change("A", .active), change("B", .background)])
        pass(10)
        writer.take([
            .notice(.session(.locked(by: "i3lock", scenes: 2))),
            change("A", .background),
        ])
        pass(86_400)
        writer.take([change("A", .active), .notice(.session(.unlocked))])
        writer.stop()
        let dates = files.dates
        #expect(dates.count == 2)
        #expect(try kinds(dates[0]) == ["start", "group", "group", "session", "group", "alive"])
        #expect(
            try kinds(dates[1]) == ["start", "session", "group", "group", "group", "session", "stop"])
        #expect(try report().texts == ["A 10.000/0.000/0.000", "B 0.000/0.000/10.000"])
        #expect(try report().summary.remarks == [])
        #expect(reported == [])
    }

    @Test func nobodyElseMayReadIt() throws {
        writer().take([change("A", .active)])
        var facts = stat()
        #expect(stat(files.path(of: files.dates[0]).cString, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(stat(files.path.cString, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
    }

    @Test func titlesAreKeptOnlyIfAskedFor() throws {
        for titles in [false, true] {
            let writer = writer(":\(titles)", titles: titles)
            writer.take([change("A", .active), title("A", "secret")])
            writer.take([title("A", "secret")])
            writer.stop()
        }
        let lines = try lines(files.dates[0])
        #expect(lines.count { $0.contains("secret") } == 1)
        #expect(lines.count == 7)
    }

    /// The application has two groups; its title is that of the group in use.
    @Test func theTitleOfAnApplicationIsThatOfItsLastGroup() throws {
        let writer = writer(titles: true)
        for group in ["one", "two", "one"] {
            writer.take([
                .change(
                    Change(
                        kind: .title, application: "A", group: group,
                        subject: .scene(.init(id: WindowID(7), title: "title of \(group)")), from: .active,
                        to: .active, cause: .title))
            ])
        }
        let reported = try lines(files.dates[0]).filter { $0.contains("title of") }
        #expect(reported.count == 3)
        #expect(reported.last?.contains("title of one") == true)
    }

    /// The writer wakes up for this only while something is visible.
    @Test func aCrashLosesAtMostAMinute() throws {
        let writer = writer()
        writer.take([change("A", .active)])
        for minute in 1...3 {
            #expect(writer.syncTime == .seconds(5 + 60 * minute))
            pass(59)
            writer.sync()
            #expect(try lines(files.dates[0]).count == 1 + minute)
            pass(1)
            writer.sync()
        }
        #expect(try kinds(files.dates[0]) == ["start", "group", "alive", "alive", "alive"])
        #expect(try report().texts == ["A 180.000/0.000/0.000"])
        writer.take([.notice(.session(.displayOff(.blanked)))])
        pass(60)
        writer.sync()
        #expect(writer.syncTime == nil)
        writer.take([.notice(.session(.displayOn)), change("A", nil)])
        pass(60)
        writer.sync()
        #expect(writer.syncTime == nil)
    }

    @Test func theFileOfANewDayReachesTheDiskToo() throws {
        let writer = writer()
        writer.take([change("A", .active)])
        pass(86_400)
        writer.take([])
        #expect(files.dates.count == 2)
        #expect(writer.syncTime == .seconds(86_465))
    }

    /// Only the disk thread blocks: here, until a process opens a fifo for writing.
    @Test func aDiskThatDoesNotAnswerHoldsNothingUp() throws {
        let fifo = "\(folder.path)/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let thread = try DiskThread<JournalDisk.News>()
        thread.submit {
            close(open(fifo, O_RDONLY))
            return nil
        }
        let writer = writer(on: thread)
        writer.take([change("A", .active)])
        for _ in 1...5 {
            pass(60)
            writer.sync()
            writer.take([change("B", .active)])
            writer.take([change("B", .inactive)])
        }
        #expect(files.dates.isEmpty && writer.syncTime == .seconds(365) && reported == [])
        // More lines than are kept in memory.
        for _ in 1...4096 { writer.take([change("B", .active), change("B", .inactive)]) }
        #expect(
            reported == [
                "the journal is not written: its disk does not respond; retrying once a minute"
            ])
        close(open(fifo, O_WRONLY))
        thread.finish(within: .seconds(20))
        #expect(try lines(files.dates[0]).prefix(17).count { $0.contains("alive") } == 5)
    }

    /// Readers may have skipped lines with future timestamps.
    @Test func whatIsThereIsReportedAnewWhenTheCalendarIsSet() throws {
        let writer = writer()
        writer.take([change("A", .active)])
        calendar += 1800
        pass(10)
        writer.take([change("B", .active)])
        calendar -= 1800
        pass(10)
        writer.take([change("B", nil)])
        #expect(
            try kinds(files.dates[0]) == [
                "start", "group", "start", "group", "group", "start", "group", "group", "group",
            ])
        #expect(try report().summary.steps == 2)
        #expect(try report().summary.duplicates == 0)
        #expect(try report().texts == ["A 20.000/0.000/0.000", "B 10.000/0.000/0.000"])
    }

    @Test func aSleepIsReported() throws {
        let writer = writer()
        writer.take([change("A", .active)])
        pass(10)
        calendar += 3600
        asleep += 3600
        writer.take([change("A", .inactive)])
        pass(5)
        writer.stop()
        #expect(try kinds(files.dates[0]) == ["start", "group", "resumed", "group", "stop"])
        #expect(try report().texts == ["A 10.000/5.000/0.000"])
        #expect(try report().summary.suspended == 3_600_000)
        #expect(try report().summary.steps == 0)
    }
}

typealias Child = TestDesktop.Program
