import Console
import PhaseWatch
import System
import Testing

@testable import Journal

/// A journal that a test composes, and its totals. Times are after 2025-11-22 10:00 UTC.
struct TestJournal {
    static let start: Int64 = 1_763_805_600_000
    var lines: [String]

    /// - Parameters:
    ///   - steps: Steps such as `10 A active`, `10 A -` for an end, `0 start`, `40 start continued`, `5 alive`,
    ///   `9 stop` and `5 session lock away`, each on a line of its own or behind a semicolon. A step begins with the
    ///   seconds of the run's clock, and may have `run=2`, `display=:1`, `instance=g`, `title=T`, `set=5`, the seconds by
    ///   which the calendar is ahead of the clock, and `asleep=5`, those of a sleep.
    ///   - name: What stands for `NAME`.
    init(_ steps: String = "", naming name: String = "") {
        lines = steps.split(whereSeparator: { ";\n".contains($0) }).map { step in
            let words = step.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
            let options = words.filter { $0.count == 2 }.reduce(into: [:]) { $0[$1[0]] = $1[1] }
            let plain = words.filter { $0.count == 1 }.map { $0[0] }
            return Self.line(plain[0], plain[1], Array(plain.dropFirst(2)), options)
                .replacing("NAME", with: name)
        }
    }

    private static func line(
        _ clock: String, _ word: String, _ more: [String], _ options: [String: String]
    ) -> String {
        func milliseconds(_ seconds: String?) -> Int64 { Int64((seconds.flatMap { Double($0) } ?? 0) * 1000) }
        func quoted(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ",") }
        let run = options["run"] ?? "1"
        var kind = word
        var rest = ""
        switch word {
        case "start":
            rest = #","v":1,"display":"\#(options["display"] ?? ":0")","pid":\#(run),"ticks":7"#
            rest += #","continued":\#(more == ["continued"])"#
        case "session": rest = #","states":[\#(quoted(more))]"#
        case "alive", "stop": break
        default:
            kind = "application"
            rest = #","application":"\#(word)","instances":["\#(options["instance"] ?? "g")"]"#
            rest += #","to":\#(more == ["-"] ? "null" : quoted(more))"#
        }
        if let title = options["title"] { rest += #","title":"\#(title)""# }
        if let asleep = options["asleep"] { rest += #","asleep":\#(asleep).000"# }
        let time = start + milliseconds(clock) + milliseconds(options["set"])
        let seconds = TimeText.seconds(.milliseconds(milliseconds(clock) + 100_000))
        return
            #"{"kind":"\#(kind)","run":\#(run),"time":"\#(TimeText.utc(timestamp(time)))","clock":\#(seconds)"#
            + "\(rest)}"
    }

    private static func timestamp(_ milliseconds: Int64) -> Timestamp {
        Timestamp(seconds: Int(milliseconds / 1000), nanoseconds: Int(milliseconds % 1000) * 1_000_000)
    }

    func tally(
        by grouping: Report.Grouping = .application, from: Int64 = 0, to: Int64 = 86_400_000,
        alive: Set<Int32> = [], now: Int64 = 86_400_000, of applications: [String] = []
    ) -> Tally {
        let window = Self.start + from..<Self.start + to
        let tally = Tally(by: grouping, window: window, applications: applications.map { Pattern($0) })
        read(into: tally, alive: alive, now: now)
        return tally
    }

    func read(into tally: Tally, alive: Set<Int32> = [], now: Int64 = 86_400_000) {
        for line in lines { tally.add(Array(line.utf8)[...], now: Self.start + now) }
        let moment = JournalMoment(
            time: Self.timestamp(Self.start + now), clock: .milliseconds(now + 100_000), asleep: .zero)
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
