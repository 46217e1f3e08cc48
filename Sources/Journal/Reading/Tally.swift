import PhaseWatch

/// Adds up the lines of a journal: how long each application, or group, was in each phase between two moments.
///
/// Time is what a run's own clock has counted, which stands still while the machine sleeps. Its place in the calendar is that of
/// the last line at which calendar and clock went apart: a calendar that is set moves what follows, and makes no time.
public final class Tally {
    /// A row of the report.
    struct Place: Hashable {
        var display: Int
        var subject: Int
    }

    /// How far calendar and clock may drift apart before that counts as a calendar that was set, in milliseconds.
    private static let drift: Int64 = 1000
    /// Lines that are further ahead of the calendar have a future time.
    private static let ahead: Int64 = 60_000
    /// For how long a run that is there may write nothing.
    private static let silence: Int64 = 120_000

    let grouping: Report.Grouping
    let window: Range<Int64>
    private var decoder = JournalDecoder()
    private var displays = Names()
    private var groups = Names()
    /// Applications, or groups where rows are groups.
    private var subjects = Names()
    /// The subject of each group.
    private var owners: [Int] = []
    private var runs: [Int: RunState] = [:]
    private(set) var times: [Place: PhaseTimes] = [:]
    private(set) var summary = JournalSummary()
    /// The applications that are there now, as runs that still write have reported.
    public private(set) var present: [PresentApplication] = []
    /// Gets every stretch of time, too; nil while only sums are wanted.
    var timeline: TimelineBuilder?

    /// - Parameters:
    ///   - grouping: What a row is.
    ///   - window: From when until when, in milliseconds since 1970.
    ///   - isDrawn: A timeline is wanted, too.
    public init(by grouping: Report.Grouping, window: Range<Int64>, isDrawn: Bool = false) {
        (self.grouping, self.window) = (grouping, window)
        if isDrawn { timeline = TimelineBuilder(window) }
    }

    /// Takes a line without its newline.
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

    /// A line that was cut off, or is too long to be one.
    func addUnreadable() { summary.unreadable += 1 }

    /// Ends every run that has not reported its end: where it was seen last, or now if it still is there.
    ///
    /// - Parameters:
    ///   - now: The calendar, and CLOCK_MONOTONIC, in milliseconds.
    ///   - isAlive: Whether a run still writes, which began in this boot in this process.
    func finish(now: (time: Int64, clock: Int64), isAlive: (RunOrigin) -> Bool) {
        present = []
        for run in runs.values where run.isRunning {
            if isAlive(run.origin), now.clock >= run.clock {
                // One that can write reports each minute that it is there, unless the display is hidden.
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

    /// The names of a row.
    func names(of place: Place) -> (display: String, subject: Name) {
        (displays[place.display].text, subjects[place.subject])
    }
}

/// How a run's lines change what is known of it.
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
        // One run at a time serves a display: the one before it has not reported its end. It is kept, so that a copy of its
        // lines is known as one.
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
            if timeline == nil { return }
            let subject = owners[number(of: name)]
            settle(run, subject)
            timeline?.setTitle(title, of: Place(display: run.display, subject: subject))
        case .session(let state, let isOn):
            flush(run)
            if isOn { run.hidden.insert(state) } else { run.hidden.remove(state) }
        case .stop:
            end(run)
            run.hasEnded = true
        case .start, .resumed, .alive: break
        }
    }

    /// Leaves out the time of lines that had a future time: nothing reliable covers that period.
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
        guard old != phase else { return }
        run.groups[group] = phase
        let number = owners[group]
        var counts = run.subjects[number]?.groups ?? PhaseTimes()
        if let old { counts[old] -= 1 }
        if let phase { counts[phase] += 1 }
        let greatest = counts.greatest
        if run.subjects[number]?.phase == greatest {
            run.subjects[number]?.groups = counts
            return
        }
        settle(run, number)
        run.subjects[number] = greatest.map {
            RunState.Subject(groups: counts, phase: $0, counted: run.clock, start: time)
        }
    }

    /// The number of a group. Names beyond the limit share one, whose owner is no application of its own either.
    private func number(of name: Name) -> Int {
        let number = groups.number(of: name)
        if number == owners.count {
            let name = groups[number]
            owners.append(subjects.number(of: grouping == .group ? name : Name(name.text)))
        }
        return number
    }

    /// Adds the time of all that is there, up to the run's clock.
    private func flush(_ run: RunState) {
        for subject in run.subjects.keys { settle(run, subject) }
        let seen = overlap(run.counted + run.offset, run.clock + run.offset)
        if run.hidden.isEmpty { summary.watched += seen } else { summary.hidden += seen }
        run.counted = run.clock
    }

    private func end(_ run: RunState) {
        flush(run)
        (run.groups, run.subjects) = ([:], [:])
        timeline?.forgetTitles(of: run.display)
    }

    /// Adds the time of one subject, up to the run's clock.
    private func settle(_ run: RunState, _ number: Int) {
        guard let subject = run.subjects[number] else { return }
        run.subjects[number]?.counted = run.clock
        let start = max(subject.counted + run.offset, window.lowerBound)
        let end = min(run.clock + run.offset, window.upperBound)
        guard run.hidden.isEmpty, start < end else { return }
        let place = Place(display: run.display, subject: number)
        times[place, default: PhaseTimes()][subject.phase] += end - start
        timeline?.add(subject.phase, start..<end, at: place)
    }

    private func overlap(_ start: Int64, _ end: Int64) -> Int64 {
        max(0, min(end, window.upperBound) - max(start, window.lowerBound))
    }
}

/// What a journal reports beside the phases. Times are milliseconds within the window.
public struct JournalSummary: Hashable, Sendable {
    /// How long somebody could see the displays.
    public var watched: Int64 = 0
    /// How long they were locked, off or not shown.
    public var hidden: Int64 = 0
    /// How long the machine was asleep.
    public var suspended: Int64 = 0
    /// How often the calendar was set.
    public var steps = 0
    /// Lines that were cut off, or are none of a journal.
    public var unreadable = 0
    /// Lines of a newer version.
    public var newer = 0
    /// Lines that were read before.
    public var duplicates = 0
    /// Lines of a run whose start is missing.
    public var orphans = 0
    /// Lines whose time has not come yet.
    public var future = 0
}
