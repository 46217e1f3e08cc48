import Scenes
import Synchronization

/// The state of a monitor, which its thread writes and its clients read.
///
/// Never call or release client code under the lock: it may call back.
final class MonitorState: Sendable {
    private struct Contents: Sendable {
        var snapshot = Snapshot()
        /// How the monitor ended; nil while it runs.
        var end: Result<Void, MonitorFailure>?
        var consumers: [Int: Consumer] = [:]
        var lastID = 0
    }

    private let options: PhaseMonitor.Options
    private let contents = Mutex(Contents())

    init(_ options: PhaseMonitor.Options) { self.options = options }

    /// Passes changes to all consumers, with everything that exists after them as changes of the kind `initial`.
    func post(_ changes: [Change], present: [Change]) {
        let readers = contents.withLock { contents -> [(Int, Consumer.Reader)] in
            if contents.end != nil { return [] }
            contents.snapshot.update(changes, present)
            return contents.consumers.keys.compactMap { id in
                contents.consumers[id]?.update(changes, contents.snapshot).map { (id, $0) }
            }
        }
        for (id, reader) in readers { wake(id, reader) }
    }

    /// Ends all sequences, once they have returned what is unread, and all observations. The sequences throw the failure.
    func end(_ failure: MonitorFailure? = nil) {
        let consumers = contents.withLock { contents -> [Int: Consumer] in
            guard contents.end == nil else { return [:] }
            contents.end = failure.map { .failure($0) } ?? .success(())
            defer { contents.consumers = contents.consumers.filter { $0.value.isIteration } }
            return contents.consumers
        }
        for (id, consumer) in consumers where consumer.isIteration { wake(id, consumer.reader) }
    }

    /// Returns the scenes that a subject includes; empty after the end. Throws the failure that ended the monitor.
    func scenes(of subject: PhaseMonitor.Subject) throws(MonitorFailure) -> [PhaseMonitor.Scene] {
        let selection = try selection(of: subject)
        let (scenes, end) = contents.withLock { ($0.snapshot.scenes(of: selection), $0.end) }
        try end?.get()
        return end == nil ? scenes : []
    }

    private func selection(of subject: PhaseMonitor.Subject) throws(MonitorFailure) -> Selection {
        let selection = Selection(subject, reportsTitles: options.details.contains(.titleChanges))
        if selection.isOfTitles && !options.details.readTitles { throw .titlesNotRead }
        return selection
    }

    /// Adds a consumer, and returns its ID. If the present state comes first, an action is called with it before this
    /// returns.
    func add(
        _ subject: PhaseMonitor.Subject, _ content: Consumer.Content, initial: Bool, _ reader: Consumer.Reader
    ) throws(MonitorFailure) -> Int {
        let selection = try selection(of: subject)
        let (id, scenes) = contents.withLock { contents in
            let snapshot = contents.end == nil ? contents.snapshot : nil
            let consumer = Consumer(
                of: selection, content, reader, initial: initial, isStepwise: options.isStepwise, snapshot)
            contents.lastID += 1
            if snapshot != nil || consumer.isIteration { contents.consumers[contents.lastID] = consumer }
            return (contents.lastID, consumer.scenes)
        }
        if initial, case .observer(_, let action) = reader {
            let phase = scenes.map(\.phase).max()
            action(phase, phase, scenes)
            call(id, action)
        }
        return id
    }

    private func wake(_ id: Int, _ reader: Consumer.Reader) {
        switch reader {
        case .iteration(let signal): signal.yield()
        case .observer(let own, let action):
            if let deliver = own ?? options.deliver {
                deliver.run { self.call(id, action) }
            } else {
                call(id, action)
            }
        }
    }

    /// Makes the calls of an observer until none is left.
    private func call(_ id: Int, _ action: Consumer.Action) {
        while let (change, scenes) = contents.withLock({ contents in
            contents.consumers[id]?.next().map { ($0, contents.consumers[id]?.scenes ?? []) }
        }) {
            action(change.from, change.to, scenes)
        }
    }

    /// Returns the next change of an iteration; nil if it has to wait, and `.success(nil)` after the end and once the
    /// iteration is removed.
    func next(_ id: Int) -> Result<Change?, MonitorFailure>? {
        contents.withLock { contents in
            guard contents.consumers[id] != nil else { return .success(nil) }
            if let change = contents.consumers[id]?.next() { return .success(change) }
            guard let end = contents.end else { return nil }
            contents.consumers[id] = nil
            return end.map { nil }
        }
    }

    func remove(_ id: Int) {
        let consumer = contents.withLock { $0.consumers.removeValue(forKey: id) }
        withExtendedLifetime(consumer) {}
    }
}
