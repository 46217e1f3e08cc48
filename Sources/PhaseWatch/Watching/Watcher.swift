import CLinux
import Scenes
import X11

/// Watches a display: from the X socket to events.
///
/// One thread, which sleeps in poll(2) while nothing happens.
package final class Watcher {
    /// Why a watch ended without an error.
    package enum End: Equatable, Sendable {
        case signal(Int32)
        /// Whoever reads the events has gone away, or has seen what it waited for.
        case readerGone
    }

    /// How long the event that tells where the focus went is waited for before the server is asked.
    private static let timeForFocus = Duration.milliseconds(1)

    private let display: Display
    private let ownsProcess: Bool
    private let observer: DesktopObserver
    package private(set) var tracker: SceneTracker

    /// Opens the display.
    ///
    /// - Parameter sharesProcess: It is in a program of somebody's own, which may use Xlib as well.
    /// - Throws: `DisplayError`.
    package init(_ options: PhaseMonitor.Options, sharesProcess: Bool = false) throws(DisplayError) {
        display = try Display(options.display, sharesProcess: sharesProcess)
        ownsProcess = !sharesProcess
        observer = DesktopObserver(
            display, hostName: Processes.hostName(), executable: Processes.executable(of:))
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise, delays: Delays(settle: options.settle))
    }

    /// The name of the display, `:0` say.
    package var displayName: String { display.name }

    /// Everything that is there now, as initial changes. For one call, and not before `run`.
    ///
    /// - Parameter hasTitles: Whether scenes come with their titles.
    /// - Throws: `DisplayError`.
    package func snapshot(hasTitles: Bool = true) throws(DisplayError) -> [Event] {
        observer.readsTitles = hasTitles
        try observer.noteEvents()
        return try look().events
    }

    /// All that is seen on the display now, before any policy. For one call, and not before `run`.
    ///
    /// - Throws: `DisplayError`.
    package func seen() throws(DisplayError) -> Desktop {
        try observer.refresh()
    }

    /// What the server and the window managers say of themselves. For one call, after `seen`.
    ///
    /// - Throws: `DisplayError`.
    package func introduction() throws(DisplayError) -> (server: ServerFacts, hints: [ManagerHints]) {
        (observer.server, try observer.managerHints())
    }

    /// Watches until a signal asks for the end or the reader goes away.
    ///
    /// - Parameters:
    ///   - reactor: Gets every event, also those that the sink gives up.
    ///   - endings: The signals that end it: SIGINT and SIGTERM. They are blocked from here on.
    /// - Throws: `DisplayError` when the server goes away, `SystemError`, and what the sink throws.
    package func run(
        into sink: some EventSink, reactor: (any Reactor)? = nil,
        endedBy endings: [Int32] = EventLoop.endingSignals
    ) throws -> End {
        let loop = try EventLoop(
            display: display.fileDescriptor, output: sink.descriptor,
            signals: endings + (reactor?.signals ?? []))
        reactor?.join(loop)
        observer.readsTitles = sink.usesTitles || reactor?.usesTitles == true
        var backlog = Backlog()
        var next = try tell(sink, &backlog, reactor)
        if ownsProcess { linux_give_back_program() }
        while reactor?.isDone != true {
            loop.setTimer(earlier(next, reactor?.next))
            switch try loop.wait(hasQueuedEvents: display.hasQueuedEvents, hasBacklog: sink.hasBacklog) {
            case .display:
                try observer.noteEvents()
                if observer.expectsFocus {
                    next = earlier(next, Clock.now() + Self.timeForFocus)
                } else if observer.isStale {
                    next = try tell(sink, &backlog, reactor)
                }
            case .timer:
                reactor?.wake()
                _ = try listen(to: reactor, sink, &backlog)
                // What is believed now may have been taken back by an event that waits to be read.
                try observer.noteEvents()
                next = try tell(sink, &backlog, reactor)
            case .output:
                try sink.flush()
                try backlog.catchUp(tracker, sink)
            case .ready(let descriptor):
                reactor?.ready(descriptor)
            case .signal(let number):
                guard let reactor, reactor.signals.contains(number) else { return .signal(number) }
                reactor.received(number)
            case .hangUp:
                return .readerGone
            }
            if try listen(to: reactor, sink, &backlog) { next = Clock.now() }
        }
        return .readerGone
    }

    private func earlier(_ moment: Duration?, _ other: Duration?) -> Duration? {
        guard let moment, let other else { return moment ?? other }
        return min(moment, other)
    }

    /// Tells the sink and the reactor what is new; returns when to look again though nothing happened.
    private func tell(
        _ sink: some EventSink, _ backlog: inout Backlog, _ reactor: (any Reactor)?
    ) throws -> Duration? {
        backlog.prepare(tracker, sink)
        let update = try look()
        sink.see(tracker, update.events)
        let time = Timestamp.now()
        let numbers = try backlog.pass(update.events, at: time, to: sink)
        reactor?.take(update.events, numbers: numbers, at: time)
        return update.next
    }

    /// Takes what a reactor has to say; returns whether it has changed what phases are.
    private func listen(
        to reactor: (any Reactor)?, _ sink: some EventSink, _ backlog: inout Backlog
    ) throws -> Bool {
        guard let reactor else { return false }
        let notices = reactor.takeNotices().map(Event.notice)
        if !notices.isEmpty {
            backlog.prepare(tracker, sink)
            _ = try backlog.pass(notices, at: .now(), to: sink)
        }
        guard let rules = reactor.takeRules() else { return false }
        tracker.follow(policy: rules.policy, delays: Delays(settle: rules.settle))
        observer.readsTitles = sink.usesTitles || reactor.usesTitles
        if rules.wantsPresent { reactor.takePresent(tracker.present(at: Clock.now()), at: .now()) }
        return true
    }

    private func look() throws(DisplayError) -> SceneTracker.Update {
        var update = try track()
        if update.wantsFullRead {
            observer.readEverything()
            let events = update.events
            update = try track()
            update.events.insert(contentsOf: events, at: 0)
        }
        if observer.isStale { update.next = Clock.now() }
        return update
    }

    private func track() throws(DisplayError) -> SceneTracker.Update {
        let desktop = try observer.refresh()
        return tracker.update(to: desktop, touched: observer.takeTouched(), at: Clock.now())
    }
}
