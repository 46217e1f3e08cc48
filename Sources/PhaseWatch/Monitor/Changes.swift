import Scenes

extension PhaseMonitor {
    /// The changes of a subject, in order.
    public typealias Changes = Reports<Change>

    /// The phases of a subject, in order; nil while nothing matches the subject.
    ///
    /// The sequence begins with the present phase. A slow consumer misses phases that were left again.
    public typealias Phases = Reports<ScenePhase?>

    /// Changes or phases, in order.
    ///
    /// The sequence ends when the monitor is closed or the task is cancelled. If the monitor ends for another reason,
    /// it throws the failure: a lost display is not an ordinary end.
    public struct Reports<Element: Sendable>: AsyncSequence, Sendable {
        /// The failure that ended the monitor.
        public typealias Failure = PhaseMonitor.Failure

        let monitor: PhaseMonitor
        let state: MonitorState
        let subscribe: @Sendable (MonitorState) -> Int
        let element: @Sendable (Subscription.Reported) -> Element?

        /// Subscribes a new consumer. The monitor keeps reports for it from now on.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                consumer: Consumer(monitor: monitor, state: state, id: subscribe(state)), element: element)
        }

        /// A consumer of reports. The reports kept for it are released with it.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let consumer: Consumer
            fileprivate let element: @Sendable (Subscription.Reported) -> Element?

            /// Returns the next report, waiting for it if necessary; nil after the end.
            ///
            /// - Throws: The failure that ended the monitor, once.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PhaseMonitor.Failure) -> Element? {
                try await consumer.state.next(consumer.id).get().flatMap(element)
            }
        }
    }

    fileprivate final class Consumer: Sendable {
        /// Keeps the monitor running during the iteration.
        private let monitor: PhaseMonitor
        let state: MonitorState
        let id: Int

        init(monitor: PhaseMonitor, state: MonitorState, id: Int) {
            (self.monitor, self.state, self.id) = (monitor, state, id)
        }

        deinit {
            state.removeSubscription(id)
        }
    }
}

/// The monitor's record of one consumer of changes or phases.
struct Subscription: Sendable {
    /// One element of the consumer's sequence.
    enum Reported: Sendable {
        case change(Change)
        case phase(ScenePhase?)

        var change: Change? { if case .change(let change) = self { change } else { nil } }
        var phase: ScenePhase?? { if case .phase(let phase) = self { .some(phase) } else { nil } }
    }

    /// An element, the failure that ended the monitor, or nil for the end.
    typealias Answer = Result<Reported?, PhaseMonitor.Failure>
    /// A waiting consumer and the answer for it.
    typealias Delivery = (waiter: CheckedContinuation<Answer, Never>, answer: Answer)

    private var changes: LatestChanges
    private var selection: Selection
    /// nil for a consumer of changes.
    private var phases: PhaseQueue?
    private var waiter: CheckedContinuation<Answer, Never>?

    init(_ selection: Selection, isStepwise: Bool) {
        changes = LatestChanges(isStepwise: isStepwise)
        self.selection = selection
    }

    init(phases: PhaseQueue) {
        self.init(phases.subject.selection, isStepwise: false)
        self.phases = phases
    }

    /// Begins with the present state of the subject, as changes of the kind `initial`.
    mutating func begin(with snapshot: inout Snapshot) {
        for change in snapshot.changes(of: selection) {
            // The selection follows the subject of the change from now on.
            _ = selection.takes(change)
            changes.add(change)
        }
        for change in snapshot.ownChanges(of: selection) { changes.add(change, isOwn: true) }
    }

    /// - Parameter snapshot: The snapshot, which already includes the changes and was updated with them.
    mutating func add(
        _ new: [Change], _ update: Snapshot.Update, _ snapshot: Snapshot
    ) {
        if phases != nil {
            _ = phases?.update(new, update.scenes, in: snapshot)
            return
        }
        for change in new where selection.takes(change) { changes.add(change) }
        for change in update.own where selection.takes(change, isOwn: true) {
            changes.add(change, isOwn: true)
        }
    }

    mutating func next() -> Reported? {
        if phases != nil { return phases?.next().map { .phase($0.new) } }
        return changes.next().map { .change($0) }
    }

    /// The number of changes kept for the consumer.
    var backlog: Int { phases?.count ?? changes.count }

    mutating func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        waiter = continuation
    }

    /// Takes the waiting consumer together with the next element; nil if either is missing.
    mutating func delivery() -> Delivery? {
        guard let waiting = waiter, let reported = next() else { return nil }
        waiter = nil
        return (waiting, .success(reported))
    }

    /// Takes the waiting consumer together with the end; nil if either is missing.
    mutating func lastDelivery(_ end: Answer?) -> Delivery? {
        guard let waiting = waiter, let end else { return nil }
        waiter = nil
        return (waiting, end)
    }
}
