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
    private var runs: [RunID: Run] = [:]
    private var exits: [Int32: Run] = [:]
    private(set) var outputs: [Int32: Run] = [:]

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    var isEmpty: Bool { runs.isEmpty }
    var all: [Run] { Array(runs.values) }
    /// When to call `expire`; nil for never.
    var next: Duration? { runs.values.compactMap(\.program.deadline).min() }

    subscript(id: RunID) -> Run? { runs[id] }

    mutating func add(_ run: Run) {
        runs[run.id] = run
        if let output = run.program.output {
            outputs[output.number] = run
            loop.watch(output.number)
        }
        watchExit(of: run)
    }

    private mutating func watchExit(of run: Run) {
        exits[run.program.exit.number] = run
        loop.watch(run.program.exit.number)
    }

    private mutating func forgetExit(of run: Run) {
        exits[run.program.exit.number] = nil
        loop.forget(run.program.exit.number)
    }

    /// Handles a ready descriptor. Returns nil if there is no news or the descriptor belongs to no program.
    mutating func news(of descriptor: Int32, at now: Duration) -> News? {
        if let run = outputs[descriptor] {
            switch run.read() {
            case .lines(let lines) where run.leftover < Self.mostLeftover: return .printed(run, lines)
            case .lines, .end: closeOutput(of: run)
            case .nothing: break
            }
        } else if let run = exits[descriptor] {
            forgetExit(of: run)
            if run.program.isOver(at: now) { return end(run) }
            watchExit(of: run)
        }
        return nil
    }

    /// Sends the next signal to programs whose time limit has expired.
    mutating func expire(at now: Duration) -> [News] {
        return all.filter { $0.program.deadline.map { $0 <= now } ?? false }.compactMap {
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
        forgetExit(of: run)
        return end(run)
    }

    private mutating func end(_ run: Run) -> News {
        runs[run.id] = nil
        let ending = run.program.reap()
        let (last, dropped) = run.end()
        let left = outputs.values.filter(\.isOver)
        if left.count > Self.mostOutputs, let oldest = left.min(by: { $0.id < $1.id }) {
            closeOutput(of: oldest)
        }
        return .ended(run, ending, last: last, dropped: dropped)
    }

    private mutating func closeOutput(of run: Run) {
        guard let output = run.program.output else { return }
        loop.forget(output.number)
        outputs[output.number] = nil
    }
}
