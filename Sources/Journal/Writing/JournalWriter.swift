import Console
import PhaseWatch
import System

/// Decides what of the changes is written into the file of the day, and waits for no disk. Once a minute the disk takes it.
/// While there is something to be seen, it is woken for that: no end loses more than a minute.
///
/// Each file begins, for each run that writes to it, with all that is there, so that it can be read alone.
final class JournalWriter {
    /// How long lines may wait for the disk: a crash, or a loss of power, loses no more.
    static let syncDelay = Duration.seconds(60)
    /// A machine is not asleep for less.
    private static let shortestSleep = Duration.seconds(1)
    /// A calendar that is set goes further, in milliseconds.
    private static let drift: Int64 = 1000

    /// Reports what keeps it from writing; the watch goes on.
    private let report: (String) -> Void
    private let disk: JournalDisk
    private let display: String
    private let origin: RunOrigin
    private let run = Int.random(in: 1...999_999_999)
    private let keepsTitles: Bool
    private let days: Int
    private let clocks: JournalClocks

    /// That whose file is written; nil where it is to be opened first.
    private var day: JournalDay?
    private var phases: [JournalGroup: ScenePhase] = [:]
    private var titles: [JournalGroup: String] = [:]
    private var hidden: Set<SessionState>
    private var timeAsleep: Duration
    /// What the clock is behind the calendar, in milliseconds.
    private var offset: Int64?
    /// The run has written its start somewhere.
    private var hasBegun = false
    /// What was written last did not get into the file: all is reported anew before anything else is written.
    private var hasFailed = false
    private var retryTime = Duration.zero
    /// When to call `sync`; nil if the disk has everything and nobody's time passes.
    private(set) var syncTime: Duration?
    private var isSyncing = false

    init(
        _ disk: JournalDisk, display: String, _ settings: JournalSettings, origin: RunOrigin,
        hidden: Set<SessionState> = [], clocks: JournalClocks = .system, report: @escaping (String) -> Void
    ) {
        (self.disk, self.display, self.origin, self.clocks) = (disk, display, origin, clocks)
        (keepsTitles, days, self.report) = (settings.titles, settings.days, report)
        self.hidden = hidden
        timeAsleep = clocks.asleep()
    }

    /// Takes what became certain at one time.
    func take(_ events: ChangeBatch) {
        let format = format()
        prepare(format)
        var lines: [UInt8] = []
        for delta in events.deltas {
            if case .session(let change)? = events.notice(delta) {
                if let (state, isOn) = hidden.note(change) { lines += format.session(state, isOn: isOn) }
            } else if delta.level == .group {
                lines += self.lines(of: delta, in: events, format)
            } else if keepsTitles && delta.level == .scene {
                lines += titleLines(of: delta, in: events, format)
            }
        }
        if !lines.isEmpty { append(lines, format) }
    }

    func take(_ savings: [Saving]) {
        let format = format()
        prepare(format)
        append(savings.flatMap(format.saved), format)
    }

    /// Tells that it is still there, and has the disk take all.
    func sync() {
        guard let syncTime, syncTime <= clocks.now() else { return }
        self.syncTime = nil
        let format = format()
        prepare(format)
        if !phases.isEmpty && hidden.isEmpty { append(format.alive(), format) }
        // A disk that still works on the request before gets the next one in a minute.
        if isSyncing { return wantSync(format.clock) }
        guard day != nil else { return }
        isSyncing = true
        take(disk.sync())
    }

    private func wantSync(_ now: Duration) {
        if syncTime == nil { syncTime = now + Self.syncDelay }
    }

    /// Takes an answer of the disk, be it to the writer before.
    func take(_ news: JournalDisk.News?) {
        switch news {
        case nil: break
        case .opened(let number, let fault):
            if let fault { report("the journal may lack the last minute of a file: \(fault)") }
            // Something has failed since.
            if number != disk.openings || day == nil { return }
            if hasFailed { report("the journal is written again") }
            (hasBegun, hasFailed) = (true, false)
        case .synced: isSyncing = false
        case .removed(let number):
            isSyncing = false
            if number != disk.openings { return }
            day = nil
            prepare(format())
        case .failed(let reason):
            isSyncing = false
            fail(reason)
        }
    }

