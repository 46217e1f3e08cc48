import CLinux
import Console
import Glibc
import PhaseWatch
import System

/// Keeps the changes of a watch in the journal.
public final class JournalSink: Sink {
    private let display: String
    /// The journal is wanted by the command line, whatever the configuration says.
    private let isForced: Bool
    /// Nothing is written, whoever wants it.
    private let isDry: Bool
    private let files: () throws(SystemError) -> JournalFiles
    private var settings = JournalSettings()
    private var writer: JournalWriter?
    /// Of all writers, one after the other.
    private var disk: JournalDisk?
    private var notices: [Notice] = []
    /// What hides the display, also while nothing is written.
    private var hidden: Set<SessionState> = []
    private var loop: EventLoop?

    /// - Parameters:
    ///   - settings: What the configuration says.
    ///   - display: The display that is watched, by the name that its lines have.
    ///   - isForced: The journal is written, whatever the configuration says.
    ///   - isDry: It is not written, whoever wants it.
    ///   - environment: XDG_STATE_HOME and HOME say where it lies.
    public init(
        _ settings: JournalSettings, display: String, isForced: Bool, isDry: Bool, environment: Environment
    ) {
        (self.display, self.isForced, self.isDry) = (display, isForced, isDry)
        files = { () throws(SystemError) in try JournalFiles(environment: environment) }
        follow(settings)
    }

    /// Starts or stops to write, as the configuration says.
    ///
    /// - Returns: Whether it has to be reported what is there.
    @discardableResult
    private func follow(_ wanted: JournalSettings) -> Bool {
        var wanted = wanted
        if isForced { wanted.isOn = true }
        if isDry { wanted.isOn = false }
        if wanted == settings { return false }
        settings = wanted
        writer?.stop()
        writer = nil
        guard wanted.isOn else { return false }
        do {
            let disk = try disk ?? JournalDisk(try files(), try DiskThread())
            if self.disk == nil, let answers = disk.answers { loop?.watch(answers) }
            self.disk = disk
            let pid = getpid()
            let origin = RunOrigin(
                boot: Boot.id() ?? "", pid: Int(pid),
                ticks: ProcessIdentity(pid: pid).map { Int(clamping: $0.startTicks) } ?? 0)
            writer = JournalWriter(disk, display: display, wanted, origin: origin, hidden: hidden) {
                [weak self] in self?.notices.append(Notice(name: "journal", text: $0))
            }
        } catch {
            notices.append(Notice(name: "journal", text: "the journal is not written: \(error)"))
        }
        return writer != nil
    }

    public var details: PhaseWatcher.Details {
        settings.isOn && settings.titles ? [.titles, .titleChanges] : []
    }
    public var next: Duration? { writer?.syncTime }

    public func join(_ loop: EventLoop) {
        self.loop = loop
        if let answers = disk?.answers { loop.watch(answers) }
    }

    public func take(_ events: ChangeBatch, at time: Timestamp, numbers: inout [Int?]) {
        writer?.take(events)
        for delta in events.deltas {
            if case .session(let change)? = events.notice(delta) { _ = hidden.note(change) }
        }
    }

    public func takeSnapshot(_ events: ChangeBatch, at time: Timestamp) { writer?.take(events) }

    public func ready(_ descriptor: Int32) {
        guard let disk, descriptor == disk.answers else { return }
        for news in disk.takeNews() { writer?.take(news) }
    }

    public func wake() { writer?.sync() }

    /// Follows the rules that sinks before it in the list have read.
    public func finishTurn(_ requests: inout WatchRequests) {
        if let rules = requests.rules, follow(rules.journal) { requests.wantsSnapshot = true }
        take(requests.savings)
        if !notices.isEmpty {
            requests.notices += notices
            notices = []
        }
    }

    public func take(_ savings: [Saving]) { if !savings.isEmpty { writer?.take(savings) } }

    /// Writes that the run has ended, without waiting for that.
    public func stop() {
        writer?.stop()
        // What is not read any longer would be ready all the time.
        if let answers = disk?.answers { loop?.forget(answers) }
    }

    /// Waits a little for the disk. The last call.
    public func finish() { disk?.finish(within: .seconds(2)) }
}
