import Scenes

extension PhaseMonitor {
    /// An action that is called when a phase changes, until the observation is cancelled or released.
    public final class Observation: Sendable {
        /// Keeps the monitor running during the observation.
        private let monitor: PhaseMonitor
        private let state: MonitorState
        private let id: Int

        init(monitor: PhaseMonitor, state: MonitorState, id: Int) {
            self.monitor = monitor
            self.state = state
            self.id = id
        }

        deinit {
            cancel()
        }

        /// Ends the calls. A call in progress on another thread may continue.
        public func cancel() {
            state.removeObserver(id)
        }
    }
}

/// The phases of a subject that are not yet reported to one observer or consumer, in order.
struct PhaseQueue: Sendable {
    private(set) var subject: SubjectPhase
    private let isStepwise: Bool
    /// The phase that was last reported; nil before the first one.
    private var reported: ScenePhase??
    private var phases: ArraySlice<ScenePhase?> = []

    /// - Parameter initial: Whether the present phase is the first one to report.
    init(_ subject: SubjectPhase, isStepwise: Bool, initial: Bool = false) {
        self.subject = subject
        self.isStepwise = isStepwise
        if initial { phases = [subject.phase] } else { reported = .some(subject.phase) }
    }

    /// The number of phases kept.
    var count: Int { phases.count }

    /// Applies changes, which the snapshot already includes.
    ///
    /// - Parameter changed: The scenes that have changed.
    /// - Returns: Whether the subject includes, or included, one of them.
    mutating func update(_ changes: [Change], _ changed: Set<WindowID>, in snapshot: Snapshot) -> Bool {
        guard subject.update(changed, in: snapshot) else { return false }
        guard let reported else {
            phases = [subject.phase]
            return true
        }
        if subject.phase == reported {
            phases = []
            return true
        }
        // A scene that continues under another name has not ended.
        let isRenamed = changes.contains { change in
            guard change.cause == .regroup, change.to == nil, change.level == .scene else { return false }
            return subject.selection.matchesScene(change, groups: Set([change.group].compactMap(\.self)))
        }
        phases =
            ScenePhase?.steps(
                from: reported, to: subject.phase, isStepwise: isStepwise, ends: !isRenamed)[...]
        return true
    }

    mutating func next() -> (old: ScenePhase?, new: ScenePhase?)? {
        guard let phase = phases.popFirst() else { return nil }
        defer { reported = .some(phase) }
        return (reported ?? nil, phase)
    }
}

/// The monitor's record of one action that is called when the phase of a subject changes.
///
/// Calls never overlap: the thread that makes a call also reports the phases that arrive meanwhile.
struct Observer: Sendable {
    /// `scenes` is empty unless the observer follows them.
    typealias Action = @Sendable (_ old: ScenePhase?, _ new: ScenePhase?, _ scenes: [Change]) -> Void

    private var queue: PhaseQueue
    private let action: Action
    private var isCalling: Bool
    /// The scenes of the subject; nil if the action does not follow them.
    private var scenes: [Change]?
    private var hasNewScenes = false
    /// Where the action is called; nil for the delivery of the monitor.
    let deliver: PhaseMonitor.Delivery?

    /// - Parameters:
    ///   - scenes: The present scenes, for an action that is also called, with equal phases, when these change.
    ///   - isCalling: Whether the caller calls the action first.
    init(
        _ subject: SubjectPhase, isStepwise: Bool, isCalling: Bool, scenes: [Change]? = nil,
        deliver: PhaseMonitor.Delivery? = nil, action: @escaping Action
    ) {
        queue = PhaseQueue(subject, isStepwise: isStepwise)
        self.isCalling = isCalling
        self.scenes = scenes
        self.deliver = deliver
        self.action = action
    }

    /// Applies changes, which the snapshot already includes.
    ///
    /// - Parameter changed: The scenes that have changed.
    /// - Returns: Whether the caller has to make the calls now.
    mutating func update(_ changes: [Change], _ changed: Set<WindowID>, in snapshot: Snapshot) -> Bool {
        let isConcerned = queue.update(changes, changed, in: snapshot)
        if let scenes, isConcerned {
            let new = snapshot.scenes(of: queue.subject.selection)
            if new != scenes { (self.scenes, hasNewScenes) = (new, true) }
        }
        guard queue.count > 0 || hasNewScenes, !isCalling else { return false }
        isCalling = true
        return true
    }

    /// Returns the next call to make; nil if there is none. The caller of the next `update` that returns true then
    /// makes the calls.
    mutating func next() -> (action: Action, old: ScenePhase?, new: ScenePhase?, scenes: [Change])? {
        let phases = queue.next()
        guard phases != nil || hasNewScenes else {
            isCalling = false
            return nil
        }
        hasNewScenes = false
        let (old, new) = phases ?? (queue.subject.phase, queue.subject.phase)
        return (action, old, new, scenes ?? [])
    }
}
