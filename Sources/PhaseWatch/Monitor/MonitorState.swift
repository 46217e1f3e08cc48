import Scenes
import Synchronization

/// The state of a monitor, which its thread writes and its clients read.
///
/// Never call, resume or release client code under the lock: it may call back.
final class MonitorState: Sendable {
    private struct Contents: Sendable {
        var snapshot = Snapshot()
        /// How the monitor ended; nil while it runs.
        var end: Result<Void, MonitorFailure>?
        var consumers: [Int: Consumer] = [:]
        var lastID = 0
    }

    private let isStepwise: Bool
    private let details: PhaseWatcher.Details
    private let deliver: PhaseMonitor.Delivery?
    private let contents = Mutex(Contents())

    init(_ options: PhaseMonitor.Options = .init()) {
        (isStepwise, details, deliver) = (options.isStepwise, options.details, options.deliver)
    }

    /// Passes changes to all consumers.
    ///
    /// - Parameters:
    ///   - present: Everything that exists after the changes, as changes of the kind `initial`.
    ///   - now: Monotonic time.
    func post(_ changes: [Change], present: [Change], at now: Duration) {
        let work = contents.withLock { contents -> [Consumer.Work] in
            if contents.end != nil { return [] }
            let posted = contents.snapshot.update(changes, present, at: now)
            return contents.consumers.keys.compactMap { id in
                contents.consumers[id]?.update(posted, contents.snapshot)
                return contents.consumers[id]?.takeWork(id)
            }
        }
        for item in work {
            switch item {
            case .resume(let waiter, let change): waiter.resume(returning: .success(change))
            case .call(let id, let own):
                if let deliver = own ?? deliver { deliver.run { self.call(id) } } else { call(id) }
            }
        }
    }

    /// Ends all sequences, once they have returned what is unread, and all observations.
    ///
    /// - Parameter failure: The failure that the sequences throw; nil for an ordinary end.
    func end(_ failure: MonitorFailure? = nil) {
        let end: Result<Void, MonitorFailure> = failure.map { .failure($0) } ?? .success(())
        let ended = contents.withLock { contents -> [Consumer] in
            guard contents.end == nil else { return [] }
            contents.end = end
            let ended = contents.consumers.filter { $0.value.waiter != nil || $0.value.action != nil }
            for id in ended.keys { contents.consumers[id] = nil }
            return Array(ended.values)
        }
        for consumer in ended { consumer.waiter?.resume(returning: end.map { nil }) }
        withExtendedLifetime(ended) {}
    }

    /// Returns the scenes that a subject includes; empty after the end.
    ///
    /// - Throws: The failure that ended the monitor; `.titlesNotRead`.
    func scenes(of subject: PhaseMonitor.Subject) throws(MonitorFailure) -> [PhaseMonitor.Scene] {
        let selection = try selection(of: subject).get()
        let (scenes, end) = contents.withLock { ($0.snapshot.scenes(of: selection), $0.end) }
        try end?.get()
        return end == nil ? scenes : []
    }

    func selection(of subject: PhaseMonitor.Subject) -> Result<Selection, MonitorFailure> {
        let selection = Selection(subject, reportsTitles: details.contains(.titleChanges))
        return selection.isOfTitles && !details.readTitles ? .failure(.titlesNotRead) : .success(selection)
    }
}

extension MonitorState {
    /// Adds an iteration, or an observer if there is an action.
    ///
    /// - Parameters:
    ///   - initial: Whether the present state comes first. An action is called with it before this returns.
    ///   - deliver: Where the action is called; nil for the delivery of the monitor.
    /// - Returns: The ID of the consumer.
    func add(
        _ selection: Selection, _ content: Consumer.Content, initial: Bool,
        deliver: PhaseMonitor.Delivery? = nil, _ action: Consumer.Action? = nil
    ) -> Int {
        let (id, scenes) = contents.withLock { contents in
            var consumer = Consumer(of: selection, content, isStepwise: isStepwise)
            (consumer.action, consumer.deliver, consumer.isCalling) = (action, deliver, initial)
            if contents.end == nil { consumer.begin(with: contents.snapshot, initial: initial) }
            contents.lastID += 1
            if contents.end == nil || action == nil { contents.consumers[contents.lastID] = consumer }
            return (contents.lastID, consumer.scenes)
        }
        if initial, let action {
            let phase = scenes.map(\.phase).max()
            action(phase, phase, scenes)
            call(id)
        }
        return id
    }

    /// Makes the calls of an observer until none is left.
    private func call(_ id: Int) {
        while let (action, change, scenes) = contents.withLock({ $0.consumers[id]?.nextCall() }) {
            action(change.from, change.to, scenes)
        }
    }

    /// Waits for the next element of an iteration; nil after the end, and once the consumer is removed.
    func next(_ id: Int) async -> Consumer.Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer = contents.withLock { contents -> Consumer.Answer? in
                    guard contents.consumers[id] != nil else { return .success(nil) }
                    if let change = contents.consumers[id]?.next() { return .success(change) }
                    if let end = contents.end {
                        contents.consumers[id] = nil
                        return end.map { nil }
                    }
                    contents.consumers[id]?.waiter = waiter
                    return nil
                }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            remove(id)
        }
    }

    func remove(_ id: Int) {
        let consumer = contents.withLock { $0.consumers.removeValue(forKey: id) }
        consumer?.waiter?.resume(returning: .success(nil))
        withExtendedLifetime(consumer) {}
    }

    /// The number of consumers, and of changes kept for them.
    var holdings: (consumers: Int, changes: Int) {
        contents.withLock { ($0.consumers.count, $0.consumers.values.map(\.unreadCount).reduce(0, +)) }
    }
}
