import Console
import PhaseWatch
import System
import Testing

@testable import Journal

/// A journal that a test composes, and its totals. Times are milliseconds after 2025-11-22 10:00 UTC.
struct TestJournal {
    static let start: Int64 = 1_763_805_600_000
    var lines: [String] = []

    /// - Parameters:
    ///   - clock: The clock of the run.
    ///   - set: The time by which the calendar is ahead of `clock`.
    mutating func add(_ kind: String, _ clock: Int64, set: Int64 = 0, run: Int = 1, _ rest: String = "") {
        let time = Self.start + clock + set
        let text = TimeText.utc(
            Timestamp(seconds: Int(time / 1000), nanoseconds: Int(time % 1000) * 1_000_000))
        let seconds = TimeText.seconds(.milliseconds(clock + 100_000))
        lines.append(
            #"{"kind":"\#(kind)","run":\#(run),"time":"\#(text)","clock":\#(seconds)\#(rest)}"#)
    }

    mutating func start(
        _ clock: Int64, set: Int64 = 0, run: Int = 1, display: String = ":0", isContinued: Bool = false
    ) {
        add(
            "start", clock, set: set, run: run,
            #","v":1,"display":"\#(display)","pid":\#(run),"ticks":7,"continued":\#(isContinued)"#)
    }

    mutating func set(
        _ clock: Int64, _ name: String, _ phase: String?, set: Int64 = 0, run: Int = 1,
        instance: String = "g", title: String? = nil
    ) {
        let to = phase.map { "\"\($0)\"" } ?? "null"
        add(
            "application", clock, set: set, run: run,
            #","application":"\#(name)","instances":["\#(instance)"],"to":\#(to)"#
                + (title.map { #","title":"\#($0)""# } ?? ""))
    }

    func report(
        by grouping: Report.Grouping = .application, from: Int64 = 0, to: Int64 = 86_400_000,
        alive: Set<Int32> = [], now: Int64 = 86_400_000, of applications: String...
    ) -> Report {
        let window = Self.start + from..<Self.start + to
        let tally = Tally(by: grouping, window: window, applications: applications.map { Pattern($0) })
        read(into: tally, alive: alive, now: now)
        return Report(tally)
    }

    func read(into tally: Tally, alive: Set<Int32> = [], now: Int64 = 86_400_000) {
        for line in lines { tally.add(Array(line.utf8)[...], now: Self.start + now) }
        let time = Self.start + now
        let moment = JournalMoment(
            time: Timestamp(seconds: Int(time / 1000), nanoseconds: Int(time % 1000) * 1_000_000),
            clock: .milliseconds(now + 100_000), asleep: .zero)
        tally.finish(now: moment) { alive.contains($0.pid) && $0.startTicks == 7 }
    }
}

extension Report {
    /// Each row as `name active/inactive/background`, in seconds.
    var texts: [String] {
        rows.map { row in
            let times = ScenePhase.allCases.reversed().map { row.times[$0, default: 0] }
            return "\(name(row)) \(times.map { TimeText.seconds(.milliseconds($0)) }.joined(separator: "/"))"
        }
    }
}
