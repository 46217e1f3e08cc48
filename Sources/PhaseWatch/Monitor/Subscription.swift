import Scenes

/// One consumer of changes, as the board knows it.
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
