import CLinux
import PhaseWatch
import System

extension PhaseWatcher {
    /// Watches until a signal ends the watch, which it returns, or the reader is gone or has received what it waited for.
    ///
    /// - Parameter members: The sinks and the parts of the loop, lines first. Only lines miss events that are dropped
    ///   for a slow reader.
    /// - Throws: `MonitorFailure` if the server is gone, `SystemError`, and the errors of the sinks.
    public func run(into members: [any WatchMember]) throws -> Int32? {
        var loop = try WatchLoop(self, members)
        return try loop.run()
    }
}

/// A loop that waits for events on behalf of a watcher, and passes them to the sinks.
private struct WatchLoop {
    private let watcher: PhaseWatcher
    private let loop: EventLoop
    private let sinks: [any Sink]
    private let parts: [any LoopPart]
    private let lines: (any Sink)?
    private var backlog = Backlog()
    /// Whether to send a snapshot to the sinks as soon as everything is read.
    private var owesSnapshot = false

    init(_ watcher: PhaseWatcher, _ members: [any WatchMember]) throws(SystemError) {
        self.watcher = watcher
        sinks = members.compactMap { $0 as? any Sink }
        lines = sinks.first { $0.output != nil }
        let parts = members.compactMap { $0 as? any LoopPart }
        loop = try EventLoop(
            display: watcher.fileDescriptor, output: lines?.output,
            signals: EventLoop.endingSignals + parts.flatMap { $0.signals + $0.endingSignals },
            sleep: SleepWatch())
        self.parts = parts
    }

    mutating func run() throws -> Int32? {
        for part in parts { part.join(loop) }
        followDetails()
        try advance()
        while true {
            try finishTurn()
            if parts.contains(where: \.isDone) { return nil }
            var deadline = watcher.deadline
            for case let next? in parts.lazy.map(\.next) { deadline = min(deadline ?? next, next) }
            loop.setTimer(deadline)
            switch try loop.wait(
                hasQueuedEvents: watcher.hasQueuedEvents, hasBacklog: lines?.hasBacklog ?? false)
            {
            case .display:
                try advance()
            case .timer:
                for part in parts { part.wake() }
                try finishTurn()
                try advance(hasInput: loop.hasDisplayInput)
            case .resumed:
                keepState()
                try pass([.notice(watcher.resume())], to: sinks)
            case .output:
                guard let lines else { break }
                try lines.flush()
                if lines.hasBacklog { break }
                try pass(backlog.catchUp(watcher.resync), to: [lines])
            case .ready(let descriptor):
                for part in parts { part.ready(descriptor) }
            case .signal(let number):
                let takers = parts.filter { $0.signals.contains(number) }
                if takers.isEmpty { return number }
                for part in takers { part.received(number) }
            case .hangUp:
                return nil
            }
        }
    }

    /// Keeps the state that the reader knows, in case it is too slow for the next events.
    private mutating func keepState() {
        backlog.prepare(watcher.state, isFull: lines?.isFull ?? false)
    }

    /// Has the watcher read the details that the sinks need.
    private func followDetails() {
        let wanted = sinks.reduce(into: PhaseWatcher.Details()) { $0.formUnion($1.details) }
        if wanted != watcher.details { watcher.details = wanted }
    }

    private mutating func advance(hasInput: Bool = true) throws {
        keepState()
        let isStart = !watcher.hasBegun
        let events = try watcher.advance(hasInput: hasInput)
        if watcher.details.contains(.signs) {
            let signs = watcher.takeSigns()
            if !signs.isEmpty && !isStart { for sink in sinks { sink.take(signs: signs) } }
        }
        if !watcher.hasBegun {
            // The only event is the notice that the server is silent.
            if let lines, !events.isEmpty { try pass(events, to: [lines]) }
        } else if isStart || !events.isEmpty {
            // Sinks begin with the whole state, even if it is empty.
            try pass(events, to: sinks)
            if events.count >= Self.manyEvents { malloc_trim(0) }
        }
    }

    /// From this many events on, the memory that they took is worth returning to the kernel.
    private static let manyEvents = 1024

    private mutating func pass(_ events: [Event], to sinks: [any Sink]) throws {
        let time = Timestamp.now()
        var numbers: [Int?] = []
        numbers.reserveCapacity(events.count)
        for sink in sinks where sink !== lines || !backlog.drops(sink.count(events)) {
            try sink.take(events, at: time, numbers: &numbers)
        }
    }

    /// Fulfills the requests of the parts.
    private mutating func finishTurn() throws {
        var requests = WatchRequests()
        for part in parts { part.finishTurn(&requests) }
        if let lines, !requests.notices.isEmpty {
            keepState()
            try pass(requests.notices.map(Event.notice), to: [lines])
        }
        if let rules = requests.rules { watcher.follow(rules.options) }
        followDetails()
        if requests.wantsSnapshot { owesSnapshot = true }
        guard owesSnapshot, !watcher.isReading else { return }
        owesSnapshot = false
        let present = watcher.present.map(Event.change)
        for sink in sinks { sink.takeSnapshot(present, at: .now()) }
    }
}
