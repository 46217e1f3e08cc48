import Scenes
import System
import X11

/// Watches the phases of the applications on an X11 display within a loop of the program's own.
///
/// It has no thread and never sleeps; one thread uses it. The loop sleeps, in poll(2) or as a toolkit does it, and
/// calls `update()` at the start and whenever `fileDescriptor` can be read or `timeout` is over. It tells of everything on
/// all three levels: choose by `Change.level` and `Change.application`.
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
/// A `PhaseMonitor` has a thread of its own instead, and tells by subject.
public final class PhaseWatcher {
    /// How long the event that tells where the focus went is waited for before the server is asked.
    private static let timeForFocus = Duration.milliseconds(1)
    /// How far apart titles are read that change all the time.
    private static let timeForTitles = Duration.milliseconds(100)
    /// How long answers are awaited until it is reported that none comes.
    private static let timeForAnswers = Duration.seconds(5)

    private let display: Display
    let observer: DesktopObserver
    var tracker: SceneTracker

    /// Who gets what is read, where somebody records it.
    var recorder: Recorder?

    /// Whether everything that was there at the start is reported.
    public private(set) var hasBegun = false

    /// The names of the monitors in the last notice; nil before they are known.
    private var monitors: [String]?

    /// When something is to be reported though nothing comes.
    private var due: Duration? = .zero
    /// When titles may be read again; while some wait for that, it is a moment to wake at.
    private var nextTitles = Duration.zero
    private var awaitsTitles = false
    /// Something was read or reported since the last update of the tracker; otherwise only time has passed.
    private var mustEvaluate = true
    /// When the last answer came, or the first one began to be awaited; nil while none is.
    private var lastAnswer: Duration?
    private var hasReportedSilence = false
    /// Idle times were asked for; whether the server tells them must still be checked.
    var looksAtIdle = false

    /// When to call `update()` though nothing came: a moment of CLOCK_MONOTONIC, which may have passed; nil for
    /// never. Not only an update sets it anew, but all that reads or that changes what is watched.
    public var deadline: Duration? {
        guard let lastAnswer else { return awaitsTitles ? min(due ?? nextTitles, nextTitles) : due }
        return hasReportedSilence ? nil : lastAnswer + Self.timeForAnswers
    }

    /// How long to sleep until the next `update()`, in milliseconds as poll(2) takes them: 0 for not at all, -1 for until
    /// something comes.
    public var timeout: Int32 {
        if hasQueuedEvents { return 0 }
        guard let deadline else { return -1 }
        let left = deadline - Clock.now()
        return left <= .zero ? 0 : Int32(clamping: left.milliseconds + 1)
    }

