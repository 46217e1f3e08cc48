@_exported import Scenes

/// Watches the phases of the applications on an X11 display.
///
/// A monitor has its own thread, which sleeps while nothing happens. It runs until `close()` is called, until the last
/// reference to it is released (iterations and observations hold one), or until the display is lost. It takes no
/// signals, and neither uses nor replaces Xlib's error handlers.
///
/// ```swift
/// let monitor = try PhaseMonitor()
/// for try await change in monitor.changes(of: .application("firefox")) {
///     print(change.application, change.to ?? "closed")
/// }
/// ```
public final class PhaseMonitor: Sendable {
    private let state: MonitorState
    private let details: PhaseWatcher.Details
    /// Ends the thread; nil if there is none.
    private let stop: (@Sendable () -> Void)?

    /// - Parameter stop: Ends the thread that posts changes; nil if there is none, as in tests.
    init(_ state: MonitorState, _ details: PhaseWatcher.Details, stop: (@Sendable () -> Void)? = nil) {
        (self.state, self.details, self.stop) = (state, details, stop)
    }

    deinit {
        close()
    }

    /// Ends the monitor. Iterations return the changes kept for them and then end; no further action is called.
    ///
    /// A call in progress on another thread may continue.
    public func close() {
        state.end()
        stop?()
    }
}

extension PhaseMonitor {
    /// Returns the present phase of a subject: the greatest phase of everything that it names; nil if nothing matches
    /// it, and after `close()`.
    ///
    /// Sends no request to the X server.
    ///
    /// - Throws: The failure that ended the monitor.
    public func phase(of subject: Subject) throws(Failure) -> ScenePhase? {
        let selection = selection(of: subject)
        return try state.read { SubjectPhase(selection, in: $0).phase } ?? nil
    }

    /// Returns the present state of a subject as changes of the kind `initial`: scenes before their group, groups
    /// before their application. Empty after `close()`.
    ///
    /// Sends no request to the X server.
    ///
    /// - Throws: The failure that ended the monitor.
    public func snapshot(of subject: Subject = .all) throws(Failure) -> [Change] {
        let selection = selection(of: subject)
        return try state.read { $0.changes(of: selection) + $0.ownChanges(of: selection) } ?? []
    }

    /// Returns the changes of a subject, from the start of an iteration.
    ///
    /// Each iteration is a separate consumer. Unread changes of a scene, group or application are merged into one, from
    /// the phase that the consumer read last to the present one.
    ///
    /// - Parameters:
    ///   - subject: The subject of the changes.
    ///   - initial: Whether the sequence begins with the present state, as changes of the kind `initial`.
    public func changes(of subject: Subject, initial: Bool = true) -> Changes {
        let selection = selection(of: subject)
        return Changes(
            monitor: self, state: state, subscribe: { $0.subscribe(selection, initial: initial) },
            element: \.change)
    }

    /// Returns the phases of a subject, the present one first: the greatest phase of everything that it names, nil
    /// while nothing matches it.
    ///
    /// They are the phases that `onChange(of:initial:_:)` reports: a subject that disappears passes through the
    /// background first.
    ///
    /// ```swift
    /// for try await phase in monitor.phases(of: .ownProcess) where phase == .background { save() }
    /// ```
    ///
    /// - Parameter subject: The subject of the phases.
    public func phases(of subject: Subject) -> Phases {
        let selection = selection(of: subject)
        return Phases(
            monitor: self, state: state, subscribe: { $0.subscribe(toPhasesOf: selection) }, element: \.phase)
    }

    /// Calls an action when the phase of a subject changes, as SwiftUI's `onChange(of:initial:_:)` does.
    ///
    /// The phase is nil while nothing matches the subject. A subject that disappears passes through the background
    /// first, so that cleanup written for the background runs at the end, too. Calls never overlap. They are made
    /// through `Options.deliver`, or else on the monitor's own thread, where they should return quickly. A slow action
    /// misses phases that were left again.
    ///
    /// - Parameters:
    ///   - subject: The subject of the phase.
    ///   - initial: Whether the action is called at once, on the calling thread, with the present phase (nil after the
    ///     end) as both the old and the new one.
    ///   - action: Receives the phase that it was last called with, and the new one.
    /// - Returns: The observation, which ends the calls when it is cancelled or released.
    public func onChange(
        of subject: Subject, initial: Bool = false,
        _ action: @escaping @Sendable (_ old: ScenePhase?, _ new: ScenePhase?) -> Void
    ) -> Observation {
        let id = state.observe(selection(of: subject), initial: initial) { old, new, _ in action(old, new) }
        return Observation(monitor: self, state: state, id: id)
    }

    /// Calls an action without arguments when the phase of a subject changes, as SwiftUI's does.
    ///
    /// See `onChange(of:initial:_:)` with two arguments.
    public func onChange(
        of subject: Subject, initial: Bool = false, _ action: @escaping @Sendable () -> Void
    ) -> Observation {
        onChange(of: subject, initial: initial) { _, _ in action() }
    }

    /// Calls an action with the new phase of a subject, as SwiftUI's deprecated form does.
    @available(
        *, deprecated, message: "use an action with two arguments, the old and the new phase, or with none"
    )
    public func onChange(
        of subject: Subject, perform action: @escaping @Sendable (_ new: ScenePhase?) -> Void
    ) -> Observation {
        onChange(of: subject) { _, new in action(new) }
    }

    /// Follows the phase and the scenes of a subject. The action is called at once, and after each change of either.
    package func follow(
        _ subject: Subject, _ deliver: Delivery?,
        _ action: @escaping @Sendable (ScenePhase?, [Change]) -> Void
    ) -> Observation {
        let id = state.observe(
            selection(of: subject), initial: true, followsScenes: true, deliver: deliver
        ) { _, phase, scenes in action(phase, scenes) }
        return Observation(monitor: self, state: state, id: id)
    }

    private func selection(of subject: Subject) -> Selection {
        let selection = Selection(subject, reportsTitles: details.contains(.titleChanges))
        if selection.isOfTitles, details.isDisjoint(with: [.titles, .titleChanges]) {
            fatalError("PhaseMonitor.Subject.title: no titles are read, since Options.details lacks .titles")
        }
        return selection
    }
}

extension PhaseMonitor {
    /// What a monitor watches, and how it derives phases.
    public struct Options: Hashable, Sendable {
        /// The policy, which decides which visible scenes are active.
        public var policy: PhasePolicy
        /// Whether changes between active and background pass through inactive, as on iOS and macOS.
        public var isStepwise: Bool
        /// How long a change must be stable before it is reported, at most 500 ms after its first sign.
        ///
        /// A mere move of the focus is reported after 20 ms, or after this delay if it is shorter. With `.zero` every
        /// step is reported as it is read, including states that window managers only pass through.
        public var settle: Duration
        /// The states of the session in which every scene is in the background, because the user cannot see it.
        public var session: Set<SessionState>
        /// How long other windows must cover a scene completely before it is in the background; nil for never.
        public var occlusion: Duration?
        /// How long the user must be idle before active scenes become inactive; nil for never.
        public var idle: Duration?
        /// The details to read besides phases. Details that are not requested are nil and cost nothing.
        public var details: PhaseWatcher.Details
        /// Where the calls of `PhaseMonitor.onChange(of:initial:_:)` are made and models change; nil for the monitor's own
        /// thread.
        public var deliver: Delivery?
        /// The X display, such as `:0`; nil for the one that the variable `DISPLAY` names.
        public var display: String?

        /// Creates options. Omitted ones have their default values.
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
