import Console
import PhaseWatch
import System

/// A tally of the lines of a journal: how long each application or group was in each phase between two moments.
///
/// Durations come from the run's clock, which stops while the machine sleeps. Their place in the calendar comes from
/// the last line at which calendar and clock diverged. Setting the calendar moves later times, but adds no time.
public final class Tally {
    /// A row of the report.
    struct Place: Hashable {
        var display: Int
        /// The number of its name.
        var name: Int
        /// The index of its day in `days`; 0 where rows have no days.
        var day: Int32 = 0
    }

    /// The data to sum up, and its grouping.
    public struct Question: Sendable {
        public var grouping: Report.Grouping
        /// The period, in milliseconds since 1970.
        public var window: Range<Int64>
        /// The applications to include, by their names or those of their groups; empty for all.
        public var applications: [Pattern] = []

        public init(by grouping: Report.Grouping, window: Range<Int64>) {
            (self.grouping, self.window) = (grouping, window)
        }

        /// Whether the title of a group determines the row of its time. Several displays then share rows.
        var isByTitles: Bool { grouping == .title }
    }

    /// The drift between calendar and clock, in milliseconds, beyond which the calendar counts as set.
    private static let drift: Int64 = 1000
    /// Lines that are further ahead of the calendar, in milliseconds, have a future time.
    private static let ahead: Int64 = 60_000
    /// The longest time, in milliseconds, for which a live run writes nothing.
    private static let silence: Int64 = 120_000

    let question: Question
    /// The first moments of the days of the window, and the end of the last one; empty if rows have no days.
    private let bounds: [Int64]
    /// The first moments of the days of the window, if rows have days.
    var days: ArraySlice<Int64> { bounds.dropLast() }
    private var decoder = JournalDecoder()
    private var displays = Names()
    private var groups = Names()
    /// Applications, or groups in a report by titles.
    private var subjects = Names()
    /// The subject of each group; nil for a group that the question excludes.
    private var owners: [Int?] = []
    private var titles = Names()
    /// The names of rows, if those are not subjects.
    private var rowNames = Names()
    private var runs: [Int: RunState] = [:]
    private(set) var times: [Place: PhaseTimes] = [:]
    public private(set) var summary = JournalSummary()
    /// The applications that are present now, according to runs that still write.
    public private(set) var present: [PresentApplication] = []
    /// The range from the first to the last time at which anything was active or inactive.
    private(set) var used: Range<Int64>?
    /// Receives every stretch of time, too; nil if only sums are needed.
    var timeline: TimelineBuilder?

    public init(_ question: Question) {
        self.question = question
        var bounds: [Int64] = []
        if question.grouping == .day {
            var day = LocalTime(question.window.lowerBound).day()
            bounds.append(day.milliseconds)
            while day.milliseconds < question.window.upperBound {
                day = day.day(1)
                bounds.append(day.milliseconds)
            }
        }
        self.bounds = bounds
    }

    /// Adds a line, given without its newline.
    func add(_ bytes: ArraySlice<UInt8>, now: Int64) {
        guard let line = decoder.line(bytes) else {
            summary.unreadable += 1
            return
        }
        if line.time > now + Self.ahead {
            summary.future += 1
            runs[line.run]?.isAhead = true
        } else if case .start(let start) = line.event {
            self.start(start, line)
        } else if let run = runs[line.run] {
            add(line, to: run)
        } else {
            summary.orphans += 1
        }
    }

    /// Counts a line that was cut off or is too long.
    func addUnreadable() { summary.unreadable += 1 }

