import Console
import PhaseWatch
import System

/// A writer of changes to the file of the day, which never waits for the disk. The disk is synced once a minute. While
/// groups are present and visible, the writer is woken for this, so an abrupt end loses at most a minute.
///
/// In each file, each run begins with its current state, so the file can be read on its own.
final class JournalWriter {
    /// The time for which lines may wait for the disk. A crash or a power loss loses no more.
    static let syncDelay = Duration.seconds(60)
    /// The shortest sleep of a machine.
    private static let shortestSleep = Duration.seconds(1)
    /// The drift, in milliseconds, beyond which the calendar counts as set.
    private static let drift: Int64 = 1000

    /// Reports why writing fails; the watch continues.
    private let report: (String) -> Void
    private let disk: JournalDisk
    private let display: String
    private let origin: RunOrigin
    private let run = Int.random(in: 1...999_999_999)
    private let keepsTitles: Bool
    private let days: Int
    private let clocks: JournalClocks

    /// The day of the current file; nil if the file must be opened first.
    private var day: JournalDay?
    private var phases: [JournalGroup: ScenePhase] = [:]
    private var titles: [JournalGroup: String] = [:]
    private var hidden: Set<SessionState>
    private var timeAsleep: Duration
    /// The calendar time minus the clock, in milliseconds.
    private var offset: Int64?
    /// Whether the run has written its start to any file.
    private var hasBegun = false
    /// Whether the last write failed: the whole state is written again before anything else.
    private var hasFailed = false
    private var retryTime = Duration.zero
    /// When to call `sync`; nil if the disk has everything and no time is being counted.
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

    /// Writes the changes that became certain at one time.
    func take(_ events: [Event]) {
        let format = format()
        prepare(format)
        var lines: [UInt8] = []
        for event in events {
            switch event {
            case .notice(.session(let change)):
                if let (state, isOn) = hidden.note(change) { lines += format.session(state, isOn: isOn) }
            case .change(let change) where change.level == .group: lines += self.lines(of: change, format)
            case .change(let change) where keepsTitles && change.level == .scene && change.kind != .facts:
                lines += titleLines(of: change, format)
            case .notice, .change: break
            }
        }
        if !lines.isEmpty { append(lines, format) }
    }

    /// Writes that the run is still alive, and syncs the disk.
    func sync() {
        guard let syncTime, syncTime <= clocks.now() else { return }
        self.syncTime = nil
        let format = format()
        prepare(format)
        if !phases.isEmpty && hidden.isEmpty { append(format.alive(), format) }
        // If the previous sync is still running, the next one follows in a minute.
        if isSyncing { return wantSync(format.clock) }
        guard day != nil else { return }
        isSyncing = true
        take(disk.sync())
    }

    private func wantSync(_ now: Duration) {
        if syncTime == nil { syncTime = now + Self.syncDelay }
    }

    /// Handles an answer of the disk, which may be one to the previous writer.
    func take(_ news: JournalDisk.News?) {
        switch news {
        case nil: break
        case .opened(let number, let fault):
            if let fault { report("up to one minute of the journal may be lost: \(fault)") }
            // A later operation has failed or opened another file.
            if number != disk.openings || day == nil { return }
            if hasFailed { report("the journal can be written again") }
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

/// The contents of the lines.
extension JournalWriter {
    private func format() -> JournalFormat {
        JournalFormat(run: run, time: clocks.calendar(), clock: clocks.now())
    }

    private func lines(of change: Change, _ format: JournalFormat) -> [UInt8] {
        guard let group = change.group else { return [] }
        let subject = JournalGroup(application: change.application, group: group)
        guard phases[subject] != change.to else { return [] }
        phases[subject] = change.to
        if change.to == nil { titles[subject] = nil }
        return format.group(subject, to: change.to, change.cause)
    }

    private func titleLines(of change: Change, _ format: JournalFormat) -> [UInt8] {
        guard change.to == .active, let group = change.group, let scene = change.scene
        else { return [] }
        let subject = JournalGroup(application: change.application, group: group)
        guard titles[subject] != scene.title else { return [] }
        // An application only has the title that was reported last.
        for other in titles.keys where other.application == subject.application { titles[other] = nil }
        titles[subject] = scene.title
        return format.title(subject, scene.title)
    }

    /// Writes that the machine was asleep, and starts the file of a new day with the current state.
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
            // Readers skip lines with a future time, so the state that these reported is written again.
            if isSet { append(beginning(format), format) }
            return
        }
        append(format.alive(), format)
        if hasFailed && format.clock < retryTime { return }
        // Two files at a start, one at midnight, and none if a removed file is created again.
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
        if !hasFailed { report("the journal is not written: \(reason); retrying once a minute") }
        (hasFailed, day) = (true, nil)
        retryTime = clocks.now() + Self.syncDelay
        syncTime = retryTime
    }
}

/// The clocks of a journal.
struct JournalClocks {
    var calendar: () -> Timestamp
    var now: () -> Duration
    /// Returns the total time asleep since boot.
    var asleep: () -> Duration

    static var system: JournalClocks {
        JournalClocks(calendar: Timestamp.now, now: Clock.now) { Clock.sinceBoot() - Clock.now() }
    }
}
