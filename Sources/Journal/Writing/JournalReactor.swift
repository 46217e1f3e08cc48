import CLinux
import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// Keeps the changes of a watch in the journal, beside the hooks that react to them.
public final class JournalReactor: Reactor {
    private let hooks: HookReactor
    private let display: String
    /// The journal is wanted by the command line, whatever the configuration says.
    private let isForced: Bool
    /// Nothing is written, whoever wants it.
    private let isDry: Bool
    private let files: () throws(FileError) -> JournalFiles
    private var settings = JournalSettings()
    private var writer: JournalWriter?
    private var notices: [Notice] = []
    /// What hides the display, also while nothing is written.
    private var hidden: Set<SessionState> = []
    private var loop: EventLoop?
    /// The hooks wait for all that is there, too.
    private var hooksWantSnapshot = false

    /// - Parameters:
    ///   - display: The name of the display that is watched.
    ///   - isForced: The journal is written, whatever the configuration says.
    ///   - isDry: It is not written, whoever wants it.
    ///   - environment: XDG_STATE_HOME and HOME say where it lies.
    public init(
        _ hooks: HookReactor, display: String, isForced: Bool, isDry: Bool, environment: Environment
    ) {
        (self.hooks, self.display, self.isForced, self.isDry) = (hooks, display, isForced, isDry)
        files = { () throws(FileError) in try JournalFiles(environment: environment) }
        follow(hooks.loaded.configuration.journal)
    }

    /// Starts or stops to write, as the configuration says.
    ///
    /// - Returns: Whether it has to be told what is there.
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
        do throws(FileError) {
            let pid = getpid()
            let origin = RunOrigin(
                boot: Boot.id() ?? "", pid: Int(pid),
                ticks: ProcessIdentity(pid: pid).map { Int(clamping: $0.startTicks) } ?? 0)
            writer = JournalWriter(
                try files(), display: DisplayFileName(display).description, wanted, origin: origin,
                hidden: hidden
            ) { [weak self] in self?.notices.append(Notice(name: "journal", text: $0)) }
            writer?.join(loop)
        } catch {
            notices.append(Notice(name: "journal", text: "the journal is not written: \(error)"))
        }
        return writer != nil
    }

    public var signals: [Int32] { hooks.signals }
    public var endingSignals: [Int32] { hooks.endingSignals }
    public var isDone: Bool { hooks.isDone }
    public var details: PhaseWatcher.Details {
        settings.isOn && settings.titles
            ? hooks.details.union([.titles, .titleChanges]) : hooks.details
    }
    public var next: Duration? {
        guard let sync = writer?.syncTime else { return hooks.next }
        return hooks.next.map { min($0, sync) } ?? sync
    }

    public func join(_ loop: EventLoop) {
        self.loop = loop
        writer?.join(loop)
        hooks.join(loop)
    }

    public func take(_ events: ChangeBatch, numbers: [Int?], at time: Timestamp) {
        hooks.take(events, numbers: numbers, at: time)
        writer?.take(events)
        for delta in events.deltas {
            if case .session(let change)? = events.notice(delta) { _ = hidden.note(change) }
        }
    }

    public func take(signs applications: Set<String>) { hooks.take(signs: applications) }

    public func takeSnapshot(_ events: ChangeBatch, at time: Timestamp) {
        if hooksWantSnapshot { hooks.takeSnapshot(events, at: time) }
        hooksWantSnapshot = false
        writer?.take(events)
    }

    public func ready(_ descriptor: Int32) {
        if writer?.ready(descriptor) != true { hooks.ready(descriptor) }
    }

    public func received(_ signal: Int32) { hooks.received(signal) }

    public func wake() {
        hooks.wake()
        writer?.sync()
    }

    public func takeNotices() -> [Notice] {
        let told = hooks.takeNotices()
        if notices.isEmpty { return told }
        defer { notices = [] }
        return told + notices
    }

    public func takeRules() -> WatchRules? {
        guard var rules = hooks.takeRules() else { return nil }
        hooksWantSnapshot = hooksWantSnapshot || rules.wantsSnapshot
        if follow(hooks.loaded.configuration.journal) { rules.wantsSnapshot = true }
        return rules
    }

    /// Ends the journal, and runs every `leave` that is owed.
    ///
    /// - Parameter isAsked: A signal has ended the watch.
    /// - Throws: `SystemError`.
    public func finish(isAsked: Bool) throws(SystemError) {
        writer?.stop()
        try hooks.finish(isAsked: isAsked)
    }
}
