import PhaseWatch
import System

/// A change that a hook may run for.
public struct HookTrigger: Hashable, Sendable {
    public var change: Change
    /// The number of the line that told it; nil where no line did.
    public var sequence: Int?
    public var time: Timestamp

    public init(change: Change, sequence: Int? = nil, time: Timestamp) {
        self.change = change
        self.sequence = sequence
        self.time = time
    }

    /// nil for what is no change.
    init?(_ event: Event, number: Int?, time: Timestamp) {
        guard case .change(let change) = event else { return nil }
        self.init(change: change, sequence: number, time: time)
    }
}