    /// Opens a display. Nothing is read before the first `update()`.
    ///
    /// - Parameters:
    ///   - options: What to watch, and how what is seen becomes phases.
    ///   - usesXlibAlone: The program uses Xlib for nothing else. Opening is two round trips shorter then, and XKB is
    ///     off for every display of the process.
    /// - Throws: `Failure.cannotOpenDisplay`, `.displaySilent`. XOpenDisplay has no time limit, and a server that dies
    ///   within it ends the process: Xlib knows no other way.
    public init(
        _ options: PhaseMonitor.Options = PhaseMonitor.Options(), usesXlibAlone: Bool = false
    ) throws(PhaseMonitor.Failure) {
        (display, observer) = try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            let display = try Display(options.display, sharesProcess: !usesXlibAlone)
            let observer = try DesktopObserver(
                display, hostName: "\(Host.name)", executable: Processes.executable(of:),
                isRenamed: Processes.isRenamed)
            return (display, observer)
        }
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise,
            delays: Delays(settle: options.settle, occlusion: options.occlusion), states: options.session)
        followSession(options)
        details = options.details
    }

    /// The name of the display, `:0` say.
    public var displayName: String { display.name }

    /// The X socket, for poll(2) with POLLIN.
    public var fileDescriptor: Int32 { display.fileDescriptor }

    /// Whether events were read already, so that poll(2) cannot see them.
    public var hasQueuedEvents: Bool {
        // While answers are awaited, events wait for them.
        observer.isAwaiting ? observer.isInterrupted : display.hasQueuedEvents
    }

    /// Takes in what happened, and asks the server for what that made stale, in a few round trips or none.
    ///
    /// Only the first time it waits for the answers, each of them at most 5 s. After that it tells what they bring when it is called
    /// again because the socket can be read.
    ///
    /// - Returns: What is believed newly, in its order: scenes before their group, groups before their application.
    ///   The first time it is everything that is there, as changes of the kind `initial`.
    /// - Throws: `Failure.displayLost`, after which the watcher is of no use, and the first time `.displaySilent`.
    public func update() throws(PhaseMonitor.Failure) -> [Event] { Array(try updateBatch()) }

    /// The same as `update()`, without strings. Let the batch go before the next call.
    public func updateBatch() throws(PhaseMonitor.Failure) -> ChangeBatch {
        try hasBegun ? advance() : begin()
    }

    /// Waits for everything that is there.
    func begin() throws(PhaseMonitor.Failure) -> ChangeBatch {
        var end = ContinuousClock.now + Self.timeForAnswers
        while true {
            let answers = observer.answerCount
            let batch = try advance()
            if hasBegun { return batch }
            // Many windows may take longer than that over a slow line.
            if observer.answerCount != answers { end = .now + Self.timeForAnswers }
            try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
                if !hasQueuedEvents { try display.wait(until: end) }
            }
        }
    }

    /// Does what `update()` does, makes no strings and never waits: the first time it tells nothing either as long as there
    /// are no answers, and `hasBegun` is false.
    ///
    /// - Parameter hasInput: false where poll(2) has found nothing to read and there were no queued events, which is
    ///   not tried again then.
    /// - Returns: What became certain. Let it go before the next call.
    /// - Throws: `Failure.displayLost`, after which the watcher is of no use.
    public func advance(hasInput: Bool = true) throws(PhaseMonitor.Failure) -> ChangeBatch {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
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
    }

    /// Waits until the X server answers, for `limit` at most. A server that is grabbed answers its holder alone; a holder
    /// that is stopped keeps it for ever.
    ///
    /// - Returns: true also where the connection is lost, which the next `update()` throws.
    public func isServerAnswering(within limit: Duration) -> Bool {
        (try? observer.isAnswering(within: limit)) ?? true
    }

    /// Watches by other options from the next `update()` on; display, steps and details stay as they are.
    ///
    /// - Parameter options: All of them, the unchanged ones too.
    public func follow(_ options: PhaseMonitor.Options) {
        tracker.follow(
            policy: options.policy, delays: Delays(settle: options.settle, occlusion: options.occlusion),
            states: options.session)
        followSession(options)
        lookAgain()
    }

    var policy: PhasePolicy { tracker.policy }

    var names: GroupNames { observer.desktop.windows.names }

    /// All that is seen on the display now, before any policy and settling. Waits for each answer, at most 5 s.
    func seen(readsAges: Bool = false) throws(PhaseMonitor.Failure) -> Desktop {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try observer.noteEvents()
            // The next update tells what is read here.
            if observer.isStale { lookAgain() }
            if readsAges { observer.readAges() }
            return try observer.refreshNow()
        }
    }

    private var isDue: Bool { due.map { $0 <= Clock.now() } ?? false }

    /// Reads the titles that have changed, or waits until it is time.
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

    private func track() -> ChangeBatch {
        hasBegun = true
        lastAnswer = nil
        let (touched, now) = (observer.takeTouched(), Clock.nanoseconds())
        if let recorder, mustEvaluate { recorder.take(observer.desktop, touched: touched, at: now) }
        var update = tracker.update(
            to: &observer.desktop, after: mustEvaluate ? .windows(touched) : .nothing, at: now)
        mustEvaluate = false
        if looksAtIdle, let notice = takeIdleNotice() {
            recorder?.take(notice)
            update.batch.add(notice)
        }
        if observer.wants.places, let notice = monitorNotice() {
            recorder?.take(notice)
            update.batch.add(notice)
        }
        if update.wantsFullRead { observer.readEverything() }
        due = observer.isStale ? Clock.now() : update.next.map { .nanoseconds($0) }
        return update.batch
    }

    /// Tells once that the server has not answered for long.
    private func silence(hasAnswers: Bool) -> ChangeBatch {
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

    /// Returns a notice where the monitors have changed.
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
