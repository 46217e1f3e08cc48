import Glibc
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
    /// Details of scenes that are read only on request.
    public typealias Details = SceneDetails

    private enum Progress {
        /// For replies. The last one arrived, or the wait for the first one began, at this time.
        case reading(since: Duration)
        /// For events, or for a time to update.
        case current(next: Duration?)
        /// For replies that do not arrive, which was reported.
        case silent
    }

    /// How long to wait for replies before reporting that none arrives.
    private static let timeForAnswers = DesktopObserver.patience
    /// The interval between reads of titles that change constantly.
    private static let timeForTitles = Duration.milliseconds(100)

    /// The interval between readings that find no end.
    private static let timeForEndless = Duration.seconds(1)
    /// The interval between evaluations in a storm of events, which settle anyway.
    private static let timeForEvents = Duration.milliseconds(5)

    private let display: Display
    let observer: DesktopObserver
    private(set) var tracker: SceneTracker
    /// Whether `activeScene` changed in the last `advance`, which may have returned no event.
    package private(set) var hasNewFocus = false
    /// Receives everything that is read, while a recording is made.
    private var recorder: Recorder?

    /// The details of scenes that are read besides phases. The options set the initial value.
    public var details: Details { didSet { followDetails() } }

    private var progress = Progress.current(next: .zero)
    /// Whether everything present at the start has been reported.
    package private(set) var hasBegun = false
    /// Whether anything was read or changed since the last update of the tracker; otherwise only time has passed.
    private var mustEvaluate = true
    /// When titles may be read again.
    private var nextTitles = Duration.zero
    /// When the tracker was last updated.
    private(set) var lastUpdate = Duration.zero
    /// Whether idle times were requested and the check that the server reports them is still due.
    private var looksAtIdle = false
    private var settle: Duration

    /// Opens a display. Nothing is read before the first `update()`.
    ///
    /// With `ownsProcess`, the watcher returns memory to the kernel after a burst of events, which may block other threads
    /// of the program for a moment.
    ///
    /// - Throws: `MonitorFailure.cannotOpenDisplay`, `.displayFull`, `.displaySilent`. Opening has no time limit.
    public init(
        _ options: PhaseMonitor.Options = PhaseMonitor.Options(), ownsProcess: Bool = false
    ) throws(MonitorFailure) {
        display = try Display(options.display, sharesProcess: !ownsProcess)
        observer = try DesktopObserver(display)
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise, delays: options.delays,
            states: options.hidingStates)
        (details, settle) = (options.details, options.settle)
        followSession(options)
        followDetails()
    }

    /// The name of the display, such as `:0`.
    public var displayName: String { display.name }

    package var hasOtherScreens: Bool { display.hasOtherScreens }

    /// The X socket, for poll(2) with POLLIN.
    public var fileDescriptor: Int32 { display.fileDescriptor }

    /// Whether events were read from the socket and not processed yet. poll(2) does not report them.
    public var hasQueuedEvents: Bool {
        // While replies are awaited, events are processed after them.
        observer.isAwaiting ? observer.isInterrupted : display.hasQueuedEvents
    }

    /// Whether the X server has sent something that is not processed yet.
    package var hasUnread: Bool {
        var socket = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return hasQueuedEvents || poll(&socket, 1, 0) > 0
    }

    /// When to call `update()` even if no event arrives: a time of CLOCK_MONOTONIC, which may have passed; nil for
    /// never. Every update may change it, as may every call that changes the options or the details.
    public var nextUpdateTime: Duration? {
        switch progress {
        case .reading(let since): since + Self.timeForAnswers
        case .current(let next): observer.windows.hasNewTitles ? min(next ?? nextTitles, nextTitles) : next
        case .silent: nil
        }
    }

    /// How long to sleep until the next `update()`, in milliseconds for poll(2): 0 for not at all, -1 for until an
    /// event arrives.
    public var timeout: Int32 {
        if hasQueuedEvents { return 0 }
        guard let nextUpdateTime else { return -1 }
        let left = nextUpdateTime - Clock.now()
        return left <= .zero ? 0 : Int32(clamping: left.milliseconds + 1)
    }

    /// Processes events, and requests the facts that they made stale. Only the first call waits for the replies, at most 5 s
    /// for each. Later replies are processed by the call after the socket becomes readable.
    ///
    /// - Returns: The changes that have settled, in order: scenes before their group, groups before their application.
    ///   The first call returns the present state, as changes of the kind `initial`.
    /// - Throws: `MonitorFailure.displayLost`, after which the watcher is unusable. The first call also throws
    ///   `.displaySilent`.
    public func update() throws(MonitorFailure) -> [Event] {
        var events: [Event] = []
        repeat {
            if !hasBegun { _ = try observer.refreshNow() }
            // Events that arrived meanwhile are processed by the next call.
            events += try advance(hasInput: hasBegun)
        } while !hasBegun
        return events.filter { $0.change?.kind != .facts }
    }

    /// Does the work of `update()` without waiting, and also returns changes of the kind `facts`. Until the first replies
    /// are complete, it returns no changes and `hasBegun` is false.
    ///
    /// - Parameter hasInput: Whether to read from the socket; false if poll(2) found nothing to read and no events were
    ///   queued.
    /// - Throws: `MonitorFailure.displayLost`, after which the watcher is unusable.
    package func advance(hasInput: Bool = true) throws(MonitorFailure) -> [Event] {
        hasNewFocus = false
        if case .current(let next) = progress {
            let known = observer.desktop.windows.count
            let hasNews = hasInput ? try observer.noteEvents() : false
            let now = Clock.now()
            if observer.windows.hasNewTitles && nextTitles <= now {
                observer.windows.readTitles()
                nextTitles = now + Self.timeForTitles
            }
            let isDue = next.map { $0 <= now } ?? false
            // A reading that found no end also leaves errors to be noted.
            let mustRead = observer.isStale && (hasNews || !observer.isEndless)
            if !isDue && !mustRead { return [] }
            // The end of a window is reported at once, and so are signs.
            let mayPause = !isDue && observer.desktop.windows.count >= known && !details.contains(.signs)
            let end = lastUpdate + min(Self.timeForEvents, settle)
            if mayPause && end > now {
                progress = .current(next: min(next ?? end, end))
                return []
            }
            mustEvaluate = mustEvaluate || observer.isStale
        }
        let answers = observer.answerCount
        return try observer.refresh() ? track() : wait(hasAnswers: observer.answerCount != answers)
    }

    /// Returns a notice, once, if the server has not replied for `timeForAnswers`.
    private func wait(hasAnswers: Bool) -> [Event] {
        let now = Clock.now()
        switch progress {
        case .silent where !hasAnswers: return []
        case .reading(let since) where !hasAnswers && now < since + Self.timeForAnswers: return []
        case .reading where !hasAnswers:
            progress = .silent
            let seconds = Self.timeForAnswers.milliseconds / 1000
            let text = "the X server has not answered for \(seconds) s; phases stay as they are until it does"
            return [.notice(noted("server", text))]
        default:
            progress = .reading(since: now)
            mustEvaluate = true
            return []
        }
    }

    private func track() -> [Event] {
        hasBegun = true
        let now = Clock.nanoseconds()
        lastUpdate = .nanoseconds(now)
        observer.screen.nameLocations()
        if let recorder, mustEvaluate { recorder.take(observer.desktop, at: now) }
        var update = tracker.update(to: observer.desktop, hasRead: mustEvaluate, at: now)
        mustEvaluate = false
        hasNewFocus = update.hasNewFocus
        update.events += [idleNotice(), monitorNotice()].compactMap { $0.map(Event.notice) }
        if update.wantsFullRead { observer.readEverything() }
        var next = update.next.map { Duration.nanoseconds($0) }
        if observer.isStale {
            let isEndless = observer.isEndless && !update.wantsFullRead
            let again = Clock.now() + (isEndless ? Self.timeForEndless : .zero)
            next = min(next ?? again, again)
        }
        progress = .current(next: next)
        return update.events
    }

    /// Evaluates everything with the next `update()`.
    private func lookAgain() {
        mustEvaluate = true
        if case .current = progress { progress = .current(next: Clock.now()) }
    }

    /// Returns a notice, which is also recorded.
    private func noted(_ name: String, _ text: String) -> Notice {
        let notice = Notice(name: name, text: text)
        recorder?.take(notice)
        return notice
    }

    private func monitorNotice() -> Notice? {
        guard let names = observer.screen.takeMonitorNews() else { return nil }
        let list = names.joined(separator: ", ")
        return noted("monitors", names.isEmpty ? "there is no monitor now" : "the monitors are \(list) now")
    }

    /// Returns a notice, once, if the display does not report idle times.
    private func idleNotice() -> Notice? {
        guard looksAtIdle else { return nil }
        looksAtIdle = false
        if observer.session.reportsIdle { return nil }
        let lack =
            observer.isXWayland
            ? "it is XWayland"
            : observer.extensions[.sync] != nil ? "it has no counter IDLETIME" : "it lacks SYNC"
        return noted(
            "session", "the X server does not report idle times, since \(lack); idle has no effect")
    }
}