    func stop() {
        let format = format()
        prepare(format)
        append(format.stop(), format)
        if day != nil { take(disk.sync()) }
    }
}

/// What lines it writes.
extension JournalWriter {
    private func format() -> JournalFormat {
        JournalFormat(run: run, time: clocks.calendar(), clock: clocks.now())
    }

    private func lines(of delta: Delta, in events: ChangeBatch, _ format: JournalFormat) -> [UInt8] {
        guard let group = events.group(of: delta) else { return [] }
        let subject = JournalGroup(application: events.application(of: delta), group: group)
        guard phases[subject] != delta.to else { return [] }
        phases[subject] = delta.to
        if delta.to == nil { titles[subject] = nil }
        return format.group(subject, to: delta.to, delta.cause)
    }

    private func titleLines(of delta: Delta, in events: ChangeBatch, _ format: JournalFormat) -> [UInt8] {
        guard delta.to == .active, let group = events.group(of: delta), let scene = events.scene(of: delta)
        else { return [] }
        let subject = JournalGroup(application: events.application(of: delta), group: group)
        guard titles[subject] != scene.title else { return [] }
        // The application has the title that was reported last.
        for other in titles.keys where other.application == subject.application { titles[other] = nil }
        titles[subject] = scene.title
        return format.title(subject, scene.title)
    }

    /// Tells of a sleep, and begins the file of a new day, with what was there until now.
    private func prepare(_ format: JournalFormat) {
        let asleep = clocks.asleep()
        let slept = asleep - timeAsleep
        let wasAsleep = slept >= Self.shortestSleep
        if wasAsleep {
            timeAsleep = asleep
            append(format.resumed(after: slept), format)
        }
        let isSet = follow(format, slept: wasAsleep ? slept.milliseconds : 0)
        if let day, day.contains(format.time) {
            // Readers leave out lines of a time to come: nothing of what they reported may be missing behind them.
            if isSet { append(beginning(format), format) }
            return
        }
        append(format.alive(), format)
        if hasFailed && format.clock < retryTime { return }
        // Two at a start and one at a midnight; a file that is made anew is neither.
        let spare = hasBegun ? (day == nil ? 0 : 1) : 2
        let day = JournalDay(format.time)
        (self.day, syncTime) = (day, nil)
        wantSync(format.clock)
        take(disk.open(day.date, beginning: beginning(format), removing: spare, olderThan: days))
    }

    /// Returns whether the calendar was set since the last call.
    private func follow(_ format: JournalFormat, slept: Int64) -> Bool {
        let time = Int64(format.time.seconds) * 1000 + Int64(format.time.nanoseconds / 1_000_000)
        let offset = time - format.clock.milliseconds
        let expected = (self.offset ?? offset - slept) + slept
        let isSet = abs(offset - expected) > Self.drift
        self.offset = isSet ? offset : expected
        return isSet
    }

    private func beginning(_ format: JournalFormat) -> [UInt8] {
        var lines = format.start(origin, display: display, isContinued: hasBegun && !hasFailed)
        for state in SessionState.allCases where hidden.contains(state) {
            lines += format.session(state, isOn: true)
        }
        for (subject, phase) in phases { lines += format.group(subject, to: phase, .start) }
        for (subject, title) in titles { lines += format.title(subject, title) }
        return lines
    }

    private func append(_ lines: [UInt8], _ format: JournalFormat) {
        if day == nil { return }
        wantSync(format.clock)
        take(disk.append(lines))
    }

    private func fail(_ reason: String) {
        if !hasFailed { report("the journal is not written: \(reason); it is tried again once a minute") }
        (hasFailed, day) = (true, nil)
        retryTime = clocks.now() + Self.syncDelay
        syncTime = retryTime
    }
}

/// The clocks that a journal is written by.
struct JournalClocks {
    var calendar: () -> Timestamp
    var now: () -> Duration
    /// How long the machine has been asleep since it was started.
    var asleep: () -> Duration

    static var system: JournalClocks {
        JournalClocks(calendar: Timestamp.now, now: Clock.now) { Clock.sinceBoot() - Clock.now() }
    }
}
