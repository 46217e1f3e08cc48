import PhaseWatch
import System

/// A receiver of the events of a watch, on its thread. A sink may start operations, but never waits for them.
///
/// A watch has a list of sinks that do not know each other. Each call goes to all of them, in the order of the list.
public protocol Sink: AnyObject {
    /// The descriptor of the reader; nil for most sinks. It is polled for the end of the reader and, while there is a
    /// backlog, for room. One sink of a list has an output.
    var output: Int32? { get }
    /// Whether lines are waiting for the reader.
    var hasBacklog: Bool { get }
    /// Whether so many lines are waiting that further ones must be dropped.
    var isFull: Bool { get }
    /// Returns how many of the events would have become lines.
    func count(_ events: [Event]) -> Int
    /// Writes as much of the backlog as the reader accepts without blocking.
    func flush() throws

    /// Whether the sink has no deadlines, descriptors or requests. The loop skips it for these in each turn.
    var isPassive: Bool { get }
    /// Signals that the sink handles, and that do not end the watch.
    var signals: [Int32] { get }
    /// Signals that end the watch, in addition to `EventLoop.endingSignals`.
    var endingSignals: [Int32] { get }
    /// When to call `wake` at the latest, in CLOCK_MONOTONIC; nil for never.
    var next: Duration? { get }
    /// Whether the sink has received everything that it needs, so the watch may end.
    var isDone: Bool { get }
    /// The details of scenes that the sink needs; read again when there are new rules.
    var details: PhaseWatcher.Details { get }

    /// Called once, before everything else.
    func join(_ loop: EventLoop)
    /// Receives events that became certain at the same time.
    ///
    /// - Parameter numbers: The number of each event's line; nil for an event without a line; empty if no lines were
    ///   written. The sink of lines comes first in the list, and fills it in.
    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws
    /// Receives background applications that may be wanted, according to signs. Called only if `details` has `signs`.
    func take(signs applications: Set<String>)
    /// Receives the current state, because one of the sinks requested it.
    func takeSnapshot(_ events: [Event], at time: Timestamp)
    /// A watched descriptor is ready. It may belong to another sink.
    func ready(_ descriptor: Int32)
    /// One of `signals` was received.
    func received(_ signal: Int32)
    func wake()
    /// Called at the end of each turn of the loop.
    func finishTurn(_ requests: inout WatchRequests)
}

extension Sink {
    public var output: Int32? { nil }
    public var hasBacklog: Bool { false }
    public var isFull: Bool { false }
    public func count(_ events: [Event]) -> Int { 0 }
    public func flush() throws {}
    public var isPassive: Bool { false }
    public var signals: [Int32] { [] }
    public var endingSignals: [Int32] { [] }
    public var next: Duration? { nil }
    public var isDone: Bool { false }
    public var details: PhaseWatcher.Details { [] }
    public func join(_ loop: EventLoop) {}
    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws {}
    public func take(signs applications: Set<String>) {}
    public func takeSnapshot(_ events: [Event], at time: Timestamp) {}
    public func ready(_ descriptor: Int32) {}
    public func received(_ signal: Int32) {}
    public func wake() {}
    public func finishTurn(_ requests: inout WatchRequests) {}

    /// Receives events whose numbers no other sink needs.
    public func take(_ events: [Event], at time: Timestamp) throws {
        var numbers: [Int?] = []
        try take(events, at: time, numbers: &numbers)
    }
}

/// The requests of sinks to the watch. Each sink adds to the requests of those before it in the list.
public struct WatchRequests {
    /// Notices for the reader of the watch; other sinks do not receive them.
    public var notices: [Notice] = []
    /// The new rules of the watch; nil if they are unchanged.
    public var rules: WatchRules?
    /// Whether the details that sinks need have changed.
    public var changesDetails = false
    /// Whether to call `takeSnapshot` as soon as everything is read.
    public var wantsSnapshot = false

    public init() {}
}

/// The contents of a reloaded configuration.
public struct WatchRules: Hashable, Sendable {
    /// The rules for phases; display and steps stay unchanged.
    public var options: PhaseMonitor.Options
    public var journal: JournalSettings

    public init(options: PhaseMonitor.Options, journal: JournalSettings) {
        (self.options, self.journal) = (options, journal)
    }
}