    /// Ends every run that has not reported its end: at its last line, or now if it is still alive.
    ///
    /// - Parameters:
    ///   - now: The calendar time and CLOCK_MONOTONIC, in milliseconds.
    ///   - isAlive: Returns whether the process of a run is still alive.
    func finish(now: (time: Int64, clock: Int64), isAlive: (RunOrigin) -> Bool) {
        present = []
        for run in runs.values where run.isRunning {
            if isAlive(run.origin), now.clock >= run.clock {
                // A run that can write does so every minute, unless the display is hidden.
                let clock = run.hidden.isEmpty ? min(now.clock, run.clock + Self.silence) : now.clock
                move(run, to: clock, at: now.time - (now.clock - clock))
                present += run.subjects.map { number, subject in
                    PresentApplication(
                        display: displays[run.display].text, name: subjects[number].text,
                        phase: subject.phase, since: subject.start)
                }
            }
            end(run)
        }
        runs = [:]
    }

    /// Returns the names of a row.
    func names(of place: Place) -> (display: String, name: Name) {
        let names = question.isByTitles ? rowNames : subjects
        return (displays[place.display].text, names[place.name])
    }
}

/// Applies the lines of a run to its state.
extension Tally {
    private func start(_ start: JournalLine.Start, _ line: JournalLine) {
        if let known = runs[line.run] {
            if line.clock < known.clock || !start.isContinued && line.clock == known.clock {
                summary.duplicates += 1
                return
            }
            if start.isContinued, known.isRunning {
                return known.isAhead ? skip(known, to: line) : advance(known, to: line)
            }
        }
        let display = displays.number(of: Name(start.display))
        // One run at a time serves a display, so the previous run has ended without reporting it. It is kept to
        // recognize copies of its lines.
        for run in runs.values where run.display == display {
            if run.isRunning { end(run) }
            run.hasEnded = true
        }
        let run = RunState(start, display: display, clock: line.clock, offset: line.time - line.clock)
        if run.isNewer { summary.newer += 1 }
        runs[line.run] = run
    }

    private func add(_ line: JournalLine, to run: RunState) {
        if run.isNewer {
            summary.newer += 1
            return
        }
        if run.hasEnded || line.clock < run.clock {
            summary.duplicates += 1
            return
        }
        advance(run, to: line)
        switch line.event {
        case .group(let name, let phase): change(run, number(of: name), to: phase, at: line.time)
        case .title(let name, let title):
            guard timeline != nil || question.isByTitles, let subject = owners[number(of: name)] else {
                return
            }
            settle(run, subject)
            run.titles[subject] = title.map { titles.number(of: Name($0)) }
            run.subjects[subject]?.row = row(of: subject, run)
        case .session(let state, let isOn):
            flush(run)
            if isOn { run.hidden.insert(state) } else { run.hidden.remove(state) }
        case .stop:
            end(run)
            run.hasEnded = true
        case .start, .resumed, .alive: break
        }
    }

    /// Skips the period of lines with a future time: nothing reliable covers it.
    private func skip(_ run: RunState, to line: JournalLine) {
        end(run)
        (run.clock, run.counted, run.offset) = (line.clock, line.clock, line.time - line.clock)
        (run.hidden, run.isAhead) = ([], false)
    }

    /// Moves a run's clock to that of a line.
    private func advance(_ run: RunState, to line: JournalLine) {
        var step = line.time - line.clock - run.offset
        let isStep = abs(step) > Self.drift
        if case .resumed(let slept) = line.event {
            step -= slept
            summary.suspended += overlap(line.time - slept, line.time)
        }
        if isStep && abs(step) > Self.drift { summary.steps += 1 }
        move(run, to: line.clock, at: line.time)
    }

    private func move(_ run: RunState, to clock: Int64, at time: Int64) {
        run.clock = clock
        guard abs(time - clock - run.offset) > Self.drift else { return }
        flush(run)
        run.offset = time - clock
    }

