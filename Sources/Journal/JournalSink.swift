import Console
import Glibc
import PhaseWatch
import System

/// A sink that records the changes of a watch in the file of the day. It never waits for the disk, which is synced once
/// a minute. While an application is visible, the sink is woken for this, so an abrupt end loses at most a minute of
/// what is visible.
///
/// In each file, each run begins with its whole state, so the file can be read on its own.
public final class JournalSink: WatchMember {
    /// The time for which lines may wait for the disk, and the time between two attempts after a failure.
    private static let syncDelay = Duration.seconds(60)
    private static let longestTitle = 256
    private static let mostInstances = 16

    private struct Application: Equatable {
        var phase: ScenePhase
        var instances: [String]
        /// The title of the scene that was active last.
        var title: String?
    }

    private struct Present {
        var applications: [String: Application] = [:]
        /// The states that hide the display.
        var hidden: Set<SessionState> = []
    }

    private enum State {
        case off
        /// Nothing is written before this time. Then a run begins.
        case waiting(until: Duration)
        /// Changes are written to the file of this day.
        case writing(date: String)
    }

    private let display: String
    private let writer: ProcessIdentity?
    private let moment: () -> JournalMoment
    private let makeDisk: () throws -> JournalDisk
    private var disk: JournalDisk?
    private var loop: EventLoop?

    private var settings = JournalSettings()
    private var run = 0
    private var state = State.off
    /// What is present, updated even while nothing is written.
    private var present = Present()
    /// What the lines of the run report.
    private var written = Present()
    /// The calendar time minus the time since boot, in milliseconds, when the last lines were written.
    private var offset: Int64 = 0
    private var hasFailed = false
    /// When to call `wake`; nil if the disk has everything and no time is being counted.
    public private(set) var next: Duration?
    private var notices: [Notice] = []

    /// - Parameters:
    ///   - settings: The settings in the configuration.
    ///   - display: The name of the watched display in the lines.
    ///   - environment: XDG_STATE_HOME and HOME determine the location.
    ///   - writer: The process that writes the lines; nil without /proc.
    ///   - moment: The clocks.
    ///   - thread: Starts the thread that writes; returns nil in tests that write at once.
    package init(
        _ settings: JournalSettings, display: String, environment: Environment,
        writer: ProcessIdentity? = ProcessIdentity(pid: getpid()),
        moment: @escaping () -> JournalMoment = JournalMoment.now,
        thread: @escaping () throws -> DiskQueue<JournalDisk.News>? = { try DiskQueue() }
    ) {
        (self.display, self.writer) = (display, writer)
        self.moment = moment
        makeDisk = { JournalDisk(try JournalFiles(environment: environment), try thread()) }
        follow(settings)
    }

    public var details: PhaseWatcher.Details {
        settings.isOn && settings.titles ? [.titles, .titleChanges] : []
    }

    public func join(_ loop: EventLoop) {
        self.loop = loop
        watchDisk()
    }

    private func watchDisk() {
        guard let disk, let answers = disk.answers else { return }
        loop?.watch(answers) { [unowned self] in for news in disk.takeNews() { take(news) } }
    }

    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) { take(events) }
    public func takeSnapshot(_ events: [Event], at time: Timestamp) { take(events) }

    /// Applies the rules that earlier sinks in the list have read.
    public func finishTurn(_ requests: inout WatchRequests) {
        if let rules = requests.rules, follow(rules.journal) { requests.wantsSnapshot = true }
        requests.notices += notices
        notices = []
    }

    /// Waits for the disk, for at most 2 s. Must be the last call.
    public func finish() { disk?.finish(within: .seconds(2)) }
}

extension JournalSink {
    /// Starts or stops writing, as the configuration requires.
    ///
    /// - Returns: Whether a snapshot is needed.
    @discardableResult
    private func follow(_ wanted: JournalSettings) -> Bool {
        if wanted == settings { return false }
        stop()
        settings = wanted
        guard wanted.isOn else { return false }
        do {
            if disk == nil {
                disk = try makeDisk()
                watchDisk()
            }
            (run, state) = (.random(in: 1...999_999_999), .waiting(until: .zero))
            present.applications = [:]
            return true
        } catch {
            notice("the journal is not written: \(error)")
            return false
        }
    }

    /// Writes the changes that became certain at one time.
    func take(_ events: [Event]) {
        for case .notice(.session(let change)) in events {
            guard let (state, isOn) = change.hiding else { continue }
            if isOn { present.hidden.insert(state) } else { present.hidden.remove(state) }
        }
        let changes = events.compactMap(\.change)
        // An application has the titles and the instances of scenes that are reported with it, in any order.
        for change in changes where change.level == .application { note(change) }
        for change in changes where change.level != .application { note(change) }
        write(moment())
    }

    private func note(_ change: Change) {
        let (name, known) = (change.application, present.applications[change.application])
        if case .application(let members) = change.subject {
            let instances = Array(members.groups.prefix(Self.mostInstances))
            present.applications[name] = change.to.map {
                Application(phase: $0, instances: instances, title: known?.title)
            }
        }
        if let known, let group = change.group, change.to != nil, !known.instances.contains(group),
            known.instances.count < Self.mostInstances
        {
            present.applications[name]?.instances.append(group)
        }
        if settings.titles, change.to == .active, change.kind != .facts, let scene = change.scene {
            present.applications[name]?.title = scene.title.flatMap(kept)
        }
    }

