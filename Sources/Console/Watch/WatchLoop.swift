import CLinux
import PhaseWatch
import System

/// Why a watch ended without an error.
public enum WatchEnd: Equatable, Sendable {
    case signal(Int32)
    /// Whoever reads the events has gone away, or has seen what it waited for.
    case readerGone
}

extension Result<WatchEnd, any Error> {
    /// Whether the watch ended because a signal asked for it.
    public var isBySignal: Bool {
        if case .success(.signal) = self { true } else { false }
    }
}

extension PhaseWatcher {
    /// Watches until a signal asks for the end or the reader goes away.
    ///
    /// - Parameter reactor: Gets every event, also those that the sink gives up.
    /// - Throws: `PhaseMonitor.Failure` when the server goes away, `SystemError`, and what the sink throws.
    public func run(into sink: some EventSink, reactor: (any Reactor)? = nil) throws -> WatchEnd {
        let loop = try EventLoop(
            display: fileDescriptor, output: sink.descriptor,
            signals: EventLoop.endingSignals + (reactor.map { $0.signals + $0.endingSignals } ?? []),
            sleep: SleepWatch())
        reactor?.join(loop)
        details = sink.details.union(reactor?.details ?? [])
        var backlog = Backlog()
        var owesSnapshot = false
        try tell(sink, &backlog, reactor)
        while reactor?.isDone != true {
            loop.setTimer(earlier(deadline, reactor?.next))
            switch try loop.wait(hasQueuedEvents: hasQueuedEvents, hasBacklog: sink.hasBacklog) {
            case .display:
                try tell(sink, &backlog, reactor)
            case .timer:
                reactor?.wake()
                try listen(to: reactor, sink, &backlog, &owesSnapshot)
                try tell(sink, &backlog, reactor, hasInput: loop.hasDisplayInput)
            case .resumed:
                backlog.prepare(state, sink)
                try pass([.notice(resume())], to: sink, &backlog, reactor)
            case .output:
                try sink.flush()
                try backlog.catchUp(sink, resync: resyncBatches(since:))
            case .ready(let descriptor):
                reactor?.ready(descriptor)
            case .signal(let number):
                guard let reactor, reactor.signals.contains(number) else { return .signal(number) }
                reactor.received(number)
            case .hangUp:
                return .readerGone
            }
            try listen(to: reactor, sink, &backlog, &owesSnapshot)
        }
        return .readerGone
    }

    private func earlier(_ moment: Duration?, _ other: Duration?) -> Duration? {
        guard let moment, let other else { return moment ?? other }
        return min(moment, other)
    }

    /// Tells the sink and the reactor what is new.
    private func tell(
        _ sink: some EventSink, _ backlog: inout Backlog, _ reactor: (any Reactor)?, hasInput: Bool = true
    ) throws {
        backlog.prepare(state, sink)
        let isStart = !hasBegun
        let events = try advance(hasInput: hasInput)
        if let reactor, details.contains(.signs) {
            let signs = takeSigns()
            if !signs.isEmpty && !isStart { reactor.take(signs: signs) }
        }
        if isStart && hasBegun {
            // The reactor begins with everything, also where that is nothing.
            try pass(events, to: sink, &backlog, reactor)
            // What only the start needs of the program's code.
            linux_give_back_program()
        } else if !events.isEmpty || events.hasRefreshed {
            // Before the start there is nothing but the notice that the server is silent.
            try pass(events, to: sink, &backlog, isStart ? nil : reactor)
        }
    }

    private func pass(
        _ events: ChangeBatch, to sink: some EventSink, _ backlog: inout Backlog, _ reactor: (any Reactor)?
    ) throws {
        let time = Timestamp.now()
        let numbers = try backlog.pass(events, at: time, to: sink)
        reactor?.take(events, numbers: numbers, at: time)
    }

    /// Takes what a reactor has to say.
    ///
    /// - Parameter owesSnapshot: It is to get everything that is there, as soon as that is read.
    private func listen(
        to reactor: (any Reactor)?, _ sink: some EventSink, _ backlog: inout Backlog,
        _ owesSnapshot: inout Bool
    ) throws {
        guard let reactor else { return }
        let notices = ChangeBatch(reactor.takeNotices().map(Event.notice))
        if !notices.isEmpty {
            backlog.prepare(state, sink)
            _ = try backlog.pass(notices, at: .now(), to: sink)
        }
        if let rules = reactor.takeRules() {
            follow(rules.options)
            details = sink.details.union(reactor.details)
            owesSnapshot = owesSnapshot || rules.wantsSnapshot
        }
        guard owesSnapshot, !isReading else { return }
        owesSnapshot = false
        reactor.takeSnapshot(ChangeBatch(present.map(Event.change)), at: .now())
    }
}

/// What reacts to the events of a watch, on its thread: it may start things, but never waits for them.
public protocol Reactor: AnyObject {
    /// Signals that are for it, and do not end the watch.
    var signals: [Int32] { get }
    /// Signals that end the watch, beside `EventLoop.endingSignals`.
    var endingSignals: [Int32] { get }
    /// When to call `wake` at the latest, in CLOCK_MONOTONIC; nil for never.
    var next: Duration? { get }
    /// It has seen what it was for, and the watch may end.
    var isDone: Bool { get }

    /// The details of scenes that it needs; asked again when `takeRules` gave new rules.
    var details: PhaseWatcher.Details { get }

    /// Called once, before everything else.
    func join(_ loop: EventLoop)
    /// Takes events that were told at one time, each with the number of the line that told it, if one did.
    func take(_ events: ChangeBatch, numbers: [Int?], at time: Timestamp)
    /// There are signs that these background applications may be wanted. Only where `details` has `signs`.
    func take(signs applications: Set<String>)
    /// Takes everything that is there, which `takeRules` asked for.
    func takeSnapshot(_ events: ChangeBatch, at time: Timestamp)
    /// One of its descriptors has what it is watched for.
    func ready(_ descriptor: Int32)
    func received(_ signal: Int32)
    func wake()
    /// What the reader of the watch should know; each is told once.
    func takeNotices() -> [Notice]
    /// The rules to watch by from now on; nil if they are unchanged since the last call.
    func takeRules() -> WatchRules?
}

extension Reactor {
    public var endingSignals: [Int32] { [] }
    public func take(signs applications: Set<String>) {}
}

/// What is to be watched in another way.
public struct WatchRules: Hashable, Sendable {
    /// How what is seen becomes phases; display and steps stay as they are.
    public var options: PhaseMonitor.Options
    /// Everything that is there is to be handed to `Reactor.takeSnapshot`.
    public var wantsSnapshot: Bool

    public init(options: PhaseMonitor.Options, wantsSnapshot: Bool) {
        self.options = options
        self.wantsSnapshot = wantsSnapshot
    }
}
