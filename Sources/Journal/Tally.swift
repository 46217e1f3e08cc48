import Console
import FoundationEssentials
import PhaseWatch
import System

/// A tally of the lines of a journal: how long each application was in each phase between two moments.
///
/// Durations come from the run's clock, which stops while the machine sleeps. Their place in the calendar comes from
/// the last line at which calendar and clock diverged. Setting the calendar moves later times, but adds no time.
///
/// The files may be damaged, and names come from windows: applications and rows beyond a limit share one name.
public final class Tally {
    /// What time is summed up for.
    struct Key: Hashable {
        var display: String
        var application: String
        var phase: ScenePhase
        /// The title of the active scene, if titles are asked for.
        var title: String?
        /// The index of the part of the window.
        var part = 0
    }

    struct Sum {
        var time: Int64 = 0
        /// The number of visits that began there.
        var visits = 0
    }

    static let others = "(others)"
    private static let mostApplications = 20_000
    /// The drift between calendar and clock, in milliseconds, beyond which the calendar counts as set.
    static let drift: Int64 = 1000
    /// Lines that are further ahead of the calendar, in milliseconds, have a future time.
    private static let ahead: Int64 = 60_000
    /// The longest time, in milliseconds, for which a live run writes nothing.
    private static let silence: Int64 = 120_000

    let grouping: Report.Grouping
    /// The period, in milliseconds since 1970.
    let window: Range<Int64>
    /// The applications to include, by their names or those of their instances; empty for all.
    let applications: [Pattern]
    /// The names of the only applications to include; nil for all.
    private let names: Set<String>?
    private let hasTitles: Bool
    /// The ends of the parts of the window, for each of which time is summed up.
    let bounds: [Int64]

    private let decoder = JSONDecoder()
    private var runs: [Int: Run] = [:]
    /// The last run of each display.
    private var lastRuns: [String: Run] = [:]
    /// The approximate limit of the memory for `times` and `visits`.
    var mostBytes = 32 << 20
    private var bytes = 0
    private(set) var times: [Key: Sum] = [:]
    /// For reports by visit.
    private(set) var visits: [Visit] = []
    /// The time in which any application was active, in each part of the window.
    private(set) var use: [Int64]
    /// The range from the first to the last time at which any application was active.
    private(set) var used: Range<Int64>?
    public private(set) var summary = JournalSummary()
    /// The patterns that have matched nothing.
    package private(set) var unmatched: [Pattern]
    /// The phases of the applications that are present now, according to runs that still write, and the times when they
    /// began; by display and name.
    private(set) var present: [[String]: (phase: ScenePhase, since: Int64)] = [:]

    /// - Parameters:
    ///   - grouping: What time is summed up for.
    ///   - window: The period, in milliseconds since 1970.
    ///   - applications: The applications to include; empty for all.
    ///   - timeline: For a timeline: its bounds, and the names of its rows.
    package init(
        by grouping: Report.Grouping, window: Range<Int64>, applications: [Pattern] = [],
        timeline: (bounds: [Int64], names: Set<String>)? = nil
    ) {
        (self.grouping, self.window, self.applications) = (grouping, window, applications)
        (names, hasTitles) = (timeline?.names, grouping.hasTitles || timeline != nil)
        (bounds, unmatched) = (
            timeline?.bounds ?? grouping.starts(of: window) + [window.upperBound], applications
        )
        use = Array(repeating: 0, count: bounds.count - 1)
    }

    /// Adds a line, given without its newline.
    func add(_ bytes: ArraySlice<UInt8>, now: Int64) {
        guard let line = JournalLine(bytes, decoder) else {
            summary.skipped[.unreadable, default: 0] += 1
            return
        }
        let run = runs[line.run]
        if line.time > now + Self.ahead {
            summary.skipped[.future, default: 0] += 1
            // Nothing reliable covers the time until the run reports its whole state again.
            if let run { end(run) }
        } else if line.kind == .start {
            start(line, run)
        } else if run?.isNewer == true {
            summary.skipped[.newer, default: 0] += 1
        } else if let run, run.isRunning, line.clock >= run.clock {
            advance(run, to: line)
            switch line.kind {
            case .application: change(run, line)
            case .session:
                let isHidden = line.states?.isEmpty == false
                if isHidden != run.isHidden { flush(run) }
                run.isHidden = isHidden
            case .stop: end(run)
            case .start, .alive: break
            }
        } else {
            summary.skipped[.misplaced, default: 0] += 1
        }
    }

    /// Ends every run that has not reported its end: at its last line, or now if it is still alive.
    ///
    /// - Parameters:
    ///   - now: The current moment.
    ///   - isAlive: Returns whether the process of a run is still alive.
    func finish(now: JournalMoment, isAlive: (ProcessIdentity) -> Bool) {
        let current = now.clock.milliseconds
        for run in runs.values where run.isRunning {
            if isAlive(run.writer), current >= run.clock {
                // A run that can write does so every minute while anything is visible.
                let isQuiet = run.isHidden || run.applications.values.allSatisfy { $0.phase == .background }
                let clock = isQuiet ? current : min(current, run.clock + Self.silence)
                move(run, to: clock, at: now.time.milliseconds - (current - clock))
                for (name, application) in run.applications {
                    present[[run.display, name]] = (application.phase, application.since)
                }
            }
            end(run)
        }
    }
}

