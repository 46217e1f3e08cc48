import Console
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Journal

/// The files that a run writes, with clocks that the test sets.
@Suite final class JournalSinkTests {
    let folder: TemporaryFolder
    let files: JournalFiles
    /// The seconds of the calendar since 2025-11-22 10:00 UTC.
    var calendar = 0
    private var clock = 5
    private var asleep = 0

    init() throws {
        folder = try TemporaryFolder()
        files = try JournalFiles(environment: Self.environment(folder.path))
    }

    static func environment(_ state: some CustomStringConvertible, _ rest: [UInt8] = []) -> Environment {
        Environment(entries: [SystemString(bytes: Array("XDG_STATE_HOME=\(state)".utf8) + rest)])
    }

    func sink(
        _ display: String = ":0", isOn: Bool = true, titles: Bool = false, days: Int = 90,
        isForced: Bool = false, in environment: Environment? = nil,
        on thread: DiskThread<JournalDisk.News>? = nil
    ) -> JournalSink {
        var settings = JournalSettings()
        (settings.isOn, settings.titles, settings.days) = (isOn, titles, days)
        let moment = { [unowned self] in
            JournalMoment(
                time: Timestamp(seconds: Int(TestJournal.start / 1000) + calendar, nanoseconds: 0),
                clock: .seconds(clock), asleep: .seconds(asleep))
        }
        return JournalSink(
            settings, display: display, isForced: isForced,
            environment: environment ?? Self.environment(folder.path), writer: nil, moment: moment,
            thread: { thread })
    }

    func pass(_ seconds: Int) { (calendar, clock) = (calendar + seconds, clock + seconds) }

    func change(_ name: String, _ phase: ScenePhase?) -> Event {
        let members = Change.Members(counts: .init(active: 1), pids: [], groups: ["g"])
        return .change(
            Change(kind: .phase, application: name, subject: .application(members), to: phase, cause: .focus))
    }

    private func titled(_ title: String, _ kind: Change.Kind = .title) -> Event {
        .change(
            Change(
                kind: kind, application: "A", group: "g",
                subject: .scene(.init(id: WindowID(7), title: title)), from: .active, to: .active,
                cause: .title))
    }

    /// Returns the kinds of the lines of the file of a day; the first one if none is named.
    func kinds(_ date: String? = nil) throws -> [String] {
        try lines(date).map { String($0.split(separator: "\"")[3]) }
    }

    func lines(_ date: String? = nil) throws -> [String] {
        let path = files.path(of: date ?? files.dates[0]).description
        return try TestDesktop.Program.run("cat", [path]).output.filter { !$0.isEmpty }
    }

    /// Returns the texts of the notices since the last call.
    func notices(of sink: JournalSink) -> [String] {
        var requests = WatchRequests()
        sink.finishTurn(&requests)
        return requests.notices.map(\.text)
    }

    func report(of files: JournalFiles? = nil) throws -> Report {
        let tally = Tally(
            by: .application, window: TestJournal.start - 86_400_000..<TestJournal.start + 400_000_000)
        try (files ?? self.files).read(into: tally)
        return Report(tally)
    }

