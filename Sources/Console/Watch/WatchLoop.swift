import PhaseWatch
import System

/// The reason why a watch ended without an error.
public enum WatchEnd: Equatable, Sendable {
    case signal(Int32)
    /// The reader of the events is gone, or has received what it waited for.
    case readerGone
}

extension Result<WatchEnd, any Error> {
    /// Whether a signal ended the watch.
    public var isBySignal: Bool {
        if case .success(.signal) = self { true } else { false }
    }
}

extension PhaseWatcher {
    /// Watches until a signal ends the watch or the reader is gone.
    ///
    /// - Parameter sinks: The receivers of the events, lines first. Only lines miss events that are dropped for a slow
    ///   reader.
    /// - Throws: `MonitorFailure` if the server is gone, `SystemError`, and the errors of the sinks.
    public func run(into sinks: [any Sink]) throws -> WatchEnd {
        var loop = WatchLoop(self, sinks)
        return try loop.run()
    }
}

/// A loop that waits for events on behalf of a watcher, and passes them to the sinks.
private struct WatchLoop {
    private static let keptNumbers = 1024

    private let watcher: PhaseWatcher
    private let sinks: [any Sink]
    /// The sinks that have deadlines, descriptors and requests.
    private let active: [any Sink]
    /// The sink with the output.
    private let lines: (any Sink)?
    private var backlog = Backlog()
    private var takesSigns = false
    /// The line numbers of one batch; the memory is reused.
    private var numbers: [Int?] = []
    /// Whether to send a snapshot to the sinks as soon as everything is read.
    private var owesSnapshot = false
    private var idle: IdleQuestion?

    init(_ watcher: PhaseWatcher, _ sinks: [any Sink]) {
        (self.watcher, self.sinks) = (watcher, sinks)
        active = sinks.filter { !$0.isPassive }
        lines = sinks.first { $0.output != nil }
    }

    mutating func run() throws -> WatchEnd {
        let loop = try EventLoop(
            display: watcher.fileDescriptor, output: lines?.output,
            signals: EventLoop.endingSignals + sinks.flatMap { $0.signals + $0.endingSignals },
            sleep: SleepWatch())
        for sink in sinks { sink.join(loop) }
        idle = IdleQuestion(watcher, loop)
        defer { idle?.end() }
        readDetails()
        try advance()
        while !active.contains(where: \.isDone) {
            idle?.advance()
            loop.setTimer(deadline)
            switch try loop.wait(
                hasQueuedEvents: watcher.hasQueuedEvents, hasBacklog: lines?.hasBacklog ?? false)
            {
            case .display:
                try advance()
            case .timer:
                for sink in active { sink.wake() }
                try finishTurn()
                try advance(hasInput: loop.hasDisplayInput)
            case .resumed:
                backlog.prepare(watcher.state, lines)
                try pass([.notice(watcher.resume())], to: sinks)
            case .output:
                guard let lines else { break }
                try lines.flush()
                try backlog.catchUp(lines, resync: watcher.resync(since:))
            case .ready(let descriptor):
                idle?.ready(descriptor)
                for sink in active { sink.ready(descriptor) }
            case .signal(let number):
                let takers = sinks.filter { $0.signals.contains(number) }
                if takers.isEmpty { return .signal(number) }
                for sink in takers { sink.received(number) }
            case .hangUp:
                return .readerGone
            }
            try finishTurn()
        }
        return .readerGone
    }

    /// When to wake up without another event.
    private var deadline: Duration? {
        // Called in each turn: must not allocate.
        var deadline = watcher.deadline
        if let next = idle?.next { deadline = min(deadline ?? next, next) }
        for sink in active {
            if let next = sink.next { deadline = min(deadline ?? next, next) }
        }
        return deadline
    }

    private mutating func readDetails() {
        let details = sinks.reduce(into: PhaseWatcher.Details()) { $0.formUnion($1.details) }
        watcher.details = details
        takesSigns = details.contains(.signs)
    }

    /// Passes on the changes of the display.
    private mutating func advance(hasInput: Bool = true) throws {
        backlog.prepare(watcher.state, lines)
        let isStart = !watcher.hasBegun
        let events = try watcher.advance(hasInput: hasInput)
        if takesSigns {
            let signs = watcher.takeSigns()
            if !signs.isEmpty && !isStart { for sink in sinks { sink.take(signs: signs) } }
        }
        if isStart && watcher.hasBegun {
            // Sinks begin with the whole state, even if it is empty.
            try pass(events, to: sinks)
        } else if isStart {
            // Before the start, the only event is the notice that the server is silent.
            try passToLines(events)
        } else if !events.isEmpty {
            try pass(events, to: sinks)
        }
    }

    private mutating func pass(_ events: [Event], to sinks: [any Sink]) throws {
        let time = Timestamp.now()
        numbers.removeAll(keepingCapacity: numbers.capacity <= Self.keptNumbers)
        for sink in sinks where !backlog.givesUp(events, of: sink) {
            try sink.take(events, at: time, numbers: &numbers)
        }
    }

    private mutating func passToLines(_ events: [Event]) throws {
        if let lines, !events.isEmpty { try pass(events, to: [lines]) }
    }

    /// Fulfills the requests of the sinks.
    private mutating func finishTurn() throws {
        if active.isEmpty { return }
        var requests = WatchRequests()
        for sink in active { sink.finishTurn(&requests) }
        if !requests.notices.isEmpty {
            backlog.prepare(watcher.state, lines)
            try passToLines(requests.notices.map(Event.notice))
        }
        if let rules = requests.rules { watcher.follow(rules.options) }
        if requests.rules != nil || requests.changesDetails { readDetails() }
        if requests.wantsSnapshot { owesSnapshot = true }
        guard owesSnapshot, !watcher.isReading else { return }
        owesSnapshot = false
        let present = watcher.present.map(Event.change)
        for sink in sinks { sink.takeSnapshot(present, at: .now()) }
    }
}