/// Applies the lines of a run to its state.
extension Tally {
    /// The state of one `xphase run`, from the lines read so far. Times are milliseconds of the run's clock.
    private final class Run {
        struct Application {
            var phase: ScenePhase
            var title: String?
            /// The time up to which it is counted.
            var counted: Int64
            /// The calendar time when it entered its phase.
            var since: Int64
            /// The visit that goes on.
            var visit: Visit?
        }

        let display: String
        let writer: ProcessIdentity
        /// Whether a newer version of xphase writes the lines.
        let isNewer: Bool
        /// Whether its lines count. A run is kept after its end, to recognize copies of its lines.
        var isRunning: Bool
        /// The time of its last line.
        var clock: Int64
        var asleep: Int64
        /// The calendar time minus the run's clock.
        var offset: Int64
        var isHidden = false
        var applications: [String: Application] = [:]
        /// The number of applications that are active. A file may have any number of lines and of applications.
        var active = 0

        init(_ start: JournalLine) {
            (display, writer, isNewer) = (
                start.display ?? "", start.writer, start.v ?? 0 > JournalLine.version
            )
            (clock, asleep, offset) = (start.clock, start.asleep, start.time - start.clock)
            isRunning = !isNewer
        }
    }

    private func start(_ line: JournalLine, _ known: Run?) {
        if let known {
            let isContinued = line.continued ?? false
            guard line.clock > known.clock || isContinued && line.clock == known.clock else {
                summary.skipped[.misplaced, default: 0] += 1
                return
            }
            if isContinued && known.isRunning { return advance(known, to: line) }
        }
        let run = Run(line)
        // One run at a time serves a display, so the previous run has ended without reporting it.
        if let previous = lastRuns.updateValue(run, forKey: run.display) { end(previous) }
        if run.isNewer { summary.skipped[.newer, default: 0] += 1 }
        runs[line.run] = run
    }

    /// Moves a run's clock to that of a line.
    private func advance(_ run: Run, to line: JournalLine) {
        var step = line.time - line.clock - run.offset
        let slept = line.asleep - run.asleep
        if slept >= Self.drift {
            run.asleep = line.asleep
            summary.suspended += clamped(line.time - slept, line.time).length
            step -= slept
        }
        move(run, to: line.clock, at: line.time)
        if abs(step) > Self.drift { summary.steps += 1 }
    }

    private func move(_ run: Run, to clock: Int64, at time: Int64) {
        let passed = clamped(run.clock + run.offset, clock + run.offset)
        run.clock = clock
        if run.isHidden {
            summary.hidden += passed.length
        } else {
            summary.watched += passed.length
            if !passed.isEmpty, run.active > 0 {
                let (first, last) = (used?.lowerBound ?? .max, used?.upperBound ?? .min)
                used = min(first, passed.lowerBound)..<max(last, passed.upperBound)
                for (part, length) in parts(of: passed) { use[part] += length }
            }
        }
        guard abs(time - clock - run.offset) > Self.drift else { return }
        flush(run)
        run.offset = time - clock
    }

    private func change(_ run: Run, _ line: JournalLine) {
        guard var name = line.application else { return }
        if run.applications[name] == nil {
            // An application that matched by an instance still counts after that instance closes.
            guard isIncluded(name, line.instances ?? []) else { return }
            if run.applications.count >= Self.mostApplications { name = Self.others }
        }
        settle(run, name)
        let old = run.applications[name]
        run.active += (line.to == .active ? 1 : 0) - (old?.phase == .active ? 1 : 0)
        run.applications[name] = line.to.map { phase in
            Run.Application(
                phase: phase, title: line.title, counted: run.clock,
                since: old?.phase == phase ? old?.since ?? line.time : line.time,
                visit: old?.phase == phase ? old?.visit : nil)
        }
    }

    private func isIncluded(_ name: String, _ instances: [String]) -> Bool {
        let matching = applications.filter { pattern in
            pattern.matches(name) || instances.contains(where: pattern.matches)
        }
        unmatched.removeAll(where: matching.contains)
        return (applications.isEmpty || !matching.isEmpty) && names?.contains(name) ?? true
    }

    private func end(_ run: Run) {
        flush(run)
        (run.applications, run.active) = ([:], 0)
        run.isRunning = false
    }

    private func flush(_ run: Run) {
        for name in run.applications.keys { settle(run, name) }
    }

