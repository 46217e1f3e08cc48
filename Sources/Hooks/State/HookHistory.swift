import Console
import PhaseWatch
import System

/// What last became of a hook for an application.
public struct HookEvent: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// A change is one that the hook is for. What follows is why it ran, or did not.
        case matched
        case ran, vetoed, excepted
        /// Something newer came before its turn.
        case collapsed
        /// The phase was left before it had held for as long as the hook asks.
        case leftTooEarly = "left-too-early"
        case failed
        case timedOut = "timed-out"
    }

    private enum CodingKeys: String, CodingKey {
        case hook, application, time, reason
        case kind = "what"
    }

    public var hook: String
    public var application: String
    public var kind: Kind
    public var time: UTCTime
    public var reason: String

    init(_ kind: Kind, of job: Job, _ reason: String, at time: Timestamp) {
        (hook, application) = (job.hook.name, job.subject.application)
        (self.kind, self.reason, self.time) = (kind, reason, UTCTime(time))
    }
}

/// What last became of each hook, by kind, for whoever asks why it ran or did not.
public struct HookHistory: Sendable {
    /// Of how many applications it is kept for one hook: names of applications come from windows.
    static let mostApplications = 64

    private typealias Applications = [String: [HookEvent.Kind: HookEvent]]

    private var hooks: [String: Applications] = [:]

    /// Those of one hook: application by application, the oldest first.
    public subscript(hook: String) -> [HookEvent] {
        let events = (hooks[hook] ?? [:]).values.flatMap(\.values)
        return events.sorted {
            ($0.application, $0.time, $0.kind.order) < ($1.application, $1.time, $1.kind.order)
        }
    }

    mutating func note(_ event: HookEvent) {
        var applications = hooks[event.hook] ?? [:]
        applications[event.application, default: [:]][event.kind] = event
        if applications.count > Self.mostApplications {
            let last = applications.mapValues { $0.values.map(\.time).max() }
            let oldest = last.compactMap { name, time in time.map { (name, $0) } }.min { $0.1 < $1.1 }
            if let oldest { applications[oldest.0] = nil }
        }
        hooks[event.hook] = applications
    }

    /// Forgets hooks that are there no longer.
    mutating func keep(_ names: [String]) {
        hooks = hooks.filter { names.contains($0.key) }
    }
}

extension HookEvent.Kind {
    /// In which order they come about at one moment.
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
