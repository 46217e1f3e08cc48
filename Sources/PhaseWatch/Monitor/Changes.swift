import Scenes

extension PhaseMonitor {
    /// The changes of a subject, one after the other.
    ///
    /// It ends when the monitor is closed and when the task is cancelled, and throws what ended the monitor
    /// otherwise: a lost display is no ordinary end.
    public struct Changes: AsyncSequence, Sendable {
        /// What it tells.
        public typealias Element = Change
        /// What it throws.
        public typealias Failure = PhaseMonitor.Failure

        let monitor: PhaseMonitor
        let state: MonitorState
        let selection: Selection
        let initial: Bool

        /// Begins to keep changes for a new consumer.
        public func makeAsyncIterator() -> Iterator {
            Iterator(self, state.subscribe(selection, initial: initial))
        }
    }
}

extension PhaseMonitor.Changes {
    /// One consumer; what is kept for it goes with it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let consumer: Consumer

        init(_ changes: PhaseMonitor.Changes, _ id: Int) {
            consumer = Consumer(monitor: changes.monitor, state: changes.state, id: id)
        }

        /// The next change, for which it waits; nil after the end.
        ///
        /// - Throws: What ended the monitor, once.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PhaseMonitor.Failure) -> Change? {
            try await consumer.next()?.change
        }
    }

    fileprivate final class Consumer: Sendable {
        /// It goes on while somebody iterates.
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
    /// The phases of a subject, one after the other; nil where there is nothing of it.
    ///
    /// It begins with the present. One that lags misses phases that were left again. It ends as `Changes` does.
    public struct Phases: AsyncSequence, Sendable {
        /// What it tells.
        public typealias Element = ScenePhase?
        /// What it throws.
        public typealias Failure = PhaseMonitor.Failure

        let changes: Changes

        /// Begins to keep phases for a new consumer.
        public func makeAsyncIterator() -> Iterator {
            let id = changes.state.subscribe(toPhasesOf: changes.selection)
            return Iterator(base: Changes.Iterator(changes, id))
        }

        /// One consumer; what is kept for it goes with it.
        public struct Iterator: AsyncIteratorProtocol {
            let base: Changes.Iterator

            /// The next phase, for which it waits; nil after the end.
            ///
            /// - Throws: What ended the monitor, once.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PhaseMonitor.Failure) -> ScenePhase?? {
                guard case .phase(let phase)? = try await base.consumer.next() else { return nil }
                return .some(phase)
            }
        }
    }
}

/// One consumer of changes or of phases, as the monitor keeps it.
struct Subscription: Sendable {
    /// What a consumer gets.
    enum Reported: Sendable {
        case change(Change)
        case phase(ScenePhase?)

        var change: Change? { if case .change(let change) = self { change } else { nil } }
    }

    /// Something that is reported, the error that ended the monitor, or nil for the end.
    typealias Answer = Result<Reported?, PhaseMonitor.Failure>
    /// A consumer that waits, and what it gets.
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

    /// - Parameter present: What there is of its subject.
    mutating func begin(with present: [Change]) {
        for change in present {
            // It is followed from here on.
            _ = selection.takes(change)
            changes.add(change)
        }
    }

    /// - Parameters:
    ///   - own: The change of this process, if there is one.
    ///   - snapshot: Has taken in the changes before.
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

    /// How many changes it keeps for its consumer.
    var backlog: Int { phases?.count ?? changes.count }

    mutating func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        waiter = continuation
    }

    /// Hands the next change to a consumer that waits for it.
    mutating func delivery() -> Delivery? {
        guard let waiting = waiter, let reported = next() else { return nil }
        waiter = nil
        return (waiting, .success(reported))
    }

    /// Hands the end to a consumer that waits.
    mutating func lastDelivery(_ end: Answer?) -> Delivery? {
        guard let waiting = waiter, let end else { return nil }
        waiter = nil
        return (waiting, end)
    }
}