/// What is watched.
extension PhaseWatcher {
    /// Applies other options from the next `update()` on, also the unchanged ones, but for display, steps and details.
    public func follow(_ options: PhaseMonitor.Options) {
        tracker.follow(policy: options.policy, delays: options.delays, states: options.hidingStates)
        settle = options.settle
        followSession(options)
        lookAgain()
    }

    private func followSession(_ options: PhaseMonitor.Options) {
        looksAtIdle = options.idle != nil
        observer.followSession(options)
    }

    private func followDetails() {
        tracker.reportsTitles = details.contains(.titleChanges)
        tracker.reportsSigns = details.contains(.signs)
        observer.details = details
        if isReading { lookAgain() }
    }

    /// Reads everything again with the next `update()`, and returns a notice named `resumed`. Call it after the machine was
    /// asleep: the X server may not report changes from that time. A `PhaseMonitor` does so by itself.
    @discardableResult
    public func resume() -> Notice {
        observer.readEverything()
        lookAgain()
        return noted("resumed", "the machine was asleep; everything is read again")
    }

    /// Takes the screen saver that reports on the session bus that it is active, for the next `update()`; nil if none does.
    package func take(activeSaver name: String?) {
        if observer.session.activeSaver == name { return }
        observer.session.activeSaver = name
        lookAgain()
    }

