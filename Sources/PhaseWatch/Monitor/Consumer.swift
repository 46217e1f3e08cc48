import Scenes

/// The monitor's record of one iteration or observer.
struct Consumer: Sendable {
    /// What is reported to the consumer.
    enum Content {
        /// The changes of the subject.
        case changes
        /// The phases of the subject. An iteration begins with the one at the time of its first element.
        case phases
        /// The phases of the subject, and each change of its scenes.
        case scenes
    }

    /// A change, the failure that ended the monitor, or nil for the end. The changes of phases and scenes are those of
    /// an application without a name.
    typealias Answer = Result<Change?, MonitorFailure>
    typealias Action = @Sendable (ScenePhase?, ScenePhase?, [PhaseMonitor.Scene]) -> Void

    /// What to do once the lock is released.
    enum Work {
        case resume(CheckedContinuation<Answer, Never>, Change)
        case call(Int, PhaseMonitor.Delivery?)
    }

    private var selection: Selection
    private let content: Content
    private var queue: MergingQueue
    /// Whether the first phase is not reported yet.
    private var isNew = false
    /// The scenes of the subject, unless changes are reported.
    private(set) var scenes: [PhaseMonitor.Scene] = []

    /// Present while an iteration waits.
    var waiter: CheckedContinuation<Answer, Never>?

    var action: Action?
    /// Where the action is called; nil for the delivery of the monitor.
    var deliver: PhaseMonitor.Delivery?
    /// Calls never overlap: the thread that makes a call also reports what arrives meanwhile.
    var isCalling = false

    init(of selection: Selection, _ content: Content, isStepwise: Bool) {
        (self.selection, self.content) = (selection, content)
        queue = MergingQueue(isStepwise: isStepwise)
    }

    var unreadCount: Int { queue.count }

    mutating func begin(with snapshot: Snapshot, initial: Bool) {
        if content != .changes {
            (scenes, isNew) = (snapshot.scenes(of: selection), initial && action == nil)
        } else if initial {
            update(snapshot.present.filter(selection.matches), snapshot)
        }
    }

    mutating func update(_ posted: [Posted], _ snapshot: Snapshot) {
        if content == .changes {
            for item in posted where selection.takes(item) { queue.add(item) }
            return
        }
        let (old, new) = (scenes.map(\.phase).max(), snapshot.scenes(of: selection))
        let phase = new.map(\.phase).max()
        if old != phase || content == .scenes && scenes != new {
            // A scene that continues under another name has not ended.
            let isRenamed = posted.map(\.change).contains { change in
                change.cause == .regroup && change.to == nil
                    && PhaseMonitor.Scene(change).map { selection.includes($0, of: [$0.group]) } ?? false
            }
            queue.add(Posted(change: .phase(from: old, to: phase, isRenamed ? .regroup : .resync)))
        }
        scenes = new
    }

    mutating func next() -> Change? {
        if isNew {
            isNew = false
            queue = MergingQueue(isStepwise: queue.isStepwise)
            return .phase(from: nil, to: scenes.map(\.phase).max(), .start)
        }
        return queue.next()
    }

    /// Returns what to do now; nil for nothing.
    mutating func takeWork(_ id: Int) -> Work? {
        if let waiting = waiter, let change = next() {
            waiter = nil
            return .resume(waiting, change)
        }
        guard action != nil, !isCalling, queue.count > 0 else { return nil }
        isCalling = true
        return .call(id, deliver)
    }

    /// Returns the next call to make; nil if there is none, and `takeWork` requests the next ones.
    mutating func nextCall() -> (action: Action, change: Change, scenes: [PhaseMonitor.Scene])? {
        guard let action, let change = queue.next() else {
            isCalling = false
            return nil
        }
        return (action, change, scenes)
    }
}

extension Change {
    /// A change of the greatest phase of several scenes, or of their facts alone.
    fileprivate static func phase(from old: ScenePhase?, to new: ScenePhase?, _ cause: Cause) -> Change {
        Change(
            kind: old == nil ? .opened : new == nil ? .closed : old == new ? .title : .phase, application: "",
            subject: .application(Members(counts: .init(), pids: [], groups: [])), from: old, to: new,
            cause: cause)
    }
}
