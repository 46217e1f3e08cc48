import System

extension Application {
    /// What is under way for an application.
    ///
    ///     settled → asking → recording → freezing, applying → settled → undoing → settled
    ///     undoing → retrying → undoing, settled
    enum Step: Hashable, Sendable {
        /// Nothing is under way.
        case settled
        /// The exceptions and what undoes these reactions are asked for.
        case asking(RunID, Set<BuiltIn>)
        /// What undoes the reactions is being written.
        case recording(WriteID)
        /// Processes are being stopped.
        case freezing(RunID)
        case applying(RunID)
        /// Limits are being undone. They may have been tried before.
        case undoing(RunID, [Hold], Retry?)
        /// Limits that could not be undone are undone again at this time.
        case retrying(Retry)

        /// The next attempt to undo limits; nil for none.
        var retry: Retry? { if case .retrying(let retry) = self { retry } else { nil } }

        /// Whether nothing is under way, so that the next action may begin.
        var isAtRest: Bool { self == .settled || retry != nil }

        var run: RunID? {
            switch self {
            case .asking(let id, _), .freezing(let id), .applying(let id), .undoing(let id, _, _): id
            case .settled, .recording, .retrying: nil
            }
        }
    }
}
