import Console
import PhaseWatch
import System

/// What a hook may run for: a change of an application, or of the session.
public struct HookTrigger: Hashable, Sendable {
    public enum Occasion: Hashable, Sendable {
        case change(Change)
        /// A state of the session begins or ends.
        case session(SessionChange)
    }

    public var occasion: Occasion
    /// The number of its line; nil if it has none.
    public var sequence: Int?
    public var time: Timestamp
    /// Whether a process of the application, which has closed, lives on.
    public var isSurvived = false
    /// Whether the state of the session held before its hook was loaded.
    var isFound = false

    public init(_ occasion: Occasion, sequence: Int? = nil, time: Timestamp) {
        self.occasion = occasion
        self.sequence = sequence
        self.time = time
    }

    public init(change: Change, sequence: Int? = nil, time: Timestamp) {
        self.init(.change(change), sequence: sequence, time: time)
    }

    public var change: Change? { occasion.change }
    /// Whether the subject has no window any longer.
    var closes: Bool { change?.kind == .closed }
    public var session: SessionChange? { if case .session(let change) = occasion { change } else { nil } }

    /// Returns the triggers that may concern the hooks.
    ///
    /// - Parameters:
    ///   - numbers: The number of each event's line; empty if no lines are written.
    ///   - isStart: Whether the events are what the watch has found.
    public static func of(
        _ events: [Event], numbers: [Int?], for hooks: [Hook], isStart: Bool = false, at time: Timestamp
    ) -> [HookTrigger] {
        let followsFacts = hooks.contains(where: \.followsFacts)
        return events.enumerated().compactMap { index, event in
            let occasion: Occasion
            switch event {
            case .change(let change) where change.kind != .facts || followsFacts: occasion = .change(change)
            case .notice(.session(let change)): occasion = .session(change)
            case .change, .notice: return nil
            }
            var trigger = HookTrigger(
                occasion, sequence: index < numbers.count ? numbers[index] : nil, time: time)
            trigger.isFound = isStart
            return trigger
        }
    }

    /// Returns a trigger for the end of a phase, or of a state of the session, that no change has ended.
    func abandoned(at time: Timestamp) -> HookTrigger {
        switch occasion {
        case .change(var change):
            change.kind = .closed
            change.from = change.to ?? change.from
            change.to = nil
            change.cause = .resync
            change.held = nil
            return HookTrigger(change: change, time: time)
        case .session(let change):
            return HookTrigger(.session(.abandoned(change.limit)), time: time)
        }
    }
}

extension Change {
    /// Returns a change of an application that has no window.
    public static func absent(_ application: String, _ kind: Kind, _ cause: Cause) -> Change {
        Change(
            kind: kind, application: application,
            subject: .application(.init(counts: .init(), pids: [], groups: [])), to: nil, cause: cause)
    }
}

extension HookTrigger.Occasion {
    var change: Change? { if case .change(let change) = self { change } else { nil } }

    /// nil for the session.
    var application: String? { change?.application }

    /// What it is about, as in lines.
    var path: String { change?.path ?? "session" }

    public var event: Event {
        switch self {
        case .change(let change): .change(change)
        case .session(let change): .notice(.session(change))
        }
    }
}