    /// Counts the user as idle only after `confirmIdle()`: a program may know of inhibitors, the X server does not.
    package func askBeforeIdle() { observer.session.asksBeforeIdle = true }

    /// Reads the display before the first `update()`, which then reports the user as idle only if `isIdle` returns true for
    /// the application with the focus. From then on, works as after `askBeforeIdle()`.
    package func read(confirmingIdle isIdle: (ActiveApplication?) -> Bool) throws(MonitorFailure) {
        try observer.refreshNow(confirmingIdle: isIdle)
    }

    /// The application with the focus, as it was read last; nil if there is none.
    package var activeApplication: ActiveApplication? { Rule(observer.desktop, .focus).activeApplication }

    /// Whether the user has been idle for the time in the options, and `confirmIdle()` is awaited.
    package var awaitsIdle: Bool { observer.session.awaitsIdle }

    /// Counts the user as idle from the next `update()` on, unless there was input meanwhile.
    package func confirmIdle() {
        observer.session.confirmIdle()
        lookAgain()
    }

    /// Records everything that is read from now on, for a `Replay`: `write` receives whole lines during the calls of
    /// `update()`. Call it before the first one.
    package func record(_ options: RecordingHeader, into write: @escaping ([UInt8]) -> Void) {
        var header = options
        header.server = "\(observer.server.vendor) \(observer.server.release)"
        recorder = Recorder(header, into: write)
    }