    @Test func eachDayHasAPrivateFileThatBeginsWithWhatIsThere() throws {
        let sink = sink()
        sink.take([change("A", .active), change("B", .background)])
        pass(10)
        sink.take([.notice(.session(.locked(by: "i3lock", scenes: 2))), change("A", .background)])
        pass(86_400)
        sink.take([change("A", .active), .notice(.session(.unlocked))])
        sink.stop()
        let dates = files.dates
        #expect(dates.count == 2)
        var facts = stat()
        #expect(stat(files.path(of: dates[0]).cString, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(stat(files.path.cString, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
        #expect(
            try kinds(dates[0]) == ["start", "application", "application", "session", "application"])
        #expect(
            try kinds(dates[1]) == [
                "start", "session", "application", "application", "session", "application", "stop",
            ])
        #expect(try report().texts == ["A 10.000/0.000/0.000", "B 0.000/0.000/10.000"])
        #expect(try report().summary.remarks == [])
        #expect(try report().summary.hidden == 86_400_000)
        #expect(notices(of: sink) == [])
    }

    /// A title belongs to the scene that was active last, and may be reported before its application. Those that were kept
    /// are not written after the configuration has forbidden it.
    @Test func titlesAreKeptOnlyIfAskedFor() throws {
        let sink = sink()
        sink.take([titled("secret", .opened), change("A", .active), titled("secret")])
        #expect(try kinds() == ["start", "application"])
        for titles in [true, false] {
            _ = requests(of: sink, isOn: true, titles: titles)
            sink.takeSnapshot([titled("secret", .initial), change("A", .active)], at: .now())
            sink.take([titled("secret"), titled("another")])
        }
        let lines = try lines()
        #expect(lines.count { $0.contains("secret") } == 1 && lines.count { $0.contains("another") } == 1)
        #expect(try kinds().suffix(4) == ["application", "stop", "start", "application"])
    }

    /// An instance may appear while the application keeps its phase.
    @Test func newInstancesAreWritten() throws {
        let sink = sink()
        sink.take([change("A", .active)])
        let members = Change.Members(counts: .init(inactive: 1), pids: [], groups: ["dialog"])
        let opened = Change(
            kind: .opened, application: "A", group: "dialog", subject: .group(members), to: .inactive,
            cause: .open)
        for _ in 1...2 { sink.take([.change(opened)]) }
        #expect(
            try lines().dropFirst().map { $0.contains(#""instances":["g","dialog"]"#) }
                == [false, true])
    }

    /// The sink is woken for this only while something is visible.
    @Test func aCrashLosesAtMostAMinute() throws {
        let sink = sink()
        sink.take([change("A", .active)])
        for minute in 1...3 {
            #expect(sink.next == .seconds(5 + 60 * minute))
            pass(59)
            sink.wake()
            #expect(try lines().count == 1 + minute)
            pass(1)
            sink.wake()
        }
        #expect(try kinds() == ["start", "application", "alive", "alive", "alive"])
        #expect(try report().texts == ["A 180.000/0.000/0.000"])
        for hiding in [Event.notice(.session(.displayOff(.blanked))), change("A", nil)] {
            sink.take([hiding])
            pass(60)
            sink.wake()
            #expect(sink.next == nil)
            sink.take([.notice(.session(.displayOn))])
        }
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
        let sink = sink(on: thread)
        sink.take([change("A", .active)])
        for _ in 1...5 {
            pass(60)
            sink.wake()
            sink.take([change("B", .active)])
            sink.take([change("B", .inactive)])
        }
        #expect(files.dates.isEmpty && sink.next == .seconds(365) && notices(of: sink) == [])
        // More lines than are kept in memory.
        for number in 1...4096 { sink.take([change("B", number % 2 == 0 ? .active : .inactive)]) }
        #expect(
            notices(of: sink) == [
                "the journal is not written: its disk does not respond; retrying once a minute"
            ])
        close(open(fifo, O_WRONLY))
        thread.finish(within: .seconds(20))
        #expect(try lines().prefix(17).count { $0.contains("alive") } == 5)
    }

    /// Readers may have skipped lines with future timestamps.
    @Test func whatIsThereIsReportedAnewWhenTheCalendarIsSet() throws {
        let sink = sink()
        sink.take([change("A", .active)])
        calendar += 1800
        pass(10)
        sink.take([change("B", .active)])
        calendar -= 1800
        pass(10)
        sink.take([change("B", nil)])
        #expect(
            try kinds() == [
                "start", "application", "start", "application", "application", "start", "application",
                "application", "application",
            ])
        pass(10)
        sink.stop()
        #expect(try report().summary.steps == 2)
        #expect(try report().summary.misplaced == 0)
        #expect(try report().texts == ["A 30.000/0.000/0.000", "B 10.000/0.000/0.000"])
    }

    @Test func aSleepIsReported() throws {
        let sink = sink()
        sink.take([change("A", .active)])
        (calendar, asleep) = (3600, 3600)
        pass(10)
        sink.take([change("A", .inactive)])
        #expect(try report().summary.suspended == 3_600_000 && report().summary.steps == 0)
    }

    /// The words for session states in the journal do not depend on those in the notices.
    @Test(arguments: [
        (SessionChange.away, ["away"]), (.locked(by: nil, scenes: 1), ["lock"]),
        (.displayOff(.noMonitor), ["display-off"]), (.idle, []), (.dropped(nil), []),
    ])
    func statesThatHideTheDisplayAreLines(_ change: SessionChange, _ words: [String]) throws {
        let sink = sink()
        sink.take([])
        for _ in 1...2 { sink.take([.notice(.session(change))]) }
        let lines = try lines().dropFirst()
        #expect(lines.count == words.count)
        for word in words { #expect(lines.last?.contains(#""states":["\#(word)"]}"#) == true) }
    }

    /// Returns the requests of a turn in which an earlier sink has read new rules.
    private func requests(of sink: JournalSink, isOn: Bool, titles: Bool = false) -> WatchRequests {
        var requests = WatchRequests()
        var journal = JournalSettings()
        (journal.isOn, journal.titles) = (isOn, titles)
        requests.rules = (PhaseMonitor.Options(), journal)
        sink.finishTurn(&requests)
        return requests
    }

    @Test func newRulesBeginAndEndIt() throws {
        let sink = sink(isOn: false)
        sink.take([.notice(.session(.locked(by: nil, scenes: 0)))])
        #expect(files.dates.isEmpty && sink.next == nil)
        #expect(requests(of: sink, isOn: true, titles: true).wantsSnapshot)
        #expect(sink.details == [.titles, .titleChanges])
        sink.takeSnapshot([], at: .now())
        #expect(sink.next != nil)
        #expect(!requests(of: sink, isOn: true, titles: true).wantsSnapshot)
        #expect(!requests(of: sink, isOn: false).wantsSnapshot)
        #expect(sink.details == [] && sink.next == nil)
        // States that began to hide the display before the first line are also written.
        #expect(try kinds() == ["start", "session", "stop"])
        // The command line goes before the rules.
        let forced = self.sink(isForced: true)
        #expect(!requests(of: forced, isOn: false).wantsSnapshot && forced.next == nil)
        forced.take([])
        #expect(try kinds() == ["start", "session", "stop", "start"])
    }

    /// The answer comes from the thread that writes.
    @Test func whatKeepsItFromWritingIsANoticeOnce() throws {
        _ = try folder.write("xphase", "no folder")
        let sink = sink(on: try DiskThread())
        let loop = try EventLoop(display: -1, output: nil)
        sink.join(loop)
        sink.take([])
        #expect(try loop.wait() == .ready)
        #expect(notices(of: sink).count == 1)
        #expect(notices(of: sink) == [])
    }
}
