import Scenes

extension PhaseMonitor {
    /// The changes of a subject, in order.
    ///
    /// The sequence ends when the monitor is closed or the task is cancelled. If the monitor ends for another reason,
    /// it throws the failure: a lost display is not an ordinary end.
    public struct Changes: AsyncSequence, Sendable {
        /// A change of the subject.
        public typealias Element = Change
        /// The failure that ended the monitor.
        public typealias Failure = PhaseMonitor.Failure

        let monitor: PhaseMonitor
        let state: MonitorState
        let selection: Selection
        let initial: Bool

        /// Subscribes a new consumer. The monitor keeps changes for it from now on.
        public func makeAsyncIterator() -> Iterator {
            Iterator(self, state.subscribe(selection, initial: initial))
        }
    }
}

extension PhaseMonitor.Changes {
    /// A consumer of changes. The changes kept for it are released with it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let consumer: Consumer

        init(_ changes: PhaseMonitor.Changes, _ id: Int) {
            consumer = Consumer(monitor: changes.monitor, state: changes.state, id: id)
        }

        /// Returns the next change, waiting for it if necessary; nil after the end.
        ///
        /// - Throws: The failure that ended the monitor, once.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PhaseMonitor.Failure) -> Change? {
            try await consumer.next()?.change
        }
    }

    fileprivate final class Consumer: Sendable {
        /// Keeps the monitor running during the iteration.
        private let monitor: PhaseMonitor
        let state: MonitorState
        let id: Int

        init(monitor: PhaseMonitor, state: MonitorState, id: Int) {
            self.monitor = monitor
            self.state = state
            self.id = id
        }

        deinit {
            state.removeSubscription(id)
        }

        func next() async throws(PhaseMonitor.Failure) -> Subscription.Reported? {
            try await state.next(id).get()
        }
    }
}

extension PhaseMonitor {
    /// The phases of a subject, in order; nil while nothing matches the subject.
    ///
    /// The sequence begins with the present phase. A slow consumer misses phases that were left again. The sequence
    /// ends as `Changes` does.
    public struct Phases: AsyncSequence, Sendable {
        /// A phase of the subject; nil while nothing matches it.
        public typealias Element = ScenePhase?
        /// The failure that ended the monitor.
        public typealias Failure = PhaseMonitor.Failure

        let changes: Changes

        /// Subscribes a new consumer. The monitor keeps phases for it from now on.
        public func makeAsyncIterator() -> Iterator {
            let id = changes.state.subscribe(toPhasesOf: changes.selection)
            return Iterator(base: Changes.Iterator(changes, id))
        }

        /// A consumer of phases. The phases kept for it are released with it.
        public struct Iterator: AsyncIteratorProtocol {
            let base: Changes.Iterator

            /// Returns the next phase, waiting for it if necessary; nil after the end.
            ///
            /// - Throws: The failure that ended the monitor, once.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PhaseMonitor.Failure) -> ScenePhase?? {
                guard case .phase(let phase)? = try await base.consumer.next() else { return nil }
                return .some(phase)
            }
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

    /// - Parameter present: The present state of the subject, as changes of the kind `initial`.
    mutating func begin(with present: [Change]) {
        for change in present {
            // The selection follows the subject of the change from now on.
            _ = selection.takes(change)
            changes.add(change)
        }
    }

    /// - Parameters:
    ///   - own: The change of this process; nil if there is none.
    ///   - snapshot: The snapshot, which already includes the changes.
    mutating func add(_ new: [Change], of batch: ChangeBatch, own: Change?, _ snapshot: Snapshot) {
        if phases != nil {
            _ = phases?.update(batch, snapshot)
        } else if selection.isOwnProcess {
            if let own { changes.add(own) }
        } else {
            for change in new where selection.takes(change) { changes.add(change) }
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
