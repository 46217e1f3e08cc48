import Hooks
import PhaseWatch
import System

/// The running programs of hooks, and their descriptors in the loop.
struct Runs {
    enum News {
        case printed(Run, [String])
        /// With the last lines, and the number of bytes that were not shown.
        case ended(Run, RunningProgram.Ending, last: [String], dropped: Int)
    }

    /// The maximum number of outputs that are kept open for background processes of ended programs.
    private static let mostOutputs = 64
    /// The maximum number of bytes read from such an output. A process that writes more is ended by SIGPIPE.
    static let mostLeftover = 16 << 20

    private let loop: EventLoop
    /// Those whose programs run, and those whose output is still open.
    private var kept: [Run] = []

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Those whose programs run.
    var all: [Run] { kept.filter { !$0.isOver } }
    var isEmpty: Bool { all.isEmpty }
    /// Those of ended programs whose output is still open.
    var outputs: [Run] { kept.filter(\.isOver) }
    /// When to call `expire`; nil for never.
    var next: Duration? { all.compactMap(\.program.deadline).min() }

    subscript(id: RunID) -> Run? { all.first { $0.id == id } }

    mutating func add(_ run: Run) {
        kept.append(run)
        if let output = run.program.output { loop.watch(output.number) }
        loop.watch(run.program.exit.number)
    }

    /// Handles a ready descriptor. Returns nil if there is no news or the descriptor belongs to no program.
    mutating func news(of descriptor: Int32, at now: Duration) -> News? {
        if let run = kept.first(where: { $0.isPrinting && $0.program.output?.number == descriptor }) {
            if let lines = run.read(), run.leftover < Self.mostLeftover { return .printed(run, lines) }
            closeOutput(of: run)
        } else if let run = all.first(where: { $0.program.exit.number == descriptor }) {
            loop.forget(descriptor)
            if run.program.isOver(at: now) { return end(run) }
            loop.watch(run.program.exit.number)
        }
        return nil
    }

    /// Sends the next signal to programs whose time limit has expired.
    mutating func expire(at now: Duration) -> [News] {
        all.filter { $0.program.deadline.map { $0 <= now } ?? false }.compactMap {
            signal($0, at: now, isTimeout: true)
        }
    }

    /// Sends every program its next signal.
    mutating func signalAll(at now: Duration) -> [News] {
        all.compactMap { signal($0, at: now, isTimeout: false) }
    }

    /// Sends a program its next signal.
    mutating func signal(_ run: Run, at now: Duration, isTimeout: Bool) -> News? {
        run.program.signal(at: now, isTimeout: isTimeout)
        guard run.program.stage == .killed, run.program.hasEnded else { return nil }
        // The rest of its process group has received KILL.
        loop.forget(run.program.exit.number)
        return end(run)
    }

    private mutating func end(_ run: Run) -> News {
        let ending = run.program.reap()
        let (last, dropped) = run.end()
        if !run.isPrinting { kept.removeAll { $0 === run } }
        let left = outputs
        if left.count > Self.mostOutputs { closeOutput(of: left[0]) }
        return .ended(run, ending, last: last, dropped: dropped)
    }

    private mutating func closeOutput(of run: Run) {
        guard let output = run.program.output else { return }
        loop.forget(output.number)
        run.isPrinting = false
        // Releasing it closes the output.
        if run.isOver { kept.removeAll { $0 === run } }
    }
}
