/// Adds up the lines of a journal: how long each application, or group, was in each phase between two moments.
///
/// Time is what a run's own clock has counted, which stands still while the machine sleeps. Where in the calendar it lies is told
/// by the last line at which calendar and clock went apart: a calendar that is set moves what follows, and makes no time.
public final class Tally {
    /// What has a phase.
    public enum Level: Sendable { case application, group }

    /// How far calendar and clock may drift apart before that counts as a calendar that was set, in milliseconds.
    private static let drift: Int64 = 1000
    /// Lines that are further ahead of the calendar are of a time to come.
    private static let ahead: Int64 = 60_000
    /// For how long a run that is there may write nothing.
    private static let silence: Int64 = 120_000

    let level: Level
    let window: Range<Int64>
    private(set) var applications = NameTable()
    private(set) var groups = NameTable()
    private var displays = NameTable()
    /// The application of each group.
    private var owners: [Int] = []
    private var runs: [Int: RunState] = [:]
    /// The run of the last line.
    private var last: RunState?
    /// By display and subject.
    private(set) var times: [[PhaseTimes]] = []
    private(set) var summary = JournalSummary()
    /// The applications that are there now, as runs that still write have told.
    public private(set) var present: [PresentApplication] = []
    /// Gets every stretch of time, too; nil while only sums are wanted.
    var timeline: TimelineBuilder?
    private var lineTimes = UTCTime()

    /// - Parameters:
    ///   - level: What a row is.
    ///   - window: From when until when, in milliseconds since 1970.
    ///   - isDrawn: A timeline is wanted, too.
    public init(level: Level, window: Range<Int64>, isDrawn: Bool = false) {
        (self.level, self.window) = (level, window)
        if isDrawn { timeline = TimelineBuilder(window) }
    }

    /// Takes a line without its newline.
    public func add(_ bytes: UnsafeBufferPointer<UInt8>, now: Int64) {
        guard let line = LineScanner.line(in: bytes, times: &lineTimes) else {
            summary.unreadable += 1
            return
        }
        if line.time > now + Self.ahead {
            summary.future += 1
            runs[line.run]?.isAhead = true
            return
        }
        if line.kind == .start { return start(line) }
        guard let run = last?.number == line.run ? last : runs[line.run] else {
            summary.orphans += 1
            return
        }
        last = run
        if run.isNewer {
            summary.newer += 1
            return
        }
        if run.hasEnded || line.clock < run.clock {
            summary.duplicates += 1
            return
        }
        advance(run, line)
        switch line.kind {
        case .group: change(run, line)
        case .title: if timeline != nil { retitle(run, line) }
        case .session:
            flush(run)
            guard let state = line.state else { break }
            if line.isOn { run.hidden.insert(state) } else { run.hidden.remove(state) }
        case .stop:
            end(run)
            run.hasEnded = true
        case .start, .resumed, .alive: break
        }
    }

    /// A line that was cut off, or is too long to be one.
    public func addUnreadable() { summary.unreadable += 1 }

    /// Ends every run that has not told of its end: where it was seen last, or now if it still is there.
    ///
    /// - Parameters:
    ///   - now: The calendar, and CLOCK_MONOTONIC, in milliseconds.
    ///   - isAlive: Whether a run still writes, which began in this boot in this process.
    public func finish(now: (time: Int64, clock: Int64), isAlive: (RunOrigin) -> Bool) {
        present = []
        for number in runs.keys {
            guard let run = runs[number] else { continue }
            if !run.hasEnded && !run.isNewer {
                if isAlive(run.origin), now.clock >= run.clock {
                    // One that can write tells each minute that it is there, unless the display is hidden.
                    let clock = run.hidden.isEmpty ? min(now.clock, run.clock + Self.silence) : now.clock
                    move(run, to: clock, at: now.time - (now.clock - clock))
                    present += run.present(on: displayName(run.display), applications)
                }
                end(run)
            }
            runs[number] = nil
        }
        last = nil
    }

    func displayName(_ number: Int) -> String { displays.parts(number).first }
}

/// How a run's lines change what is known of it.
extension Tally {
    private func start(_ line: JournalLine) {
        if let known = runs[line.run] {
            if line.clock < known.clock || !line.isContinued && line.clock == known.clock {
                summary.duplicates += 1
                return
            }
            if line.isContinued, !known.hasEnded, !known.isNewer {
                if known.isAhead { skip(known, to: line) } else { advance(known, line) }
                known.retold = line.clock
                return
            }
        }
        guard let name = line.display else { return }
        let display = displays.number(of: name)
        while times.count <= display { times.append([]) }
        // One run at a time serves a display: the one before it has not told of its end.
        for run in runs.values where run.display == display {
            if !run.hasEnded && !run.isNewer { end(run) }
            // It is kept, so that a copy of its lines is known as one.
            run.hasEnded = true
        }
        let run = RunState(line.run, display: display, clock: line.clock, offset: line.time - line.clock)
        run.isNewer = line.version > JournalFormat.version
        if run.isNewer { summary.newer += 1 }
        run.origin = RunOrigin(
            boot: line.boot.map { NameTable.text($0) } ?? "", pid: line.pid, ticks: line.ticks)
        (runs[line.run], last) = (run, nil)
    }

