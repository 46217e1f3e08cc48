import Scenes

/// The state that the lock of a `MonitorState` guards.
struct MonitorContents: Sendable {
    var snapshot = Snapshot()
    /// How the monitor ended; nil while it runs.
    private(set) var end: Result<Void, PhaseMonitor.Failure>?
    var subscriptions: [Int: Subscription] = [:]
    var observers: [Int: Observer] = [:]
    private var lastID = 0

    /// - Returns: The answers to deliver and the observers to call once the lock is released.
    mutating func post(
        _ events: [Event], at now: Duration
    ) -> (deliveries: [Subscription.Delivery], calls: [(id: Int, deliver: PhaseMonitor.Delivery?)]) {
        guard end == nil, !events.isEmpty else { return ([], []) }
        let all = events.compactMap(\.change)
        let changes = all.filter { $0.kind != .facts }
        let update = snapshot.update(all, at: now)
        var deliveries: [Subscription.Delivery] = []
        subscriptions.forEachInPlace { _, subscription in
            subscription.add(changes, update, snapshot)
            if let delivery = subscription.delivery() { deliveries.append(delivery) }
        }
        var calls: [(id: Int, deliver: PhaseMonitor.Delivery?)] = []
        observers.forEachInPlace { id, observer in
            if observer.update(changes, update.scenes, in: snapshot) { calls.append((id, observer.deliver)) }
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

    /// The answer for a consumer that has read everything; nil while more may come.
    private var answer: Subscription.Answer? { end.map { $0.map { nil } } }

    mutating func subscribe(_ selection: Selection, initial: Bool, isStepwise: Bool) -> Int {
        var subscription = Subscription(selection, isStepwise: isStepwise)
        if initial, end == nil { subscription.begin(with: &snapshot) }
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

    /// Returns the answer for a consumer; nil if the consumer has to wait.
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

    /// Returns the present phase of a subject; nil after the end.
    func subjectPhase(_ selection: Selection) -> SubjectPhase {
        SubjectPhase(selection, in: end == nil ? snapshot : Snapshot())
    }

    mutating func add(_ observer: Observer) -> Int {
        lastID += 1
        if end == nil { observers[lastID] = observer }
        return lastID
    }
}

extension Dictionary {
    /// Changes values in place. Iterating over `keys` or `indices` shares the storage, so a change would copy it.
    fileprivate mutating func forEachInPlace(_ body: (Key, inout Value) -> Void) {
        var index = startIndex
        while index != endIndex {
            body(keys[index], &values[index])
            formIndex(after: &index)
        }
    }
}
