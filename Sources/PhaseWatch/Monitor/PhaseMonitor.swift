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
    let state: MonitorState
    private let stop: @Sendable () -> Void

    /// - Parameter stop: Ends the thread that posts changes.
    init(_ state: MonitorState, stop: @escaping @Sendable () -> Void = {}) {
        (self.state, self.stop) = (state, stop)
    }

    deinit { close() }

    /// Ends the monitor. Iterations return the changes kept for them and then end; no further action is called. A call in
    /// progress on another thread may continue.
    public func close() {
        state.end()
        stop()
    }

    /// Returns the present phase of a subject: the greatest phase of everything that it names; nil if nothing matches
    /// it, and after `close()`. Sends no request to the X server.
    ///
    /// - Throws: The failure that ended the monitor; `.titlesNotRead`.
    public func phase(of subject: Subject) throws(MonitorFailure) -> ScenePhase? {
        try scenes(of: subject).map(\.phase).max()
    }

    /// Returns the scenes of everything that a subject names, in the order of their windows. Empty after `close()`. Sends
    /// no request to the X server.
    ///
    /// - Throws: The failure that ended the monitor; `.titlesNotRead`.
    public func scenes(of subject: Subject = .all) throws(MonitorFailure) -> [Scene] {
        try state.scenes(of: subject)
    }

    /// Returns the changes of a subject, from the start of an iteration.
    ///
    /// Each iteration is a separate consumer. Unread changes of a scene, group or application are merged into one, from
    /// the phase that the consumer read last to the present one.
    ///
    /// With `initial`, the sequence begins with the present state, as changes of the kind `initial`: scenes before their
    /// group, groups before their application.
    public func changes(of subject: Subject, initial: Bool = false) -> Changes {
        Changes(monitor: self, subject: subject, content: .changes, initial: initial) { $0 }
    }

    /// Returns the phases of a subject, the present one first, as `onChange(of:initial:_:)` reports them: the greatest phase
    /// of everything that it names, nil while nothing matches it. A subject that disappears passes through the background.
    ///
    /// ```swift
    /// for try await phase in monitor.phases(of: .ownProcess) where phase == .background { save() }
    /// ```
    public func phases(of subject: Subject) -> Phases {
        Phases(monitor: self, subject: subject, content: .phases, initial: true, element: \.to)
    }

    /// Calls an action when the phase of a subject changes, as SwiftUI's `onChange(of:initial:_:)` does.
    ///
    /// The phase is nil while nothing matches the subject. A subject that disappears passes through the background
    /// first, so that cleanup written for the background runs at the end, too. Calls never overlap. They are made
    /// through `Options.deliver`, or else on the monitor's own thread, where they should return quickly. A slow action
    /// misses phases that were left again.
    ///
    /// The action receives the phase that it was last called with, and the new one. With `initial`, it is called at once,
    /// on the calling thread, with the present phase (nil after the end) as both.
    ///
    /// - Returns: The observation, which ends the calls when it is cancelled or released.
    /// - Throws: `.titlesNotRead`.
    public func onChange(
        of subject: Subject, initial: Bool = false,
        _ action: @escaping @Sendable (_ old: ScenePhase?, _ new: ScenePhase?) -> Void
    ) throws(MonitorFailure) -> Observation {
        try Observation(
            self, subject, .phases, initial: initial, .observer(nil) { old, new, _ in action(old, new) })
    }

    /// Calls an action without arguments when the phase of a subject changes, as SwiftUI's does.
    public func onChange(
        of subject: Subject, initial: Bool = false, _ action: @escaping @Sendable () -> Void
    ) throws(MonitorFailure) -> Observation {
        try onChange(of: subject, initial: initial) { _, _ in action() }
    }

    /// Follows the phase and the scenes of a subject. The action is called at once, and after each change of either.
    package func follow(
        _ subject: Subject, _ deliver: Delivery?,
        _ action: @escaping @Sendable (ScenePhase?, [Scene]) -> Void
    ) throws(MonitorFailure) -> Observation {
        try Observation(self, subject, .scenes, initial: true, .observer(deliver) { action($1, $2) })
    }

    /// An action that is called when a phase changes, until the observation is cancelled or released.
    public final class Observation: Sendable {
        /// Keeps the monitor running during the observation.
        private let monitor: PhaseMonitor
        private let id: Int

        init(
            _ monitor: PhaseMonitor, _ subject: Subject, _ content: Consumer.Content, initial: Bool,
            _ reader: Consumer.Reader
        ) throws(MonitorFailure) {
            self.monitor = monitor
            id = try monitor.state.add(subject, content, initial: initial, reader)
        }

        deinit { cancel() }

        func next() -> Result<Change?, MonitorFailure>? { monitor.state.next(id) }

        /// Ends the calls. A call in progress on another thread may continue.
        public func cancel() { monitor.state.remove(id) }
    }
}
