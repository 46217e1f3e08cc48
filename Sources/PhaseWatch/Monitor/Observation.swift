import Scenes

extension PhaseMonitor {
    /// An action that is called when a phase changes, until this is cancelled or nobody holds it any longer.
    public final class Observation: Sendable {
        /// It goes on while somebody observes.
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

        /// Ends the calls. One that is being made on another thread may still go on.
        public func cancel() {
            state.removeObserver(id)
        }
    }
}

/// One action that is called when the phase of a subject changes, as the monitor keeps it.
///
/// Calls never overlap: while one is made on some thread, what comes is left for that thread.
struct Observer: Sendable {
    typealias Action = @Sendable (_ old: ScenePhase?, _ new: ScenePhase?) -> Void

    private(set) var subject: SubjectPhase
    private let isStepwise: Bool
    private let action: Action
    /// The phase that the action was last called with.
    private var told: ScenePhase?
    /// What it has still to be called with.
    private var phases: ArraySlice<ScenePhase?> = []
    private var isCalling: Bool

    /// - Parameter isCalling: The caller calls the action first.
    init(
        _ subject: SubjectPhase, isStepwise: Bool, isCalling: Bool, action: @escaping Action
    ) {
        self.subject = subject
        self.isStepwise = isStepwise
        self.isCalling = isCalling
        self.action = action
        told = subject.phase
    }

    /// Takes in changes that a snapshot has taken in before.
    ///
    /// - Returns: Whether whoever calls this is to make the calls now.
    mutating func update(_ changes: [Change], _ snapshot: Snapshot) -> Bool {
        subject.update(changes, snapshot)
        guard subject.phase != told || !phases.isEmpty else { return false }
        let isRenamed = changes.contains {
            $0.cause == .regroup && $0.to == nil && subject.selection.matches($0)
        }
        return update(to: subject.phase, isRenamed: isRenamed)
    }

    /// - Parameter isRenamed: If it is gone, it lives on under another name.
    /// - Returns: Whether whoever calls this is to make the calls now.
    mutating func update(to phase: ScenePhase?, isRenamed: Bool) -> Bool {
        phases =
            phase == told
            ? [] : PhaseSteps.phases(from: told, to: phase, isStepwise: isStepwise, ends: !isRenamed)[...]
        guard !phases.isEmpty, !isCalling else { return false }
        isCalling = true
        return true
    }

    /// The next call to make; nil if there is none, and somebody else makes the one after it.
    mutating func next() -> (action: Action, old: ScenePhase?, new: ScenePhase?)? {
        guard let phase = phases.popFirst() else {
            isCalling = false
            return nil
        }
        defer { told = phase }
        return (action, told, phase)
    }
}
