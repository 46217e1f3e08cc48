import CLinux
import Console
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Journal

/// The files that a run writes, with clocks that the test sets.
final class JournalSinkTests {
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

    static func environment(_ state: String, _ rest: [UInt8] = []) -> Environment {
        Environment(entries: [SystemString(bytes: Array("XDG_STATE_HOME=\(state)".utf8) + rest)])
    }

    func sink(
        _ display: String = ":0", isOn: Bool = true, titles: Bool = false, excluded: [String] = [],
        days: Int = 90,
        in environment: Environment? = nil, on thread: DiskQueue<JournalDisk.News>? = nil
    ) -> JournalSink {
        var settings = JournalSettings()
        (settings.isOn, settings.titles, settings.days) = (isOn, titles, days)
        settings.excluded = excluded.map { Pattern($0) }
        let moment = { [unowned self] in
            JournalMoment(
                time: Timestamp(seconds: Int(TestJournal.start / 1000) + calendar, nanoseconds: 0),
                clock: .seconds(clock), asleep: .seconds(asleep))
        }
        return JournalSink(
            settings, display: display, environment: environment ?? Self.environment(folder.path),
            writer: nil, moment: moment, thread: { thread })
    }

    /// Performs steps such as `A active`, `A -` for an end, `lock`, `unlock`, `stop`, `wait 10` for ten seconds and then a
    /// look at the clock, and `set 5` or `sleep 5` for seconds by which the calendar changes otherwise.
    func play(_ steps: String, on sink: JournalSink) {
        for step in steps.split(separator: ";") {
            let words = step.split(separator: " ").map(String.init)
            let seconds = Int(words.last ?? "") ?? 0
            switch words[0] {
            case "wait":
                (calendar, clock) = (calendar + seconds, clock + seconds)
                sink.wake()
            case "set": calendar += seconds
            case "sleep": (calendar, asleep) = (calendar + seconds, asleep + seconds)
            case "lock": sink.take([.notice(.session(.locked(by: "i3lock", scenes: 2)))])
            case "unlock": sink.take([.notice(.session(.unlocked))])
            case "stop": sink.stop()
            default: sink.take([change(words[0], ScenePhase(rawValue: words[1]))])
            }
        }
    }

    func change(_ name: String, _ phase: ScenePhase?) -> Event {
        let members = Change.Members(counts: .init(active: 1), pids: [], groups: ["g"])
        return .change(
            Change(kind: .phase, application: name, subject: .application(members), to: phase, cause: .focus))
    }

    private func titled(_ title: String, _ kind: Change.Kind = .title) -> Event {
        let scene = Change.SceneFacts(id: WindowID(7), title: title)
        return .change(
            Change(
                kind: kind, application: "A", group: "g", subject: .scene(scene), from: .active, to: .active,
                cause: .title))
    }

    /// Returns the kinds of the lines of the file of a day, or of the first one, in one line.
    func kinds(_ date: String? = nil) throws -> String {
        try lines(date).map { $0.split(separator: "\"")[3] }.joined(separator: " ")
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
        let window = TestJournal.start - 86_400_000..<TestJournal.start + 400_000_000
        let tally = Tally(by: .application, window: window, applications: [])
        try (files ?? self.files).read(into: tally)
        return Report(tally)
    }

    @Test func eachDayHasAPrivateFileThatBeginsWithWhatIsThere() throws {
        let sink = sink()
        play(
            "A active; B background; wait 10; lock; A background; wait 86400; A active; unlock; stop",
            on: sink)
        let dates = files.dates
        #expect(dates.count == 2)
        #expect(folder.mode(of: "xphase/journal") == 0o700)
        #expect(folder.mode(of: "xphase/journal/\(dates[0]).jsonl") == 0o600)
        #expect(try kinds(dates[0]) == "start application application session application")
        #expect(try kinds(dates[1]) == "start session application application application session stop")
        let report = try report()
        #expect(report.texts == ["A 10.000/0.000/0.000", "B 0.000/0.000/10.000"])
        #expect(report.summary.remarks == [] && report.summary.hidden == 86_400_000)
        #expect(notices(of: sink) == [])
    }

