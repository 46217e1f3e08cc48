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
            let id = state.subscribe(selection, initial: initial)
            return Iterator(consumer: Consumer(monitor: monitor, state: state, id: id))
        }
    }
}

extension PhaseMonitor.Changes {
    /// One consumer; what is kept for it goes with it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let consumer: Consumer

        /// The next change, for which it waits; nil after the end.
        ///
        /// - Throws: What ended the monitor, once.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PhaseMonitor.Failure) -> Change? {
            try await consumer.state.next(consumer.id).get()
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
    }
}

/// One consumer of changes, as the monitor keeps it.
struct Subscription: Sendable {
    /// A change, the error that ended the monitor, or nil for the end.
    typealias Answer = Result<Change?, PhaseMonitor.Failure>
    /// A consumer that waits, and what it gets.
    typealias Delivery = (waiter: CheckedContinuation<Answer, Never>, answer: Answer)

    private var selection: Selection
    private var changes: LatestChanges
    private var waiter: CheckedContinuation<Answer, Never>?

    init(_ selection: Selection, isStepwise: Bool) {
        self.selection = selection
        changes = LatestChanges(isStepwise: isStepwise)
    }

    /// - Parameter present: What there is of its subject.
    mutating func begin(with present: [Change]) {
        for change in present {
            // It is followed from here on.
            _ = selection.takes(change)
            changes.add(change)
        }
    }

    /// - Parameter own: The change of this process, if there is one.
    mutating func add(_ new: [Change], own: Change?) {
        if selection.isOwnProcess {
            if let own { changes.add(own) }
            return
        }
        for change in new where selection.takes(change) { changes.add(change) }
    }

    mutating func next() -> Change? { changes.next() }

    /// How many changes it keeps for its consumer.
    var backlog: Int { changes.count }

    mutating func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        waiter = continuation
    }

    /// Hands the next change to a consumer that waits for it.
    mutating func delivery() -> Delivery? {
        guard let waiting = waiter, let change = changes.next() else { return nil }
        waiter = nil
        return (waiting, .success(change))
    }

    /// Hands the end to a consumer that waits.
    mutating func lastDelivery(_ end: Answer?) -> Delivery? {
        guard let waiting = waiter, let end else { return nil }
        waiter = nil
        return (waiting, end)
    }
}
