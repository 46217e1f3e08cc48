import PhaseWatch
import System

/// A change that a hook may run for.
public struct HookTrigger: Hashable, Sendable {
    public var change: Change
    /// The number of the change's line; nil if it has none.
    public var sequence: Int?
    public var time: Timestamp
    /// Whether a process of the application, which has closed, lives on.
    public var isSurvived = false

    public init(change: Change, sequence: Int? = nil, time: Timestamp) {
        self.change = change
        self.sequence = sequence
        self.time = time
    }

    /// Returns the triggers that may concern the hooks.
    ///
    /// - Parameter numbers: The number of each event's line; empty if no lines are written.
    public static func of(
        _ events: [Event], numbers: [Int?], for hooks: [Hook], at time: Timestamp
    ) -> [HookTrigger] {
        let followsFacts = hooks.contains(where: \.followsFacts)
        return events.enumerated().compactMap { index, event in
            guard case .change(let change) = event, change.kind != .facts || followsFacts else { return nil }
            return HookTrigger(
                change: change, sequence: index < numbers.count ? numbers[index] : nil, time: time)
        }
    }

    /// Returns a trigger for the end of a phase that no change has ended.
    func abandoned(at time: Timestamp) -> HookTrigger {
        var change = change
        (change.kind, change.from, change.to) = (.closed, change.to ?? change.from, nil)
        (change.cause, change.held) = (.resync, nil)
        return HookTrigger(change: change, time: time)
    }
}