    /// A title belongs to the scene that was active last, and may be reported before its application. Those that were kept
    /// are not written after the configuration has forbidden it.
    @Test func titlesAreKeptOnlyIfAskedFor() throws {
        let sink = sink()
        sink.take([titled("secret", .opened), change("A", .active), titled("secret")])
        #expect(try kinds() == "start application")
        for titles in [true, false] {
            _ = requests(of: sink, isOn: true, titles: titles)
            sink.takeSnapshot([titled("secret", .initial), change("A", .active)], at: .now())
            sink.take([titled("secret"), titled("another")])
        }
        for title in ["secret", "another"] {
            #expect(try lines().count { $0.contains("\"title\":\"\(title)\"") } == 1)
        }
        #expect(try kinds().hasSuffix(" application stop start application"))
    }

    /// The title before does not stand for it either. What is excluded by a reload is not written again.
    @Test func aTitleThatIsExcludedIsNotWrittenButItsTimeIs() throws {
        let sink = sink(titles: true, excluded: ["*private*", "/^bank [0-9]/"])
        sink.take([titled("public", .opened), change("A", .active)])
        for title in ["Very PRIVATE window", "bank 1, account"] {
            play("wait 10", on: sink)
            sink.take([titled(title)])
        }
        play("wait 10", on: sink)
        sink.take([titled("the bank 1")])
        let titles = try lines().dropFirst().map { $0.firstMatch(of: /"title":"([^"]*)"/)?.1 ?? "" }
        #expect(titles == ["public", "", "the bank 1"])
        var requests = WatchRequests()
        var journal = JournalSettings()
        (journal.isOn, journal.titles, journal.excluded) = (true, true, [Pattern("*bank*")])
        requests.rules = (PhaseMonitor.Options(), journal)
        sink.finishTurn(&requests)
        #expect(requests.wantsSnapshot)
        sink.takeSnapshot([titled("the bank 1", .initial), change("A", .active)], at: .now())
        play("wait 10; stop", on: sink)
        #expect(try lines().count { $0.contains("the bank 1") } == 1)
        #expect(try report().texts == ["A 40.000/0.000/0.000"])
    }

    /// An instance may appear while the application keeps its phase.
    @Test func newInstancesAreWritten() throws {
        let sink = sink()
        play("A active", on: sink)
        let members = Change.Members(counts: .init(inactive: 1), pids: [], groups: ["dialog"])
        let opened = Change(
            kind: .opened, application: "A", group: "dialog", subject: .group(members), to: .inactive,
            cause: .open)
        for _ in 1...2 { sink.take([.change(opened)]) }
        #expect(try lines().dropFirst().map { $0.contains(#""instances":["g","dialog"]"#) } == [false, true])
    }

    /// The sink is woken for this only while something is visible.
    @Test func aCrashLosesAtMostAMinute() throws {
        let sink = sink()
        play("A active", on: sink)
        for minute in 1...3 {
            #expect(sink.next == .seconds(5 + 60 * minute))
            play("wait 59", on: sink)
            #expect(try lines().count == 1 + minute)
            play("wait 1", on: sink)
        }
        #expect(try kinds() == "start application alive alive alive")
        #expect(try report().texts == ["A 180.000/0.000/0.000"])
        for (hiding, showing) in [("lock", "unlock"), ("A background", "A active"), ("A -", "A -")] {
            play("\(hiding); wait 60", on: sink)
            #expect(sink.next == nil)
            play(showing, on: sink)
        }
        #expect(try lines().count { $0.contains("alive") } == 3)
    }

    /// Performs steps on this thread, and returns its calls on the journal: `w` for a write, `f` for an fsync of a file, and
    /// `d` for one of the directory.
    private func calls(of sink: JournalSink, _ steps: [String]) throws -> String {
        let thread = "\(getpid())/task/\(gettid())"
        let output = "\(folder.path)/calls"
        let trace = try TestDesktop.Program(
            "strace", ["-qq", "-y", "-e", "trace=write,fsync", "-o", output, "-p", "\(gettid())"],
            package: "strace")
        let line = "TracerPid:\t\(trace.pid)"
        let isTraced = try waitUntil {
            try TestDesktop.Program.run("grep", ["-x", line, "/proc/\(thread)/status"]).code == 0
        }
        guard isTraced else { throw Failure("strace does not trace the test: \(try trace.errors.rest())") }
        for step in steps { play(step, on: sink) }
        try trace.end(SIGTERM)
        let calls = try TestDesktop.Program.run("grep", ["/xphase/journal", output]).output
        return calls.map { $0.hasPrefix("write") ? "w" : $0.contains(".jsonl>") ? "f" : "d" }.joined()
    }