    /// Leaves out the time of lines that were of a time to come: what was there meanwhile is told by none that counts.
    private func skip(_ run: RunState, to line: JournalLine) {
        end(run)
        (run.clock, run.since, run.offset) = (line.clock, line.clock, line.time - line.clock)
        (run.hidden, run.isAhead) = ([], false)
    }

    /// Moves a run's clock to that of a line.
    private func advance(_ run: RunState, _ line: JournalLine) {
        let gap = line.time - line.clock - run.offset
        if abs(gap) > Self.drift {
            let stepped = line.kind == .resumed ? gap - line.slept : gap
            if abs(stepped) > Self.drift { summary.steps += 1 }
        }
        move(run, to: line.clock, at: line.time)
        if line.kind == .resumed { summary.suspended += overlap(line.time - line.slept, line.time) }
    }

    private func move(_ run: RunState, to clock: Int64, at time: Int64) {
        run.clock = clock
        guard abs(time - clock - run.offset) > Self.drift else { return }
        flush(run)
        run.offset = time - clock
    }

    private func change(_ run: RunState, _ line: JournalLine) {
        guard let application = line.application, let group = line.group else { return }
        let number = number(of: application, group)
        let old = run.groups.phase(number)
        if old == line.phase {
            let isCopy = old != nil && run.groups.since(number) == line.clock && run.retold != line.clock
            if isCopy { summary.duplicates += 1 }
            return
        }
        if level == .group { settle(run, number) }
        run.groups.set(number, line.phase, run.clock)
        guard level == .application else { return }
        let owner = owners[number]
        let told = run.applications.phase(owner)
        let phase = run.count(owner, from: old, to: line.phase)
        guard phase != told else { return }
        settle(run, owner)
        run.applications.set(owner, phase, run.clock)
        run.setStart(of: owner, line.time)
    }

    /// The number of a group. Names beyond the limit share one, whose owner is no application of its own either.
    private func number(of application: JournalLine.Text, _ group: JournalLine.Text) -> Int {
        let number = groups.number(of: application, group)
        if number == owners.count {
            owners.append(
                groups.isShared(number) ? applications.shared() : applications.number(of: application))
        }
        return number
    }

    private func retitle(_ run: RunState, _ line: JournalLine) {
        guard let application = line.application, let group = line.group else { return }
        let number = number(of: application, group)
        let subject = level == .group ? number : owners[number]
        settle(run, subject)
        timeline?.setTitle(line.title, display: run.display, subject: subject)
    }

    /// Adds the time of all that is there, up to the run's clock.
    private func flush(_ run: RunState) {
        let count = level == .group ? run.groups.count : run.applications.count
        for subject in 0..<count { settle(run, subject) }
        let seen = overlap(run.since + run.offset, run.clock + run.offset)
        if run.hidden.isEmpty { summary.watched += seen } else { summary.hidden += seen }
        run.since = run.clock
    }

    private func end(_ run: RunState) {
        flush(run)
        (run.groups, run.applications, run.counts) = (Phases(), Phases(), [])
        timeline?.forgetTitles(of: run.display)
    }

    /// Adds the time of one subject, up to the run's clock.
    private func settle(_ run: RunState, _ subject: Int) {
        let phase = level == .group ? run.groups.phase(subject) : run.applications.phase(subject)
        guard let phase else { return }
        let since = level == .group ? run.groups.since(subject) : run.applications.since(subject)
        if level == .group {
            run.groups.set(subject, phase, run.clock)
        } else {
            run.applications.set(subject, phase, run.clock)
        }
        if !run.hidden.isEmpty { return }
        let (start, end) = (
            max(since + run.offset, window.lowerBound), min(run.clock + run.offset, window.upperBound)
        )
        guard start < end else { return }
        while times[run.display].count <= subject { times[run.display].append(PhaseTimes()) }
        times[run.display][subject][phase] += end - start
        timeline?.add(phase, start..<end, display: run.display, subject: subject)
    }

    private func overlap(_ start: Int64, _ end: Int64) -> Int64 {
        max(0, min(end, window.upperBound) - max(start, window.lowerBound))
    }
}
