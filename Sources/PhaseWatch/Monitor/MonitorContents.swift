import Scenes

/// What the lock of a `MonitorState` guards.
struct MonitorContents: Sendable {
    var snapshot: Snapshot
    /// How the monitor ended; nil while it runs.
    private(set) var end: Result<Void, PhaseMonitor.Failure>?
    var subscriptions: [Int: Subscription] = [:]
    var observers: [Int: Observer] = [:]
    private var lastID = 0

    init(pid: Int32) {
        snapshot = Snapshot(pid: pid)
    }

    /// - Returns: What is to be done when the lock is free: answers, and the observers to call.
    mutating func post(
        _ batch: ChangeBatch, at now: Duration
    ) -> (deliveries: [Subscription.Delivery], calls: [Int]) {
        guard end == nil else { return ([], []) }
        let ownChange = snapshot.update(batch, at: now)
        guard !batch.isEmpty || ownChange != nil else { return ([], []) }
        var deliveries: [Subscription.Delivery] = []
        // With their strings for consumers of changes only.
        let changes = subscriptions.isEmpty ? [] : batch.compactMap(\.change)
        subscriptions.forEachInPlace { _, subscription in
            subscription.add(changes, of: batch, own: ownChange, snapshot)
            if let delivery = subscription.delivery() { deliveries.append(delivery) }
        }
        var calls: [Int] = []
        observers.forEachInPlace { id, observer in
            if observer.update(batch, snapshot) { calls.append(id) }
        }
        return (deliveries, calls)
    }

    mutating func end(
        _ failure: PhaseMonitor.Failure?
    ) -> (deliveries: [Subscription.Delivery], observers: [Int: Observer]) {
        guard end == nil else { return ([], [:]) }
        end = failure.map { .failure($0) } ?? .success(())
        let deliveries = subscriptions.compactMap { id, subscription -> Subscription.Delivery? in
            var subscription = subscription
            guard let delivery = subscription.lastDelivery(answer) else { return nil }
            subscriptions[id] = nil
            return delivery
        }
        defer { observers = [:] }
        return (deliveries, observers)
    }

    /// What a consumer gets that has read everything; nil while more may come.
    private var answer: Subscription.Answer? { end.map { $0.map { nil } } }

    mutating func subscribe(_ selection: Selection, initial: Bool, isStepwise: Bool) -> Int {
        var subscription = Subscription(selection, isStepwise: isStepwise)
        if initial, end == nil { subscription.begin(with: snapshot.changes(of: selection)) }
        lastID += 1
        subscriptions[lastID] = subscription
        return lastID
    }

    mutating func subscribe(toPhasesOf selection: Selection, isStepwise: Bool) -> Int {
        lastID += 1
        subscriptions[lastID] = Subscription(
            phases: PhaseQueue(subjectPhase(selection), isStepwise: isStepwise, initial: end == nil))
        return lastID
    }

    /// The answer for a consumer, unless it has to wait for it.
    mutating func next(
        _ id: Int, _ waiter: CheckedContinuation<Subscription.Answer, Never>
    ) -> Subscription.Answer? {
        guard subscriptions[id] != nil else { return .success(nil) }
        if let reported = subscriptions[id]?.next() { return .success(reported) }
        if let answer {
            subscriptions[id] = nil
            return answer
        }
        subscriptions[id]?.wait(waiter)
        return nil
    }

    /// The phase of a subject now.
    mutating func subjectPhase(_ selection: Selection) -> SubjectPhase {
        var subject = SubjectPhase(selection)
        if end == nil {
            let present = selection.isOwnProcess ? [] : snapshot.changes(of: selection)
            subject.update(ChangeBatch(present.map(Event.change)), snapshot)
        }
        return subject
    }

    mutating func add(_ observer: Observer) -> Int {
        lastID += 1
        if end == nil { observers[lastID] = observer }
        return lastID
    }
}

extension Dictionary {
    /// Changes values where they are: `keys` and `indices` hold a copy, so that the first change would copy all of them.
    fileprivate mutating func forEachInPlace(_ body: (Key, inout Value) -> Void) {
        var index = startIndex
        while index != endIndex {
            body(keys[index], &values[index])
            formIndex(after: &index)
        }
    }
}
