import Glibc
@_exported import Scenes
import System

/// Watches the phases of the applications on an X11 display.
///
/// A monitor has a thread of its own, which sleeps while nothing happens. It runs until `close()`, until nobody
/// holds it any longer (who iterates or observes holds it, too), or until the display is lost. It takes no
/// signals, and leaves Xlib's error handlers to the displays of others.
///
/// ```swift
/// let monitor = try PhaseMonitor()
/// for try await change in monitor.changes(of: .application("firefox")) {
///     print(change.application, change.to ?? "closed")
/// }
/// ```
public final class PhaseMonitor: Sendable {
    private let state: MonitorState
    /// nil for a scripted one, which has no thread.
    private let stop: StopSignal?
    private let details: PhaseWatcher.Details

    /// Opens a display, reads what is on it, and begins to watch.
    ///
    /// This takes a few round trips to the X server, for which it waits, at most 5 s after XOpenDisplay. That has no time
    /// limit, and a server that dies within it ends the process: Xlib knows no other way.
    ///
    /// - Throws: `Failure.cannotOpenDisplay`, `.displayLost`, `.displaySilent` or `.system`.
    public init(_ options: Options = Options()) throws(Failure) {
        let watcher = try PhaseWatcher(options)
        // The monitor keeps settled titles, so it needs their changes.
        if options.details.contains(.titles) { watcher.details.insert(.titleChanges) }
        let state = MonitorState(options)
        details = options.details
        let found = try watcher.begin()
        state.post(found)
        self.state = state
        do throws(SystemError) {
            let stop = try StopSignal()
            self.stop = stop
            try DetachedThread.start { Self.run(watcher, state, endedBy: stop) }
        } catch {
            throw Failure(error)
        }
    }

    /// A monitor without a thread, which a `Script` feeds.
    init(_ state: MonitorState, _ details: PhaseWatcher.Details) {
        (self.state, self.details, stop) = (state, details, nil)
    }

    deinit {
        close()
    }

    /// Ends the monitor: those who iterate read what waits for them and then the end, and nothing more is called.
    ///
    /// A call that is being made on another thread may still go on.
    public func close() {
        state.end()
        stop?.hangUp()
    }

    private static func run(_ watcher: PhaseWatcher, _ state: MonitorState, endedBy stop: StopSignal) {
        do throws(Failure) {
            let loop = try Failure.ofSystem { () throws(SystemError) in
                try EventLoop(
                    display: watcher.fileDescriptor, output: stop.descriptor, signals: [], sleep: SleepWatch()
                )
            }
            while true {
                loop.setTimer(watcher.deadline)
                let wake = try Failure.ofSystem { () throws(SystemError) in
                    try loop.wait(hasQueuedEvents: watcher.hasQueuedEvents)
                }
                if wake == .hangUp { return state.end() }
                if wake == .resumed { _ = watcher.resume() }
                let batch = try watcher.advance()
                if !batch.isEmpty || batch.hasRefreshed { state.post(batch) }
            }
        } catch {
            state.end(error)
        }
    }
}

extension PhaseMonitor {
    /// The phase of a subject now: the greatest of what it names; nil if there is nothing, and after `close()`.
    ///
    /// It asks the X server nothing.
    ///
    /// - Throws: The failure that ended the monitor.
    public func phase(of subject: Subject) throws(Failure) -> ScenePhase? {
        let selection = selection(of: subject)
        return try state.read { $0.phase(of: selection) } ?? nil
    }

    /// What there is of a subject now, as changes of the kind `initial`: scenes before their group, groups before
    /// their application. Empty after `close()`.
    ///
    /// It asks the X server nothing.
    ///
    /// - Throws: The failure that ended the monitor.
    public func snapshot(of subject: Subject = .all) throws(Failure) -> [Change] {
        let selection = selection(of: subject)
        return try state.read { $0.changes(of: selection) } ?? []
    }

    /// The changes of a subject, from when iteration begins.
    ///
    /// Each iteration is a consumer of its own. One that lags gets the latest change of each scene, group and
    /// application, `from` the phase that it knows: no more waits for it than there are of these.
    ///
    /// - Parameters:
    ///   - subject: What the changes are to be about.
    ///   - initial: It begins with the present, as changes of the kind `initial`.
    public func changes(of subject: Subject, initial: Bool = true) -> Changes {
        Changes(monitor: self, state: state, selection: selection(of: subject), initial: initial)
    }

