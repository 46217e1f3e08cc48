import PhaseWatch
import System

/// A change that a hook may run for.
public struct HookTrigger: Hashable, Sendable {
    public var change: Change
    /// The number of the change's line; nil if it has none.
    public var sequence: Int?
    public var time: Timestamp

    public init(change: Change, sequence: Int? = nil, time: Timestamp) {
        self.change = change
        self.sequence = sequence
        self.time = time
    }

    /// Returns the triggers in a batch that may concern the hooks.
    ///
    /// - Parameter numbers: The number of each event's line; empty if no lines are written.
    public static func of(
        _ events: ChangeBatch, numbers: [Int?], for hooks: [Hook], at time: Timestamp
    ) -> [HookTrigger] {
        var triggers = events.enumerated().compactMap { index, event -> HookTrigger? in
            guard case .change(let change) = event else { return nil }
            return HookTrigger(
                change: change, sequence: index < numbers.count ? numbers[index] : nil, time: time)
        }
        if hooks.contains(where: \.followsFacts) {
            triggers += events.refreshed.map { HookTrigger(change: $0, time: time) }
        }
        return triggers
    }

    /// Returns a trigger for the end of a phase that no change has ended.
    func abandoned(at time: Timestamp) -> HookTrigger {
        var change = change
        (change.kind, change.from, change.to) = (.closed, change.to ?? change.from, nil)
        (change.cause, change.held) = (.resync, nil)
        return HookTrigger(change: change, time: time)
    }
}
