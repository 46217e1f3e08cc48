import Console
import PhaseWatch
import System

/// The last event of one kind for a hook and an application.
public struct HookEvent: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// A change matched the hook. The other kinds report why the hook ran, or did not.
        case matched
        case ran, thawed, vetoed, excepted
        /// A newer change came before the turn of the job, or it ran too short a time ago.
        case dropped
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
    /// nil for the session.
    public var application: String?
    public var kind: Kind
    public var time: UTCTime
    public var reason: String

    init(_ kind: Kind, of job: Job, _ reason: String, at time: Timestamp) {
        hook = job.hook.name
        application = job.trigger.occasion.application
        self.kind = kind
        self.time = UTCTime(time)
        self.reason = reason
    }

    /// What a later event is about, too, if it replaces this one. The two parts of a pair are apart, and so are reactions.
    fileprivate var topic: String { kind == .ran ? "\(kind) \(reason.prefix { $0 != " " })" : "\(kind)" }
}

/// The last event of each kind for each hook and subject, which explain why a hook ran or did not.
public struct HookHistory: Sendable {
    /// The largest number of subjects for one hook. Clients can set any number of names.
    static let mostSubjects = 64

    /// What has happened to one hook for one subject, in the order in which it happened.
    struct Past: Sendable {
        /// The path of the subject, as in lines.
        let path: String
        var events: [HookEvent] = []
        /// Whether the subject has closed since.
        var isClosed = false

        /// The state that the last event has left, and the reason, if it prevented a reaction.
        var hindrance: (state: HookStatus.State, reason: String)? {
            guard !isClosed, let last = events.last else { return nil }
            return last.kind.state.map { ($0, last.reason) }
        }
    }

    private(set) var pasts: [Job.Key: Past] = [:]

    /// The last event of each kind for each application, oldest first.
    public subscript(hook: String) -> [HookEvent] {
        let events = pasts.filter { $0.key.hook == hook }.values.flatMap(\.events)
        let last = Dictionary(grouping: events) { "\($0.topic) \($0.application ?? "")" }.values
            .compactMap { $0.max { $0.time < $1.time } }
        return last.sorted {
            ($0.application ?? "", $0.time, $0.kind.order) < ($1.application ?? "", $1.time, $1.kind.order)
        }
    }

    mutating func note(_ kind: HookEvent.Kind, of job: Job, _ reason: String, at time: Timestamp) {
        let event = HookEvent(kind, of: job, reason, at: time)
        var past = pasts[job.key] ?? Past(path: job.trigger.occasion.path)
        past.events.removeAll { $0.topic == event.topic }
        past.events.append(event)
        past.isClosed = false
        pasts[job.key] = past
        let subjects = pasts.filter { $0.key.hook == job.hook.name }
        let times = subjects.compactMap { key, past in past.events.map(\.time).max().map { (key, $0) } }
        if subjects.count > Self.mostSubjects, let oldest = times.min(by: { $0.1 < $1.1 }) {
            pasts[oldest.0] = nil
        }
    }

    mutating func close(_ subject: SubjectID) {
        for key in pasts.keys where key.subject == subject { pasts[key]?.isClosed = true }
    }

    /// Removes hooks that no longer exist.
    mutating func keep(_ names: [String]) {
        pasts = pasts.filter { names.contains($0.key.hook) }
    }
}

extension HookEvent.Kind {
    /// The order of events with the same time.
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The state of a hook after an event that prevented its reaction; nil for other events.
    var state: HookStatus.State? {
        switch self {
        case .vetoed, .excepted: .excepted
        case .failed, .timedOut: .failed
        case .matched, .ran, .thawed, .dropped, .leftTooEarly: nil
        }
    }
}
