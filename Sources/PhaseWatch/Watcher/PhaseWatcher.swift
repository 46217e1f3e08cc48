import Recording
import Scenes
import System
import X11

/// Watches the phases of the applications on an X11 display within the program's own loop.
///
/// It has no thread, and `update()` waits only the first time. Use it from one thread. The loop sleeps, in poll(2) or
/// as a toolkit does, and calls `update()` at the start and whenever `fileDescriptor` is readable or `timeout` has
/// expired. The watcher reports everything on all three levels: choose by `Change.level` and `Change.application`.
///
/// ```swift
/// let watcher = try PhaseWatcher()
/// var socket = pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0)
/// while true {
///     for case .change(let change) in try watcher.update() where change.level == .application {
///         print(change.application, change.to?.rawValue ?? "closed")
///     }
///     poll(&socket, 1, watcher.timeout)
/// }
/// ```
///
/// A `PhaseMonitor` has its own thread instead, and reports by subject.
public final class PhaseWatcher {
    /// How long to wait for the event that reports the new focus before asking the server.
    private static let timeForFocus = Duration.milliseconds(1)
    /// The interval between reads of titles that change constantly.
    private static let timeForTitles = Duration.milliseconds(100)
    /// How long to wait for replies before reporting that none arrives.
    private static let timeForAnswers = Duration.seconds(5)

    private let display: Display
    let observer: DesktopObserver
    var tracker: SceneTracker

    /// Receives everything that is read, while a recording is made.
    var recorder: Recorder?

    /// Whether everything present at the start has been reported.
    public private(set) var hasBegun = false

    /// The names of the monitors at the last update; nil before they are known.
    private var monitors: [String]?

    /// When to update even if no event arrives.
    private var due: Duration? = .zero
    /// When titles may be read again. While `awaitsTitles`, also when to update.
    private var nextTitles = Duration.zero
    private var awaitsTitles = false
    /// Whether anything was read or changed since the last update of the tracker; otherwise only time has passed.
    private var mustEvaluate = true
    /// When the last reply arrived, or the wait for the first one began; nil while no reply is awaited.
    private var lastAnswer: Duration?
    private var hasReportedSilence = false
    /// Whether idle times were requested and the check that the server reports them is still due.
    var looksAtIdle = false

    /// When to call `update()` even if no event arrives: a time of CLOCK_MONOTONIC, which may have passed; nil for
    /// never. Every update may change it, as may every call that reads the display or changes the options.
    public var deadline: Duration? {
        guard let lastAnswer else { return awaitsTitles ? min(due ?? nextTitles, nextTitles) : due }
        return hasReportedSilence ? nil : lastAnswer + Self.timeForAnswers
    }

    /// How long to sleep until the next `update()`, in milliseconds for poll(2): 0 for not at all, -1 for until an
    /// event arrives.
    public var timeout: Int32 {
        if hasQueuedEvents { return 0 }
        guard let deadline else { return -1 }
        let left = deadline - Clock.now()
        return left <= .zero ? 0 : Int32(clamping: left.milliseconds + 1)
    }

