import PhaseWatch
import System

/// Takes the events of a watch, on its thread: it may start things, but never waits for them.
///
/// A watch has a list of sinks, none of which knows another. Each call goes to all of them, in the order of the list.
public protocol Sink: AnyObject {
    /// Where it writes, to poll for the reader's end, and for room while there is a backlog; nil for most. One sink of a list
    /// has an output.
    var output: Int32? { get }
    /// Something waits for the reader.
    var hasBacklog: Bool { get }
    /// So many lines wait that further ones are to be given up.
    var isFull: Bool { get }
    /// How many of some events would have been lines.
    func count(_ events: ChangeBatch) -> Int
    /// Passes on what waits, as far as the reader takes it at once.
    func flush() throws

    /// It takes events, and nothing of what follows: the loop asks it for nothing else in each turn.
    var isPassive: Bool { get }
    /// Signals that are for it, and do not end the watch.
    var signals: [Int32] { get }
    /// Signals that end the watch, beside `EventLoop.endingSignals`.
    var endingSignals: [Int32] { get }
    /// When to call `wake` at the latest, in CLOCK_MONOTONIC; nil for never.
    var next: Duration? { get }
    /// It has seen what it was for, and the watch may end.
    var isDone: Bool { get }
    /// The details of scenes that it needs; asked again when there are new rules.
    var details: PhaseWatcher.Details { get }

    /// Called once, before everything else.
    func join(_ loop: EventLoop)
    /// Takes events that became certain at one time.
    ///
    /// - Parameter numbers: The number of each event's line, nil where it is none; empty where nothing has written lines.
    ///   Lines come first in the list, and fill it in.
    func take(_ events: ChangeBatch, at time: Timestamp, numbers: inout [Int?]) throws
    /// There are signs that these background applications may be wanted. Only where `details` has `signs`.
    func take(signs applications: Set<String>)
    /// Takes everything that is there, since one of the sinks asked for it.
    func takeSnapshot(_ events: ChangeBatch, at time: Timestamp)
    /// A descriptor that a sink watches has what it is watched for. It may be another one's.
    func ready(_ descriptor: Int32)
    /// One of its `signals` came.
    func received(_ signal: Int32)
    func wake()
    /// Called after all that the loop woke up for.
    func finishTurn(_ requests: inout WatchRequests)
}

extension Sink {
    public var output: Int32? { nil }
    public var hasBacklog: Bool { false }
    public var isFull: Bool { false }
    public func count(_ events: ChangeBatch) -> Int { 0 }
    public func flush() throws {}
    public var isPassive: Bool { false }
    public var signals: [Int32] { [] }
    public var endingSignals: [Int32] { [] }
    public var next: Duration? { nil }
    public var isDone: Bool { false }
    public var details: PhaseWatcher.Details { [] }
    public func join(_ loop: EventLoop) {}
    public func take(_ events: ChangeBatch, at time: Timestamp, numbers: inout [Int?]) throws {}
    public func take(signs applications: Set<String>) {}
    public func takeSnapshot(_ events: ChangeBatch, at time: Timestamp) {}
    public func ready(_ descriptor: Int32) {}
    public func received(_ signal: Int32) {}
    public func wake() {}
    public func finishTurn(_ requests: inout WatchRequests) {}

    /// Takes events of which no other sink asks the numbers.
    public func take(_ events: ChangeBatch, at time: Timestamp) throws {
        var numbers: [Int?] = []
        try take(events, at: time, numbers: &numbers)
    }
}

/// What sinks want of the watch. Each adds to what those before it in the list have asked for.
public struct WatchRequests {
    /// What the reader of the watch should know; other sinks do not get it.
    public var notices: [Notice] = []
    /// The rules to watch by from now on; nil if they are unchanged.
    public var rules: WatchRules?
    /// The details that sinks need have changed.
    public var changesDetails = false
    /// `takeSnapshot` is to be called as soon as everything is read.
    public var wantsSnapshot = false
    /// What reactions have saved that have ended.
    public var savings: [Saving] = []

    public init() {}
}

/// What a configuration says that was read again.
public struct WatchRules: Hashable, Sendable {
    /// How what is seen becomes phases; display and steps stay as they are.
    public var options: PhaseMonitor.Options
    public var journal: JournalSettings

    public init(options: PhaseMonitor.Options, journal: JournalSettings) {
        (self.options, self.journal) = (options, journal)
    }
}
