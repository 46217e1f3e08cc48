import Scenes
import X11

/// Watches a display: from the X socket to events.
///
/// One thread, which sleeps in poll(2) while nothing happens.
public final class Watcher {
    /// Why a watch ended without an error.
    public enum End: Equatable, Sendable {
        case signal(Int32)
        /// Whoever reads the events has gone away.
        case readerGone
    }

    private let display: Display
    private let observer: DesktopObserver
    private var tracker: SceneTracker

    /// Opens the display.
    ///
    /// - Throws: `DisplayError`.
    public init(_ options: WatchOptions) throws(DisplayError) {
        display = try Display(options.display)
        observer = DesktopObserver(
            display, hostName: Processes.hostName(), executable: Processes.executable(of:))
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise, delays: Delays(settle: options.settle))
    }

    /// Everything that is there now, as initial changes. For one call, and not before `run`.
    ///
    /// - Throws: `DisplayError`.
    public func snapshot() throws(DisplayError) -> [Event] {
        try observer.noteEvents()
        return try look().events
    }

    /// All that is seen on the display now, before any policy. For one call, and not before `run`.
    ///
    /// - Throws: `DisplayError`.
    public func seen() throws(DisplayError) -> Desktop {
        try observer.refresh()
    }

    /// What the server and the window managers say of themselves. For one call, after `seen`.
    ///
    /// - Throws: `DisplayError`.
    public func introduction() throws(DisplayError) -> (server: ServerFacts, hints: [ManagerHints]) {
        (observer.server, try observer.managerHints())
    }

    /// Watches until a signal asks for the end (SIGINT, SIGTERM) or the reader goes away.
    ///
    /// - Throws: `DisplayError` when the server goes away, `SystemError`, and what the sink throws.
    public func run(into sink: some EventSink) throws -> End {
        let loop = try EventLoop(display: display.fileDescriptor, output: sink.descriptor)
        var backlog = Backlog()
        loop.setTimer(try tell(sink, &backlog))
        while true {
            switch try loop.wait(hasQueuedEvents: display.hasQueuedEvents, hasBacklog: sink.hasBacklog) {
            case .display:
                try observer.noteEvents()
                if observer.isStale { loop.setTimer(try tell(sink, &backlog)) }
            case .timer:
                // What is believed now may have been taken back by an event that waits to be read.
                try observer.noteEvents()
                loop.setTimer(try tell(sink, &backlog))
            case .output:
                try sink.flush()
                try backlog.catchUp(tracker, sink)
            case .signal(let number):
                return .signal(number)
            case .hangUp:
                return .readerGone
            }
        }
    }

    /// Tells the sink what is new; returns when to look again though nothing happened.
    private func tell(_ sink: some EventSink, _ backlog: inout Backlog) throws -> Duration? {
        backlog.prepare(tracker, sink)
        let update = try look()
        try backlog.pass(update.events, to: sink)
        return update.next
    }

    private func look() throws(DisplayError) -> SceneTracker.Update {
        var update = tracker.update(to: try observer.refresh(), at: Clock.now())
        if update.wantsFullRead {
            observer.readEverything()
            let events = update.events
            update = tracker.update(to: try observer.refresh(), at: Clock.now())
            update.events.insert(contentsOf: events, at: 0)
        }
        if observer.isStale { update.next = Clock.now() }
        return update
    }
}