    /// Opens a display. Nothing is read before the first `update()`.
    ///
    /// - Parameters:
    ///   - options: What to watch, and how to derive phases.
    ///   - usesXlibAlone: Whether nothing else in the program uses Xlib. Opening then takes two round trips less, and
    ///     XKB is off for every display of the process.
    /// - Throws: `Failure.cannotOpenDisplay`, `.displaySilent`, `.noConnectionOfXCB`. XOpenDisplay has no time limit,
    ///   and Xlib ends the process if the server dies during it.
    public init(
        _ options: PhaseMonitor.Options = PhaseMonitor.Options(), usesXlibAlone: Bool = false
    ) throws(PhaseMonitor.Failure) {
        display = try Display(options.display, sharesProcess: !usesXlibAlone)
        observer = try DesktopObserver(
            display, hostName: "\(Host.name)", executable: Processes.executable(of:),
            isRenamed: Processes.isRenamed)
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise,
            delays: Delays(settle: options.settle, occlusion: options.occlusion), states: options.session)
        followSession(options)
        details = options.details
    }

    /// The name of the display, such as `:0`.
    public var displayName: String { display.name }

    /// Whether the display has screens besides the default one, which alone is watched.
    package var hasOtherScreens: Bool { display.hasOtherScreens }

    /// The X socket, for poll(2) with POLLIN.
    public var fileDescriptor: Int32 { display.fileDescriptor }

    /// Whether events were read from the socket and not processed yet. poll(2) does not report them.
    public var hasQueuedEvents: Bool {
        // While replies are awaited, events are processed after them.
        observer.isAwaiting ? observer.isInterrupted : display.hasQueuedEvents
    }

    /// Processes events, and requests the facts that they made stale, in a few round trips or none.
    ///
    /// Only the first call waits for the replies, at most 5 s for each. Later replies are processed by the call after
    /// the socket becomes readable.
    ///
    /// - Returns: The changes that have settled, in order: scenes before their group, groups before their application.
    ///   The first call returns the present state, as changes of the kind `initial`.
    /// - Throws: `Failure.displayLost`, after which the watcher is unusable. The first call also throws
    ///   `.displaySilent`.
    public func update() throws(PhaseMonitor.Failure) -> [Event] {
        let events = try hasBegun ? advance() : begin()
        return events.filter { $0.change?.kind != .facts }
    }

    /// Waits until the present state has been read.
    func begin() throws(PhaseMonitor.Failure) -> [Event] {
        var end = ContinuousClock.now + Self.timeForAnswers
        while true {
            let answers = observer.answerCount
            let events = try advance()
            if hasBegun { return events }
            // Reading many windows over a slow connection may take longer than `timeForAnswers`.
            if observer.answerCount != answers { end = .now + Self.timeForAnswers }
            if !hasQueuedEvents { try display.wait(until: end) }
        }
    }

    /// Does the work of `update()` without waiting, and also returns changes of the kind `facts`. Until the first replies are complete, it
    /// returns no changes and `hasBegun` is false.
    ///
    /// - Parameter hasInput: Whether to read from the socket; false if poll(2) found nothing to read and no events were
    ///   queued.
    /// - Returns: The changes that have settled.
    /// - Throws: `Failure.displayLost`, after which the watcher is unusable.
    public func advance(hasInput: Bool = true) throws(PhaseMonitor.Failure) -> [Event] {
        var isStale = true
        if !observer.isAwaiting {
            if hasInput { try observer.noteEvents() }
            if observer.hasNewTitles { readTitles() }
            if !isDue && observer.expectsFocus {
                let end = Clock.now() + Self.timeForFocus
                due = due.map { min($0, end) } ?? end
                return []
            }
            isStale = observer.isStale
            if !isDue && !isStale { return [] }
        }
        mustEvaluate = mustEvaluate || isStale
        let answers = observer.answerCount
        guard try observer.refresh() else { return silence(hasAnswers: observer.answerCount != answers) }
        return track()
    }

    /// Waits until the X server responds, for `limit` at most. A grabbed server responds only to the client that holds
    /// the grab. If that client is stopped, the grab lasts forever.
    ///
    /// - Returns: true also if the connection is lost, which the next `update()` throws.
    package func isServerAnswering(within limit: Duration) -> Bool {
        (try? observer.isAnswering(within: limit)) ?? true
    }

    /// Applies other options from the next `update()` on. Display, steps and details stay the same.
    ///
    /// - Parameter options: All options, including the unchanged ones.
    public func follow(_ options: PhaseMonitor.Options) {
        tracker.follow(
            policy: options.policy, delays: Delays(settle: options.settle, occlusion: options.occlusion),
            states: options.session)
        followSession(options)
        lookAgain()
    }

    var policy: PhasePolicy { tracker.policy }

    var names: GroupNames { observer.desktop.windows.names }

    /// Returns the present state of the display, before policy and settling. Waits for each reply, at most 5 s.
    func seen(readsAges: Bool = false) throws(PhaseMonitor.Failure) -> Desktop {
        try observer.noteEvents()
        // The next update reports the changes that are read here.
        if observer.isStale { lookAgain() }
        if readsAges { observer.readAges() }
        return try observer.refreshNow()
    }

    private var isDue: Bool { due.map { $0 <= Clock.now() } ?? false }

    /// Reads the titles that have changed, or defers this until `nextTitles`.
    private func readTitles() {
        let now = Clock.now()
        awaitsTitles = now < nextTitles
        if awaitsTitles { return }
        observer.readTitles()
        nextTitles = now + Self.timeForTitles
    }

    func lookAgain() {
        due = Clock.now()
        mustEvaluate = true
    }

    private func track() -> [Event] {
        hasBegun = true
        lastAnswer = nil
        let now = Clock.nanoseconds()
        observer.placeAll()
        if let recorder, mustEvaluate { recorder.take(observer.desktop, at: now) }
        var update = tracker.update(
            to: &observer.desktop, hasRead: mustEvaluate, at: now)
        mustEvaluate = false
        if looksAtIdle, let notice = takeIdleNotice() {
            recorder?.take(notice)
            update.events.append(.notice(notice))
        }
        if observer.wants.places, let notice = monitorNotice() {
            recorder?.take(notice)
            update.events.append(.notice(notice))
        }
        if update.wantsFullRead { observer.readEverything() }
        due = observer.isStale ? Clock.now() : update.next.map { .nanoseconds($0) }
        return update.events
    }

    /// Returns a notice, once, if the server has not replied for `timeForAnswers`.
    private func silence(hasAnswers: Bool) -> [Event] {
        let now = Clock.now()
        if hasAnswers || lastAnswer == nil {
            lastAnswer = now
            hasReportedSilence = false
        }
        guard let lastAnswer, !hasReportedSilence, lastAnswer + Self.timeForAnswers <= now else { return [] }
        hasReportedSilence = true
        recorder?.take(Self.noAnswer)
        return [.notice(Self.noAnswer)]
    }

    /// Returns a notice if the monitors have changed.
    private func monitorNotice() -> Notice? {
        let names = observer.monitorNames
        defer { monitors = names }
        guard let monitors, monitors != names else { return nil }
        let text =
            names.isEmpty
            ? "there is no monitor now" : "the monitors are \(names.joined(separator: ", ")) now"
        return Notice(name: "monitors", text: text)
    }

    private static let noAnswer = Notice(
        name: "server",
        text: "the X server has not answered for 5 s; phases stay as they are until it does")
}
