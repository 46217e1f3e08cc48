import CLinux
import Console
import Glibc
import PhaseWatch
import System

/// A sink that records the changes of a watch in the journal.
public final class JournalSink: WatchMember {
    private let display: String
    /// Whether the command line enables the journal, regardless of the configuration.
    private let isForced: Bool
    /// Whether nothing is written, regardless of all other settings.
    private let isDry: Bool
    private let files: () throws(SystemError) -> JournalFiles
    private var settings = JournalSettings()
    private var writer: JournalWriter?
    /// The disk, which successive writers share.
    private var disk: JournalDisk?
    private var notices: [Notice] = []
    /// The states that hide the display, updated even while nothing is written.
    private var hidden: Set<SessionState> = []
    private var loop: EventLoop?

    /// - Parameters:
    ///   - settings: The settings in the configuration.
    ///   - display: The name of the watched display in the lines.
    ///   - isForced: Whether the journal is written regardless of the configuration.
    ///   - isDry: Whether the journal is not written, regardless of all other settings.
    ///   - environment: XDG_STATE_HOME and HOME determine the location.
    public init(
        _ settings: JournalSettings, display: String, isForced: Bool, isDry: Bool, environment: Environment
    ) {
        (self.display, self.isForced, self.isDry) = (display, isForced, isDry)
        files = { () throws(SystemError) in try JournalFiles(environment: environment) }
        follow(settings)
    }

    /// Starts or stops writing, as the configuration requires.
    ///
    /// - Returns: Whether the new writer needs a snapshot.
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

    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        writer?.take(events)
        for case .notice(.session(let change)) in events { _ = hidden.note(change) }
    }

    public func takeSnapshot(_ events: [Event], at time: Timestamp) { writer?.take(events) }

    public func ready(_ descriptor: Int32) {
        guard let disk, descriptor == disk.answers else { return }
        for news in disk.takeNews() { writer?.take(news) }
    }

    public func wake() { writer?.sync() }

    /// Applies the rules that earlier sinks in the list have read.
    public func finishTurn(_ requests: inout WatchRequests) {
        if let rules = requests.rules, follow(rules.journal) { requests.wantsSnapshot = true }
        if !notices.isEmpty {
            requests.notices += notices
            notices = []
        }
    }

    /// Writes the end of the run, without waiting for the disk.
    public func stop() {
        writer?.stop()
        // Answers are no longer read, so the descriptor would stay ready.
        if let answers = disk?.answers { loop?.forget(answers) }
    }

    /// Waits for the disk, for at most 2 s. Must be the last call.
    public func finish() { disk?.finish(within: .seconds(2)) }
}