    /// The phases of a subject, the present one first: the greatest of what it names, nil where there is nothing.
    ///
    /// They are those that `onChange(of:initial:_:)` calls with: what goes away passes through the background first.
    ///
    /// ```swift
    /// for try await phase in monitor.phases(of: .ownProcess) where phase == .background { save() }
    /// ```
    ///
    /// - Parameter subject: What has the phase.
    public func phases(of subject: Subject) -> Phases {
        Phases(changes: changes(of: subject))
    }

    /// Calls an action when the phase of a subject changes, as SwiftUI's `onChange(of:initial:_:)` does.
    ///
    /// The phase is nil where there is nothing of the subject. What goes away passes through the background
    /// first, so that cleanup written for that runs at the end, too. Calls never overlap. They are made where
    /// `Options.deliver` says, or else on the monitor's own thread, which should soon have it back; those who are slow
    /// miss phases that were left again.
    ///
    /// - Parameters:
    ///   - subject: What has the phase.
    ///   - initial: The action is called at once, on this thread, with the present as both the old and the new
    ///     phase: nil after the end.
    ///   - action: Gets the phase that it was last called with, and the new one.
    /// - Returns: What ends the calls when it is cancelled, or when nobody holds it any longer.
    public func onChange(
        of subject: Subject, initial: Bool = false,
        _ action: @escaping @Sendable (_ old: ScenePhase?, _ new: ScenePhase?) -> Void
    ) -> Observation {
        let id = state.observe(selection(of: subject), initial: initial, action)
        return Observation(monitor: self, state: state, id: id)
    }

    private func selection(of subject: Subject) -> Selection {
        if case .title = subject, details.isDisjoint(with: [.titles, .titleChanges]) {
            fatalError("PhaseMonitor.Subject.title: no titles are read, since Options.details lacks .titles")
        }
        return Selection(subject, reportsTitles: details.contains(.titleChanges))
    }
}

extension PhaseMonitor {
    /// What to watch, and how what is seen becomes phases.
    public struct Options: Hashable, Sendable {
        /// Which of the visible scenes count as active.
        public var policy: PhasePolicy
        /// Passes through inactive between active and background, both ways, as iOS and macOS do.
        public var isStepwise: Bool
        /// How long a change must hold still to be believed; 500 ms after its first sign it is at the latest.
        ///
        /// A mere move of the focus is believed after 20 ms, or this if it is shorter. With `.zero` every step
        /// is reported as it is read, also those that window managers only pass through.
        public var settle: Duration
        /// The states of the session in which every scene is in the background, since nobody sees it.
        public var session: Set<SessionState>
        /// How long other windows must cover a scene wholly until it is in the background; nil for never.
        public var occlusion: Duration?
        /// How long the user must have touched nothing until active scenes are inactive; nil for never.
        public var idle: Duration?
        /// What is read of scenes beside their phases. What is not asked for is nil, and costs nothing.
        public var details: PhaseWatcher.Details
        /// Where the calls of `PhaseMonitor.onChange(of:initial:_:)` are made; nil for the monitor's own thread.
        public var deliver: Delivery?
        /// The X display, `:0` say; nil for the one that the variable `DISPLAY` names.
        public var display: String?

        /// Takes the options that differ from the usual ones.
        public init(
            policy: PhasePolicy = .focus, isStepwise: Bool = false, settle: Duration = .milliseconds(100),
            session: Set<SessionState> = Set(SessionState.allCases), occlusion: Duration? = nil,
            idle: Duration? = nil, display: String? = nil, details: PhaseWatcher.Details = [],
            deliver: Delivery? = nil
        ) {
            self.policy = policy
            self.isStepwise = isStepwise
            self.settle = settle
            self.session = session
            self.occlusion = occlusion
            self.idle = idle
            self.display = display
            self.details = details
            self.deliver = deliver
        }

        var watched: SessionOptions { SessionOptions(states: session, occlusion: occlusion, idle: idle) }
    }
}
