import Console
import PhaseWatch
import System

/// The last event of one kind for a hook and an application.
public struct HookEvent: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// A change matched the hook. The other kinds report why the hook ran, or did not.
        case matched
        case ran, vetoed, excepted
        /// A newer change came before the turn of the job.
        case collapsed
        /// The phase was left before it had lasted for `after`.
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

/// The last event of each kind for each hook and application, which explain why a hook ran or did not.
public struct HookHistory: Sendable {
    /// The largest number of applications for one hook. Clients can set any number of names.
    static let mostApplications = 64

    private typealias Applications = [String: [HookEvent.Kind: HookEvent]]

    private var hooks: [String: Applications] = [:]

    /// The events of one hook by application, oldest first.
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

    /// Removes hooks that no longer exist.
    mutating func keep(_ names: [String]) {
        hooks = hooks.filter { names.contains($0.key) }
    }
}

extension HookEvent.Kind {
    /// The order of events with the same time.
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
