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

/// The phases of a subject that are still to be reported to one observer, in order.
struct PhaseQueue: Sendable {
    private(set) var subject: SubjectPhase
    private let isStepwise: Bool
    /// The phase that was reported last; nil before the first one.
    private var reported: ScenePhase??
    private var phases: ArraySlice<ScenePhase?> = []

    /// - Parameter initial: The present phase is the first one.
    init(_ subject: SubjectPhase, isStepwise: Bool, initial: Bool = false) {
        self.subject = subject
        self.isStepwise = isStepwise
        if initial { phases = [subject.phase] } else { reported = .some(subject.phase) }
    }

    /// How many phases it keeps.
    var count: Int { phases.count }

    /// Takes in changes that a snapshot has taken in before.
    ///
    /// - Returns: Whether there is anything to tell.
    mutating func update(_ batch: ChangeBatch, _ snapshot: Snapshot) -> Bool {
        subject.update(batch, snapshot)
        guard subject.phase != reported || !phases.isEmpty else { return false }
        let isRenamed = batch.deltas.contains {
            $0.cause == .regroup && $0.to == nil
                && batch.change($0).map(subject.selection.matches) ?? false
        }
        return update(to: subject.phase, isRenamed: isRenamed)
    }

    /// - Parameter isRenamed: If it is gone, it lives on under another name.
    /// - Returns: Whether there is anything to tell.
    mutating func update(to phase: ScenePhase?, isRenamed: Bool) -> Bool {
        guard let reported else {
            phases = [phase]
            return true
        }
        phases =
            phase == reported
            ? [] : ScenePhase?.steps(from: reported, to: phase, isStepwise: isStepwise, ends: !isRenamed)[...]
        return !phases.isEmpty
    }

    mutating func next() -> (old: ScenePhase?, new: ScenePhase?)? {
        guard let phase = phases.popFirst() else { return nil }
        defer { reported = .some(phase) }
        return (reported ?? nil, phase)
    }
}

/// One action that is called when the phase of a subject changes, as the monitor keeps it.
///
/// Calls never overlap: while one is made on some thread, what comes is left for that thread.
struct Observer: Sendable {
    typealias Action = @Sendable (_ old: ScenePhase?, _ new: ScenePhase?) -> Void

    private var queue: PhaseQueue
    private let action: Action
    private var isCalling: Bool

    /// - Parameter isCalling: The caller calls the action first.
    init(
        _ subject: SubjectPhase, isStepwise: Bool, isCalling: Bool, action: @escaping Action
    ) {
        queue = PhaseQueue(subject, isStepwise: isStepwise)
        self.isCalling = isCalling
        self.action = action
    }

    /// Takes in changes that a snapshot has taken in before.
    ///
    /// - Returns: Whether whoever calls this is to make the calls now.
    mutating func update(_ batch: ChangeBatch, _ snapshot: Snapshot) -> Bool {
        begins(queue.update(batch, snapshot))
    }

    /// - Parameter isRenamed: If it is gone, it lives on under another name.
    /// - Returns: Whether whoever calls this is to make the calls now.
    mutating func update(to phase: ScenePhase?, isRenamed: Bool) -> Bool {
        begins(queue.update(to: phase, isRenamed: isRenamed))
    }

    private mutating func begins(_ hasCalls: Bool) -> Bool {
        guard hasCalls, !isCalling else { return false }
        isCalling = true
        return true
    }

    /// The next call to make; nil if there is none: whoever brings the next phase calls again.
    mutating func next() -> (action: Action, old: ScenePhase?, new: ScenePhase?)? {
        guard let (old, new) = queue.next() else {
            isCalling = false
            return nil
        }
        return (action, old, new)
    }
}