    private func change(_ run: RunState, _ group: Int, to phase: ScenePhase?, at time: Int64) {
        let old = run.groups[group]
        guard old != phase, let number = owners[group] else { return }
        run.groups[group] = phase
        var counts = run.subjects[number]?.groups ?? PhaseTimes()
        if let old { counts[old] -= 1 }
        if let phase { counts[phase] += 1 }
        let greatest = counts.greatest
        if run.subjects[number]?.phase == greatest {
            run.subjects[number]?.groups = counts
            return
        }
        settle(run, number)
        if greatest == nil { run.titles[number] = nil }
        run.subjects[number] = greatest.map {
            RunState.Subject(
                groups: counts, phase: $0, row: row(of: number, run), counted: run.clock, start: time)
        }
    }

    /// Returns the number of a group. Names beyond the limit share a number, and so an owner.
    private func number(of name: Name) -> Int {
        let number = groups.number(of: name)
        if number == owners.count {
            let name = groups[number]
            let names = [name.text, name.group ?? ""]
            let isAskedFor =
                question.applications.isEmpty
                || question.applications.contains { names.contains(where: $0.matches) }
            let subject = question.isByTitles ? name : Name(name.text)
            owners.append(isAskedFor ? subjects.number(of: subject) : nil)
        }
        return number
    }

    /// Returns the number of the name under which the time of a subject is counted.
    private func row(of subject: Int, _ run: RunState) -> Int {
        guard question.isByTitles else { return subject }
        let title = run.titles[subject].map { titles[$0].text }
        return rowNames.number(of: Name(subjects[subject].text, group: title ?? ""))
    }

    /// Adds the time of all subjects and of the display, up to the run's clock.
    private func flush(_ run: RunState) {
        for subject in run.subjects.keys { settle(run, subject) }
        let seen = overlap(run.counted + run.offset, run.clock + run.offset)
        if run.hidden.isEmpty { summary.watched += seen } else { summary.hidden += seen }
        run.counted = run.clock
    }

    private func end(_ run: RunState) {
        flush(run)
        (run.groups, run.subjects, run.titles) = ([:], [:], [:])
    }

    /// Adds the time of one subject, up to the run's clock.
    private func settle(_ run: RunState, _ number: Int) {
        guard let subject = run.subjects[number] else { return }
        run.subjects[number]?.counted = run.clock
        let start = max(subject.counted + run.offset, question.window.lowerBound)
        let end = min(run.clock + run.offset, question.window.upperBound)
        guard run.hidden.isEmpty, start < end else { return }
        if subject.phase != .background {
            used = min(used?.lowerBound ?? start, start)..<max(used?.upperBound ?? end, end)
        }
        var place = Place(display: question.isByTitles ? 0 : run.display, name: subject.row)
        if bounds.isEmpty {
            times[place, default: PhaseTimes()][subject.phase] += end - start
            timeline?.add(
                subject.phase, start..<end, at: place, title: run.titles[number].map { titles[$0].text })
            return
        }
        for (day, part) in parts(of: start..<end) {
            place.day = day
            times[place, default: PhaseTimes()][subject.phase] += part.upperBound - part.lowerBound
        }
    }

    /// Splits a time range by day.
    private func parts(of time: Range<Int64>) -> [(day: Int32, time: Range<Int64>)] {
        // Finds the last day that begins before the range.
        var (low, high) = (0, bounds.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if bounds[middle] <= time.lowerBound { low = middle } else { high = middle }
        }
        return (low..<bounds.count - 1).prefix { bounds[$0] < time.upperBound }.map {
            (Int32($0), time.clamped(to: bounds[$0]..<bounds[$0 + 1]))
        }
    }

    private func overlap(_ start: Int64, _ end: Int64) -> Int64 {
        max(0, min(end, question.window.upperBound) - max(start, question.window.lowerBound))
    }
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
    /// Lines that were cut off or do not belong to a journal.
    public var unreadable = 0
    /// Lines of a newer version.
    public var newer = 0
    /// Lines that were read before.
    public var duplicates = 0
    /// Lines of a run whose start is missing.
    public var orphans = 0
    /// Lines with a future time.
    public var future = 0
}