    /// Adds the time of one application, up to the run's clock.
    private func settle(_ run: Run, _ name: String) {
        guard let application = run.applications[name] else { return }
        run.applications[name]?.counted = run.clock
        if run.isHidden { return }
        // The time in use is in `use`.
        if case .day = grouping { return }
        let time = clamped(application.counted + run.offset, run.clock + run.offset)
        var begun = application.phase == .active && visit(of: name, in: run, at: time) ? 1 : 0
        if case .visit = grouping { return }
        for (part, length) in parts(of: time) {
            var key = Key(
                display: grouping.hasTitles ? "" : run.display, application: name,
                phase: application.phase,
                title: hasTitles && application.phase == .active ? application.title : nil, part: part)
            if times[key] == nil {
                bytes += 200 + [key.display, name, key.title ?? ""].reduce(0) { $0 + $1.utf8.count }
                if bytes > mostBytes {
                    key.display = ""
                    key.application = Self.others
                    key.title = nil
                }
            }
            times[key, default: Sum()].time += length
            times[key, default: Sum()].visits += begun
            begun = 0
        }
    }

    /// Adds time in which an application was active to its visit.
    ///
    /// - Returns: Whether a visit begins: at any gap, such as a sleep of the machine.
    private func visit(of name: String, in run: Run, at time: Range<Int64>) -> Bool {
        guard !time.isEmpty, let application = run.applications[name] else { return false }
        if let visit = application.visit, visit.time.upperBound == time.lowerBound {
            visit.extend(over: time, titled: application.title)
            return false
        }
        let visit = Visit(of: name, on: run.display, at: time, titled: application.title)
        run.applications[name]?.visit = visit
        guard case .visit = grouping else { return true }
        bytes += 200 + [visit.display, name, visit.title ?? ""].reduce(0) { $0 + $1.utf8.count }
        if bytes > mostBytes {
            summary.unlisted += 1
        } else {
            visits.append(visit)
        }
        return true
    }

    /// Splits a time range at the bounds of the parts of the window.
    private func parts(of time: Range<Int64>) -> [(part: Int, length: Int64)] {
        if time.isEmpty { return [] }
        // Finds the last part that begins before the range.
        var (low, high) = (0, bounds.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if bounds[middle] <= time.lowerBound { low = middle } else { high = middle }
        }
        return (low..<bounds.count - 1).prefix { bounds[$0] < time.upperBound }.map {
            ($0, time.clamped(to: bounds[$0]..<bounds[$0 + 1]).length)
        }
    }

    /// Returns the part of a time range that lies in the window; empty if `end` is before `start`.
    private func clamped(_ start: Int64, _ end: Int64) -> Range<Int64> {
        (start..<max(start, end)).clamped(to: window)
    }
}

/// A time in which an application was active without a gap.
final class Visit {
    let display: String
    let application: String
    /// In milliseconds since 1970.
    private(set) var time: Range<Int64>
    /// The title that lasted longest; nil if none was kept.
    private(set) var title: String?
    private var last: (title: String?, time: Range<Int64>)
    /// The time for which `title` lasted.
    private var longest: Int64

    init(of application: String, on display: String, at time: Range<Int64>, titled title: String?) {
        self.display = display
        self.application = application
        self.time = time
        self.title = title
        last = (title, time)
        longest = time.length
    }

    func extend(over more: Range<Int64>, titled title: String?) {
        time = time.lowerBound..<more.upperBound
        last = (title, title == last.title ? last.time.lowerBound..<more.upperBound : more)
        if last.time.length <= longest { return }
        longest = last.time.length
        self.title = title
    }
}

extension Range<Int64> {
    var length: Int64 { upperBound - lowerBound }
}

/// The contents of a journal besides the phases. Times are milliseconds within the window.
public struct JournalSummary: Hashable, Sendable {
    /// The time for which the displays were visible.
    public var watched: Int64 = 0
    /// The time for which the displays were locked, off or not shown.
    public var hidden: Int64 = 0
    /// The time for which the machine was asleep.
    public var suspended: Int64 = 0
    /// The number of times that the calendar was set.
    public var steps = 0
    /// The number of lines that do not count, by the reason.
    public var skipped: [Skip: Int] = [:]
    /// The number of visits for which a list has no room.
    public var unlisted = 0

    /// Why a line does not count. The raw value is for the user.
    public enum Skip: String, CaseIterable, Sendable {
        case unreadable = "incomplete, or not lines of a journal"
        case newer = "a newer version of xphase wrote them"
        case misplaced = "duplicates, or the start of their run is missing"
        case future = "they are in the future; was the clock wrong?"
    }

    /// What the period consists of, such as `watched 7 h 40 min`.
    public var times: [String] {
        [("watched", watched), ("locked, off or away", hidden), ("asleep", suspended)].filter { $0.1 > 0 }
            .map { "\($0) \(TimeText.spoken($1))" }
    }

    /// Notes on skipped lines, and on faults that make the rest less reliable; one sentence each.
    public var remarks: [String] {
        let remarks = Skip.allCases.compactMap { reason in
            skipped[reason].map {
                "\($0 == 1 ? "1 line was" : "\($0) lines were") skipped: \(reason.rawValue)"
            }
        }
        let times = steps == 1 ? "once" : "\(steps) times"
        let fault = "the clock was set \(times) in this period: times of the day before that may be wrong"
        let visits = unlisted == 1 ? "1 more visit is" : "\(unlisted) more visits are"
        let rest = "\(visits) not listed: choose a shorter period with --since and --until"
        return remarks + (steps > 0 ? [fault] : []) + (unlisted > 0 ? [rest] : [])
    }
}
