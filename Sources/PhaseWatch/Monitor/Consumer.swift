import Scenes

/// The monitor's record of one iteration or observer.
struct Consumer: Sendable {
    /// What is reported to the consumer.
    enum Content {
        /// The changes of the subject.
        case changes
        /// The phases of the subject, as changes of an application without a name. An iteration begins with the one at
        /// the time of its first element.
        case phases
        /// The phases of the subject, and each change of its scenes.
        case scenes
    }

    typealias Action = @Sendable (ScenePhase?, ScenePhase?, [PhaseMonitor.Scene]) -> Void

    enum Reader: Sendable {
        /// An iteration, which waits for a signal once it has found nothing.
        case iteration(AsyncStream<Void>.Continuation)
        /// An action, and where it is called; nil for the delivery of the monitor.
        case observer(PhaseMonitor.Delivery?, Action)
    }

    private var selection: Selection
    private let content: Content
    private var queue: MergingQueue
    /// Whether the first phase is not read yet.
    private var isNew = false
    /// The scenes of the subject, unless changes are reported.
    private(set) var scenes: [PhaseMonitor.Scene] = []
    let reader: Reader
    /// Whether the reader reads until it finds nothing. Calls never overlap: the thread that makes a call also reports
    /// what arrives meanwhile.
    private var isReading = true

    /// - Parameter snapshot: The present state, which comes first if it is `initial`; nil after the end.
    init(
        of selection: Selection, _ content: Content, _ reader: Reader, initial: Bool, isStepwise: Bool,
        _ snapshot: Snapshot?
    ) {
        (self.selection, self.content, self.reader) = (selection, content, reader)
        queue = MergingQueue(isStepwise: isStepwise)
        if !isIteration { isReading = initial }
        guard let snapshot else { return }
        if content != .changes {
            (scenes, isNew) = (snapshot.scenes(of: selection), initial && isIteration)
        } else if initial {
            _ = update(snapshot.present, snapshot)
        }
    }

    var isIteration: Bool { if case .iteration = reader { true } else { false } }

    /// - Returns: The reader to wake; nil for none.
    mutating func update(_ changes: [Change], _ snapshot: Snapshot) -> Reader? {
        if content == .changes {
            for change in changes where selection.takes(change) { queue.add(change) }
        } else {
            let (old, new) = (scenes.map(\.phase).max(), snapshot.scenes(of: selection))
            let phase = new.map(\.phase).max()
            if old != phase || content == .scenes && scenes != new {
                // A scene that continues under another name has not ended.
                let isRenamed = changes.contains { change in
                    change.cause == .regroup && change.to == nil
                        && PhaseMonitor.Scene(change).map { selection.includes($0, of: [$0.group]) } ?? false
                }
                queue.add(.phase(from: old, to: phase, isRenamed ? .regroup : .resync))
            }
            scenes = new
        }
        if isReading || queue.isEmpty { return nil }
        isReading = true
        return reader
    }

    /// Returns the next change; nil if there is none, and `update` returns the reader with the next one.
    mutating func next() -> Change? {
        if isNew {
            isNew = false
            queue = MergingQueue(isStepwise: queue.isStepwise)
            return .phase(from: nil, to: scenes.map(\.phase).max(), .start)
        }
        let change = queue.next()
        isReading = change != nil
        return change
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