    /// Writes the last line of the recording and ends it.
    package func endRecording() {
        recorder?.end()
        recorder = nil
    }
}

/// What was reported, and questions to the server.
extension PhaseWatcher {
    /// The present state, as changes of the kind `initial`. Sends no request to the X server.
    package var present: [Change] { tracker.present() }

    /// Returns the scene with the input focus as a change of the kind `initial`, in its phase under the options; nil if
    /// there is none.
    package func activeScene() -> Change? { tracker.activeScene.flatMap(tracker.present) }

    /// Whether the scene that had the focus has ended, and where the focus is has not settled.
    package var isFocusSettling: Bool { tracker.activeScene != nil && activeScene() == nil }

    /// The state reported so far, for `resync(since:)`.
    package var state: SceneTable { tracker.table }

    /// Returns the present state for a reader that knows only this state: everything that is gone as closed, and the rest
    /// as changes of the kind `initial`.
    package func resync(since state: SceneTable) -> [Event] {
        tracker.resync(since: state, at: Clock.nanoseconds()).map(Event.change)
    }

    /// Returns the applications in the background with signs of use since the last call: one of their windows became
    /// visible or got the focus, or a client asked the window manager to activate or close one. Signs do not settle.
    /// Needs `Details.signs`.
    package func takeSigns() -> Set<String> {
        let windows = observer.desktop.windows
        let requested = observer.takeRequested().compactMap(windows.slot(of:))
        return tracker.takeSigns().union(requested.map { windows.text($0).application })
    }

    /// Whether more must be read before reports match the display.
    package var isReading: Bool { observer.isStale }

    /// Asks the X server for an answer, which comes as soon as it responds, during a later update. A grabbed server
    /// responds only to the client that holds the grab, which lasts forever if that client is stopped.
    package func askServer(then answer: @escaping () -> Void) {
        observer.ask(then: answer)
        lookAgain()
    }

    /// Requests a reply. The events of everything that the server has done before precede it.
    package func askServer() -> ServerMoment {
        observer.askServer()
        lookAgain()
        return ServerMoment()
    }

    /// Asks what an application, with these windows, their processes and all of its processes, does with the X server
    /// besides showing scenes. The answer comes during a later update, which it must not begin.
    package func ask(
        useOf windows: [UInt32], owners: Set<Int32>, processes: Set<Int32>,
        answer: @escaping (WindowUse) -> Void
    ) {
        observer.ask(useOf: windows, owners: owners, processes: processes, answer: answer)
        lookAgain()
    }

    /// Returns whether all phases that result from events before a moment have been reported. Ask after each update.
    package func hasReported(_ moment: inout ServerMoment) -> Bool {
        if moment.read == nil && hasBegun && !isReading && !hasQueuedEvents {
            moment.read = Clock.nanoseconds()
        }
        return moment.read.map(tracker.hasSettled) ?? false
    }

    /// Reports messages, keys and buttons for stopped clients, given by at least one window of each, on another connection
    /// to the display, as another thread begins; nil if the server lacks RECORD.
    package var deliveredEvents: DeliveredEvents.Beginning? { observer.deliveredEvents }

    /// Returns whether a window is known as a client of the window manager: a scene, one of its dialogs or an accessory.
    package func isManaged(_ window: UInt32) -> Bool {
        let desktop = observer.desktop
        return desktop.windows.facts(of: window).map(desktop.isManaged) ?? false
    }
}

/// A moment in the event order of the X server; see `PhaseWatcher.askServer()`.
package struct ServerMoment: Sendable {
    /// When all earlier events had been read; nil until then.
    fileprivate var read: Int64?
}

extension PhaseMonitor.Options {
    var delays: Delays { Delays(settle: settle, occlusion: occlusion) }
}
