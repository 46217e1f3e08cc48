import Glibc
import Hooks
import Loop
import PhaseWatch
import TestDesktop
import Testing

@testable import Journal

/// The files that a run writes, with clocks of the test's own.
final class JournalWriterTests {
    private let folder: TemporaryFolder
    private let files: JournalFiles
    /// Since 2025-11-22 10:00 of the calendar.
    private var calendar = 0
    private var clock = 5
    private var asleep = 0
    private var told: [String] = []

    init() throws {
        folder = try TemporaryFolder()
        files = JournalFiles(folder: SystemString("\(folder.path)/journal"))
    }

    private func writer(_ display: String = ":0", titles: Bool = false, days: Int = 90) -> JournalWriter {
        var settings = JournalSettings()
        (settings.titles, settings.days) = (titles, days)
        let clocks = JournalClocks(
            calendar: { [unowned self] in
                Timestamp(seconds: Int(Written.start / 1000) + calendar, nanoseconds: 0)
            },
            now: { [unowned self] in .seconds(clock) }, asleep: { [unowned self] in .seconds(asleep) })
        return JournalWriter(
            files, display: display, settings, origin: RunOrigin(boot: "b", pid: 1, ticks: 7), clocks: clocks
        ) { [unowned self] in told.append($0) }
    }

    private func pass(_ seconds: Int) { (calendar, clock) = (calendar + seconds, clock + seconds) }

    private func change(_ name: String, _ phase: ScenePhase?) -> Event {
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

    /// The kinds of the lines of a file.
    private func kinds(_ date: String) throws -> [String] {
        try lines(date).map {
            String($0.split(separator: "\"")[2]) == ":" ? String($0.split(separator: "\"")[3]) : $0
        }
    }

    private func lines(_ date: String) throws -> [String] {
        try Child.run("cat", [files.path(of: date)]).output
    }

    private func report() throws -> Report {
        let window = Written.start - 86_400_000..<Written.start + 400_000_000
        let tally = Tally(level: .application, window: window)
        try JournalReading(files, window: window).read(into: tally) { _ in }
        return Report(tally, by: .application)
    }

    @Test func eachDayHasAFileThatBeginsWithWhatIsThere() throws {
        let writer = writer()
        writer.take([change("A", .active), change("B", .background)])
        pass(10)
        writer.take([
            .notice(Notice(name: "session", text: "locked: a window of i3lock covers all")),
            change("A", .background),
        ])
        pass(86_400)
        writer.take([change("A", .active), .notice(Notice(name: "session", text: "unlocked"))])
        writer.stop()
        let dates = files.dates
        #expect(dates.count == 2)
        #expect(try kinds(dates[0]) == ["start", "group", "group", "session", "group", "alive"])
        #expect(
            try kinds(dates[1]) == ["start", "session", "group", "group", "group", "session", "stop"])
        #expect(try report().texts == ["A 10.000/0.000/0.000", "B 0.000/0.000/10.000"])
        #expect(try report().summary.remarks == [])
        #expect(told == [])
    }

    @Test func nobodyElseMayReadIt() throws {
        writer().take([change("A", .active)])
        var facts = stat()
        #expect(stat(files.path(of: files.dates[0]), &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(stat(files.path, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
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

    @Test func theEndOfARunIsKnownToAMinuteWhileItIsAwake() throws {
        let writer = writer()
        writer.take([change("A", .active)])
        #expect(writer.syncTime == .seconds(65))
        pass(59)
        writer.beat()
        #expect(try lines(files.dates[0]).count == 2)
        pass(1)
        // Written on the occasion, and nothing to be woken for again.
        writer.sync()
        #expect(try kinds(files.dates[0]) == ["start", "group", "alive"])
        #expect(writer.syncTime == nil)
        pass(60)
        writer.beat()
        #expect(writer.syncTime == nil)
        #expect(try report().texts == ["A 120.000/0.000/0.000"])
    }

    @Test func aSleepIsTold() throws {
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

    @Test func whatCannotBeWrittenIsToldOnceAndMadeUpForLater() throws {
        _ = try folder.write("journal", "in the way")
        let writer = writer()
        writer.take([change("A", .active), change("B", .background)])
        pass(10)
        writer.take([change("A", .inactive)])
        pass(55)
        writer.take([change("A", .active)])
        #expect(told.count == 1)
        unlink("\(folder.path)/journal")
        pass(60)
        writer.take([change("B", nil)])
        #expect(told.count == 2)
        pass(10)
        writer.stop()
        #expect(try report().texts == ["A 10.000/0.000/0.000"])
    }

    @Test func aTornLineDoesNotSpoilTheNextOne() throws {
        writer(":1").take([change("A", .active)])
        let path = files.path(of: files.dates[0])
        #expect(truncate(path, 40) == 0)
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
        unlink(files.path(of: files.dates[0]))
        pass(60)
        writer.sync()
        writer.take([change("B", .active)])
        #expect(try kinds(files.dates[0]) == ["start", "group", "group"])
    }

    @Test func oldFilesAreRemovedAndNothingElse() throws {
        mkdir(files.path, 0o700)
        for name in ["2025-08-01.jsonl", "2025-11-19.jsonl", "2025-11-20.jsonl", "2020-01-01.txt", "notes"] {
            _ = try folder.write("journal/\(name)", "")
        }
        writer(days: 2).take([change("A", .active)])
        #expect(files.dates == ["2025-11-20", "2025-11-22"])
        #expect(access("\(files.path)/2020-01-01.txt", F_OK) == 0)
        #expect(access("\(files.path)/notes", F_OK) == 0)
    }

    /// What others could have written is not read, and a line without an end is bounded.
    @Test func foreignFilesAreRefused() throws {
        mkdir(files.path, 0o700)
        let path = try folder.write("journal/2025-11-22.jsonl", String(repeating: "x", count: 1 << 20))
        #expect(try report().summary.unreadable == 1)
        chmod(path, 0o666)
        #expect(throws: FileError.exposed(path: files.path(of: "2025-11-22"))) { try self.report() }
    }

    @Test(arguments: [
        ("locked: a window of i3lock covers all 4 visible scenes", JournalState.lock, true),
        ("unlocked", .lock, false), ("lock: followed no longer, by other options", .lock, false),
        ("display off: the screen saver blanked it", .displayOff, true), ("display on", .displayOff, false),
        ("display-off: followed no longer, by other options", .displayOff, false),
        ("away: another virtual terminal is shown", .away, true),
        ("back: this display is shown again", .away, false),
        ("away: followed no longer, by other options", .away, false),
    ])
    fileprivate func noticesTellOfTheSession(_ text: String, _ state: JournalState, _ isOn: Bool) throws {
        let told = try #require(JournalState.told(by: Notice(name: "session", text: text)))
        #expect(told.state == state && told.isOn == isOn)
        #expect(JournalState.told(by: Notice(name: "other", text: text)) == nil)
        #expect(
            JournalState.told(by: Notice(name: "session", text: "idle: the user has touched nothing")) == nil)
    }
}

/// Hooks has a `Program` too.
typealias Child = TestDesktop.Program
