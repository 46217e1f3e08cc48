import CLinux
import PhaseWatch
import System

extension PhaseWatcher {
    /// Watches until a signal ends the watch, which it returns, or the reader is gone or has received what it waited for.
    ///
    /// - Parameter members: Lines come first. Only lines miss events that are dropped for a slow reader.
    /// - Throws: `MonitorFailure` if the server is gone, `SystemError`, and the errors of the members.
    public func run(into members: [any WatchMember]) throws -> Int32? {
        var loop = try WatchLoop(self, members)
        return try loop.run()
    }
}

/// A loop that waits for events on behalf of a watcher, and passes them to the members.
private struct WatchLoop {
    private let watcher: PhaseWatcher
    private let loop: EventLoop
    private let members: [any WatchMember]
    /// The member with an output.
    private let lines: (any WatchMember)?
    private var backlog = Backlog()
    /// Whether to send a snapshot to the members as soon as everything is read.
    private var owesSnapshot = false

    init(_ watcher: PhaseWatcher, _ members: [any WatchMember]) throws(SystemError) {
        (self.watcher, self.members) = (watcher, members)
        lines = members.first { $0.output != nil }
        loop = try EventLoop(
            display: watcher.fileDescriptor, output: lines?.output,
            signals: members.awaitedSignals, sleep: SleepWatch())
    }

    mutating func run() throws -> Int32? {
        for member in members { member.join(loop) }
        followDetails()
        try advance()
        while true {
            try finishTurn()
            if members.contains(where: \.isDone) { return nil }
            var deadline = watcher.nextUpdateTime
            for case let next? in members.lazy.map(\.next) { deadline = min(deadline ?? next, next) }
            loop.setTimer(deadline)
            switch try loop.wait(
                hasQueuedEvents: watcher.hasQueuedEvents, hasBacklog: lines?.hasBacklog ?? false)
            {
            case .display:
                try advance()
            case .timer:
                for member in members { member.wake() }
                try advance(hasInput: loop.hasDisplayInput)
            case .resumed:
                keepState()
                let notice = Event.notice(watcher.resume())
                // Members begin with the whole state.
                try pass([notice], to: watcher.hasBegun ? members : [lines].compactMap(\.self))
            case .output:
                guard let lines else { break }
                try lines.flush()
                if lines.hasBacklog { break }
                try pass(backlog.catchUp(watcher.resync), to: [lines])
            case .ready:
                break
            case .signal(let number):
                if !members.take(number) { return number }
            case .hangUp:
                return nil
            }
        }
    }

    /// Keeps the state that the reader knows, in case it is too slow for the next events.
    private mutating func keepState() {
        backlog.prepare(watcher.state, isFull: lines?.isFull ?? false)
    }

    /// Has the watcher read the details that the members need.
    private func followDetails() {
        let wanted = members.reduce(into: PhaseWatcher.Details()) { $0.formUnion($1.details) }
        if wanted != watcher.details { watcher.details = wanted }
    }

    private mutating func advance(hasInput: Bool = true) throws {
        keepState()
        let isStart = !watcher.hasBegun
        let events = try watcher.advance(hasInput: hasInput)
        if watcher.details.contains(.signs) {
            let signs = watcher.takeSigns()
            if !signs.isEmpty && !isStart { for member in members { member.take(signs: signs) } }
        }
        if !watcher.hasBegun {
            // The only event is the notice that the server is silent.
            if let lines, !events.isEmpty { try pass(events, to: [lines]) }
        } else if isStart || !events.isEmpty || watcher.hasNewFocus {
            // Members begin with the whole state, even if it is empty. A move of the focus may change no phase.
            try pass(events, to: members)
            if events.count >= Self.manyEvents { malloc_trim(0) }
        }
    }

    /// From this many events on, the memory that they took is worth returning to the kernel.
    private static let manyEvents = 1024

    private mutating func pass(_ events: [Event], to members: [any WatchMember]) throws {
        let time = Timestamp.now()
        var numbers: [Int?] = []
        numbers.reserveCapacity(events.count)
        for member in members where member !== lines || !backlog.drops(member.count(events)) {
            try member.take(events, at: time, numbers: &numbers)
        }
    }

    /// Fulfills the requests of the members.
    private mutating func finishTurn() throws {
        var requests = WatchRequests()
        for member in members { member.finishTurn(&requests) }
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
        for member in members { member.takeSnapshot(present, at: .now()) }
    }
}