    /// Returns the part of a title that the journal keeps; nil for one that the configuration excludes.
    private func kept(_ title: String) -> String? {
        settings.excluded.contains { $0.matches(title) } ? nil : String(title.prefix(Self.longestTitle))
    }

    /// Writes that the run is still alive, and syncs the disk.
    public func wake() {
        let now = moment()
        guard let due = next, due <= now.clock else { return }
        next = nil
        write(now, "alive")
        sync()
    }

    /// Writes the end of the run, without waiting for the disk.
    public func stop() {
        write(moment(), "stop")
        sync()
        (state, next) = (.off, nil)
    }

    private func sync() {
        if case .writing = state { take(disk?.sync()) }
    }

    /// Handles an answer of the disk, which may be one about an earlier start: then the next start is one too many.
    private func take(_ news: JournalDisk.News?) {
        switch news {
        case nil: break
        case .opened:
            if hasFailed { notice("the journal can be written again") }
            hasFailed = false
        case .removed: restart(at: .zero)
        case .failed(let reason):
            if !hasFailed { notice("the journal is not written: \(reason); retrying once a minute") }
            hasFailed = true
            restart(at: moment().clock + Self.syncDelay)
        }
    }

    private func restart(at time: Duration) {
        if case .off = state { return }
        (state, next) = (.waiting(until: time), time)
    }

    private func notice(_ text: String) { notices.append(Notice(name: "journal", text: text)) }
}

/// The contents of the lines.
extension JournalSink {
    /// Writes what has changed since the last lines. At a start, on a new day, and after the calendar was set, this is
    /// everything: readers skip lines with a future time, and so what these reported.
    ///
    /// - Parameter last: The kind of another line: `stop`, or `alive`, which is written if there is nothing else.
    private func write(_ now: JournalMoment, _ last: String? = nil) {
        var (isContinued, isWhole) = (false, true)
        switch state {
        case .off: return
        case .waiting(let time):
            if now.clock < time { return }
            written = Present()
        case .writing(let date):
            (isContinued, isWhole) = (true, date != now.date || abs(now.offset - offset) > Tally.drift)
        }
        offset = now.offset
        state = .writing(date: now.date)
        var lines = isWhole ? startLine(now, isContinued) : []
        if present.hidden != written.hidden || isWhole && !present.hidden.isEmpty {
            let states = present.hidden.map(\.rawValue).sorted()
            lines += line("session", now, [("states", .texts(states))])
        }
        let names = Set(present.applications.keys).union(written.applications.keys).sorted()
        for name in names where isWhole || present.applications[name] != written.applications[name] {
            lines += line(of: name, now)
        }
        written = present
        let counts =
            present.hidden.isEmpty && present.applications.values.contains { $0.phase != .background }
        if let last, last != "alive" || lines.isEmpty && counts { lines += line(last, now) }
        if lines.isEmpty { return }
        if next == nil || !isContinued { next = now.clock + Self.syncDelay }
        take(disk?.write(lines, to: now.date, isFresh: !isContinued, keeping: settings.days))
    }

    private func startLine(_ now: JournalMoment, _ isContinued: Bool) -> [UInt8] {
        line(
            "start", now,
            [
                ("v", .number(JournalLine.version)), ("display", .text(display)),
                ("pid", .number(writer.map { Int($0.pid) })),
                ("ticks", .number(writer.map { Int(clamping: $0.startTicks) })),
                ("continued", .flag(isContinued)),
            ])
    }

    private func line(of name: String, _ now: JournalMoment) -> [UInt8] {
        let application = present.applications[name]
        return line(
            "application", now,
            [
                ("application", .text(name)),
                ("instances", .texts(application?.instances ?? [])),
                ("to", .text(application?.phase.rawValue)),
            ] + (application?.title.map { [("title", .text($0))] } ?? []))
    }

    private func line(
        _ kind: String, _ now: JournalMoment, _ rest: [(key: String, value: FieldValue)] = []
    ) -> [UInt8] {
        let asleep = now.asleep >= .milliseconds(1) ? [("asleep", FieldValue.seconds(now.asleep))] : []
        return [UInt8](
            jsonLine: [
                ("kind", .text(kind)), ("run", .number(run)), ("time", .time(now.time)),
                ("clock", .seconds(now.clock)),
            ] + asleep + rest)
    }
}

/// The clocks of a journal at one moment.
package struct JournalMoment {
    package var time: Timestamp
    /// CLOCK_MONOTONIC.
    package var clock: Duration
    /// The total time asleep since boot.
    package var asleep: Duration

    package static func now() -> JournalMoment {
        let clock = Clock.now()
        return JournalMoment(time: .now(), clock: clock, asleep: Clock.sinceBoot() - clock)
    }

    var date: String { time.local.date }

    /// The calendar time minus the time since boot, which includes sleep, in milliseconds.
    var offset: Int64 { time.milliseconds - (clock + asleep).milliseconds }
}