    @Test func theDiskIsSyncedOnceAMinuteAtANewDayAndAtTheEnd() throws {
        let sink = sink()
        let minute = ["A active; A inactive; wait 59", "wait 1", "B active; wait 60"]
        #expect(try calls(of: sink, minute) == "ww" + "wfd" + "wwfd")
        // What is visible then has the last line of the day; the first file is synced before the next one begins.
        #expect(try calls(of: sink, ["wait 86400"]) == "fdw" + "fd")
        #expect(try calls(of: sink, ["A active; stop"]) == "ww" + "fd")
    }

    /// Only the disk thread blocks: here, until a process opens a fifo for writing.
    @Test func aDiskThatDoesNotAnswerHoldsNothingUp() throws {
        let fifo = "\(folder.path)/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let thread = try DiskQueue<JournalDisk.News>()
        thread.submit {
            close(open(fifo, O_RDONLY))
            return nil
        }
        let sink = sink(on: thread)
        play("A active", on: sink)
        for _ in 1...5 { play("wait 60; B active; B inactive", on: sink) }
        #expect(files.dates.isEmpty && sink.next == .seconds(365) && notices(of: sink) == [])
        // More lines than are kept in memory.
        for _ in 1...2048 { play("B active; B inactive", on: sink) }
        let notice = "the journal is not written: its disk does not respond; retrying once a minute"
        #expect(notices(of: sink) == [notice])
        close(open(fifo, O_WRONLY))
        thread.finish(within: .seconds(20))
        #expect(try lines().prefix(17).count { $0.contains("alive") } == 5)
    }

    /// Readers may have skipped lines with future timestamps.
    @Test func presentApplicationsAreReportedAnewWhenTheCalendarIsSet() throws {
        play(
            "A active; set 1800; wait 10; B active; set -1800; wait 10; B -; wait 10; sleep 3600; A inactive; stop",
            on: sink())
        let words =
            "start application start application application start application application application"
        #expect(try kinds() == words + " stop")
        let report = try report()
        #expect(report.texts == ["A 30.000/0.000/0.000", "B 10.000/0.000/0.000"])
        let summary = report.summary
        #expect(summary.steps == 2 && summary.skipped[.misplaced] == nil && summary.suspended == 3_600_000)
    }

    /// Returns the requests of a turn in which an earlier sink has read new rules.
    @discardableResult
    func requests(
        of sink: JournalSink, isOn: Bool, titles: Bool = false, days: Int = 90
    ) -> WatchRequests {
        var requests = WatchRequests()
        var journal = JournalSettings()
        (journal.isOn, journal.titles, journal.days) = (isOn, titles, days)
        requests.rules = (PhaseMonitor.Options(), journal)
        sink.finishTurn(&requests)
        return requests
    }

    @Test func newRulesBeginAndEndTheJournal() throws {
        let sink = sink(isOn: false)
        play("lock", on: sink)
        #expect(files.dates.isEmpty && sink.next == nil)
        #expect(requests(of: sink, isOn: true, titles: true).wantsSnapshot)
        #expect(sink.details == [.titles, .titleChanges])
        sink.takeSnapshot([], at: .now())
        #expect(sink.next != nil)
        #expect(!requests(of: sink, isOn: true, titles: true).wantsSnapshot)
        #expect(!requests(of: sink, isOn: false).wantsSnapshot)
        #expect(sink.details == [] && sink.next == nil)
        // States that began to hide the display before the first line are also written.
        #expect(try kinds() == "start session stop")
    }

    /// The answer comes from the thread that writes.
    @Test func aJournalThatCannotBeWrittenIsANoticeOnce() throws {
        try folder.write("xphase", "no folder")
        let sink = sink(on: try DiskQueue())
        let loop = try EventLoop(display: -1, output: nil)
        sink.join(loop)
        sink.take([])
        #expect(try loop.wait() == .ready)
        #expect(notices(of: sink).count == 1 && notices(of: sink) == [])
    }
}
