import PhaseWatch
import System

/// A member of a watch, on its thread: a receiver of its events, a part of its loop, or both. Members do not know each
/// other. Each call goes to all of them, in the order of their list. A member may start operations, but never waits for
/// them.
public protocol WatchMember: AnyObject {
    /// The details of scenes that the member needs; they may change at any time.
    var details: PhaseWatcher.Details { get }
    /// The descriptor of the reader; nil for most members. It is polled for the end of the reader and, while there is a
    /// backlog, for room. One member of a list has an output.
    var output: Int32? { get }
    var hasBacklog: Bool { get }
    /// Whether so many lines are waiting that further ones must be dropped.
    var isFull: Bool { get }
    /// Signals that the member handles, and that do not end the watch.
    var signals: [Int32] { get }
    /// Signals that end the watch, in addition to `EventLoop.endingSignals`.
    var endingSignals: [Int32] { get }
    /// When to call `wake` at the latest, in CLOCK_MONOTONIC; nil for never.
    var next: Duration? { get }
    /// Whether the member has received everything that it needs, so the watch may end.
    var isDone: Bool { get }
    /// Called once, before everything else.
    func join(_ loop: EventLoop)
    /// Returns how many of the events would have become lines.
    func count(_ events: [Event]) -> Int
    /// Writes as much of the backlog as the reader accepts without blocking.
    func flush() throws
    /// Receives events that became certain at the same time, with the number of each one's line; nil for an event without a
    /// line; empty if no lines were written. The writer of lines comes first in the list, and fills it in.
    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws
    /// Receives background applications that may be wanted, according to signs. Called only if `details` has `signs`.
    func take(signs applications: Set<String>)
    /// Receives the current state, because one of the members requested it.
    func takeSnapshot(_ events: [Event], at time: Timestamp)
    /// One of `signals` was received.
    func received(_ signal: Int32)
    func wake()
    /// Called at the end of each turn of the loop.
    func finishTurn(_ requests: inout WatchRequests)
}

extension WatchMember {
    public var details: PhaseWatcher.Details { [] }
    public var output: Int32? { nil }
    public var hasBacklog: Bool { false }
    public var isFull: Bool { false }
    public var signals: [Int32] { [] }
    public var endingSignals: [Int32] { [] }
    public var next: Duration? { nil }
    public var isDone: Bool { false }
    public func join(_ loop: EventLoop) {}
    public func count(_ events: [Event]) -> Int { 0 }
    public func flush() throws {}
    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws {}
    public func take(signs applications: Set<String>) {}
    public func takeSnapshot(_ events: [Event], at time: Timestamp) {}
    public func received(_ signal: Int32) {}
    public func wake() {}
    public func finishTurn(_ requests: inout WatchRequests) {}

    /// Receives events whose numbers no other member needs.
    public func take(_ events: [Event], at time: Timestamp) throws {
        var numbers: [Int?] = []
        try take(events, at: time, numbers: &numbers)
    }
}

/// A log joins the loop of a watch: its messages then wait neither for a reader nor for a disk.
extension Log: WatchMember {}

extension [any WatchMember] {
    /// The signals for the loop of a watch: those that end it, and those that members handle.
    public var awaitedSignals: [Int32] {
        EventLoop.endingSignals + flatMap { $0.signals + $0.endingSignals }
    }

    /// Passes a signal to the members that handle it, and returns whether there are any. Otherwise it ends the watch.
    public func take(_ signal: Int32) -> Bool {
        let takers = filter { $0.signals.contains(signal) }
        for taker in takers { taker.received(signal) }
        return !takers.isEmpty
    }
}

/// The requests of members to the watch. Each member adds to the requests of those before it in the list.
public struct WatchRequests {
    /// Notices for the reader of the watch; other members do not receive them.
    public var notices: [Notice] = []
    /// The contents of a reloaded configuration: the rules for phases, of which display and steps stay unchanged, and
    /// the settings of the journal; nil if they are unchanged.
    public var rules: (options: PhaseMonitor.Options, journal: JournalSettings)?
    /// Whether to call `takeSnapshot` as soon as everything is read.
    public var wantsSnapshot = false

    public init() {}
}

/// The journal settings of `xphase run` in a configuration.
public struct JournalSettings: Hashable, Sendable {
    /// Whether changes are recorded.
    public var isOn = false
    /// Whether titles of windows are recorded, too.
    public var titles = false
    /// Titles that match one of these are not recorded.
    package var excluded: [Pattern] = []
    /// The number of days for which a file is kept.
    public var days = 90

    public init() {}
}
