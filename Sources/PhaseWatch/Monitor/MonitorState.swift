import Scenes
import Synchronization

/// The state of a monitor, which its thread writes and its clients read.
///
/// Never call, resume or release client code under the lock: it may call back.
final class MonitorState: Sendable {
    let isStepwise: Bool
    private let deliver: PhaseMonitor.Delivery?
    private let state: Mutex<MonitorContents>

    init(isStepwise: Bool, deliver: PhaseMonitor.Delivery? = nil) {
        self.isStepwise = isStepwise
        self.deliver = deliver
        state = Mutex(MonitorContents())
    }

    /// Delivers changes to all consumers and observers.
    ///
    /// - Parameter now: Monotonic time.
    func post(_ events: [Event], at now: Duration) {
        let (deliveries, calls) = state.withLock { $0.post(events, at: now) }
        for (waiter, answer) in deliveries { waiter.resume(returning: answer) }
        for (id, own) in calls {
            if let deliver = own ?? deliver { deliver.run { self.call(id) } } else { call(id) }
        }
    }

    /// Ends all sequences and observations.
    ///
    /// - Parameter failure: The failure that the sequences throw; nil for an ordinary end.
    func end(_ failure: PhaseMonitor.Failure? = nil) {
        let (deliveries, observers) = state.withLock { $0.end(failure) }
        for (waiter, answer) in deliveries { waiter.resume(returning: answer) }
        withExtendedLifetime(observers) {}
    }

    /// Reads the snapshot; nil after the end.
    ///
    /// - Throws: The failure that ended the monitor.
    func read<Result: Sendable>(
        _ body: (inout Snapshot) -> Result
    ) throws(PhaseMonitor.Failure) -> Result? {
        let (result, end) = state.withLock { ($0.end == nil ? body(&$0.snapshot) : nil, $0.end) }
        _ = try end?.get()
        return result
    }
}

/// Consumers of changes and phases.
extension MonitorState {
    /// - Parameter initial: Whether the sequence begins with the present state.
    /// - Returns: The ID of the consumer.
    func subscribe(_ selection: Selection, initial: Bool) -> Int {
        state.withLock { $0.subscribe(selection, initial: initial, isStepwise: isStepwise) }
    }

    func subscribe(toPhasesOf selection: Selection) -> Int {
        state.withLock { $0.subscribe(toPhasesOf: selection, isStepwise: isStepwise) }
    }

    /// Waits for the next element; nil after the end, and once the consumer is removed.
    func next(_ id: Int) async -> Subscription.Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if let answer = state.withLock({ $0.next(id, waiter) }) { waiter.resume(returning: answer) }
            }
        } onCancel: {
            removeSubscription(id)
        }
    }

    func removeSubscription(_ id: Int) {
        let delivery = state.withLock {
            var subscription = $0.subscriptions.removeValue(forKey: id)
            return subscription?.lastDelivery(.success(nil))
        }
        if let (waiter, answer) = delivery { waiter.resume(returning: answer) }
    }

    /// The number of consumers and of observers, and the number of changes kept for consumers.
    var holdings: (subscriptions: Int, observers: Int, changes: Int) {
        state.withLock {
            ($0.subscriptions.count, $0.observers.count, $0.subscriptions.values.map(\.backlog).reduce(0, +))
        }
    }
}

/// Observers.
extension MonitorState {
    /// - Parameters:
    ///   - initial: Whether the action is called with the present phase before this returns.
    ///   - followsScenes: Whether the action is also called, with equal phases, when the scenes change.
    ///   - deliver: Where the action is called; nil for the delivery of the monitor.
    /// - Returns: The ID of the observer.
    func observe(
        _ selection: Selection, initial: Bool, followsScenes: Bool = false,
        deliver: PhaseMonitor.Delivery? = nil, _ action: @escaping Observer.Action
    ) -> Int {
        let isStepwise = isStepwise
        let (id, phase, scenes) = state.withLock { state in
            let subject = state.subjectPhase(selection)
            let scenes =
                !followsScenes ? nil : state.end == nil ? state.snapshot.scenes(of: selection) : []
            let observer = Observer(
                subject, isStepwise: isStepwise, isCalling: initial, scenes: scenes, deliver: deliver,
                action: action)
            return (state.add(observer), subject.phase, scenes)
        }
        if initial {
            action(phase, phase, scenes ?? [])
            call(id)
        }
        return id
    }

    /// Makes the calls of an observer until none is left.
    private func call(_ id: Int) {
        while let (action, old, new, scenes) = state.withLock({ $0.observers[id]?.next() }) {
            action(old, new, scenes)
        }
    }

    func removeObserver(_ id: Int) {
        let observer = state.withLock { $0.observers.removeValue(forKey: id) }
        withExtendedLifetime(observer) {}
    }
}
