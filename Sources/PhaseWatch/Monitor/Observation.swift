extension PhaseMonitor {
    /// An action that is called when a phase changes, until this is cancelled or nobody holds it any longer.
    public final class Observation: Sendable {
        /// It goes on while somebody observes.
        private let monitor: PhaseMonitor
        private let board: Board
        private let id: Int

        init(monitor: PhaseMonitor, board: Board, id: Int) {
            self.monitor = monitor
            self.board = board
            self.id = id
        }

        deinit {
            cancel()
        }

        /// Ends the calls. One that is being made on another thread may still go on.
        public func cancel() {
            board.removeObserver(id)
        }
    }
}
