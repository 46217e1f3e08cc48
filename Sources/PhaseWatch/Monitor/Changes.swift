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
        let board: Board
        let selection: Selection
        let initial: Bool

        /// Begins to keep changes for a new consumer.
        public func makeAsyncIterator() -> Iterator {
            let id = board.subscribe(selection, initial: initial)
            return Iterator(consumer: Consumer(monitor: monitor, board: board, id: id))
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
            try await consumer.board.next(consumer.id).get()
        }
    }

    fileprivate final class Consumer: Sendable {
        /// It goes on while somebody iterates.
        private let monitor: PhaseMonitor
        let board: Board
        let id: Int

        init(monitor: PhaseMonitor, board: Board, id: Int) {
            self.monitor = monitor
            self.board = board
            self.id = id
        }

        deinit {
            board.removeSubscription(id)
        }
    }
}
