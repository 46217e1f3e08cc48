import PhaseWatch
import System

/// A check, before the user counts as idle, whether a program inhibits idleness, as players do during a film. A
/// separate xphase process does this, because the answer may take a while.
public final class IdleQuestion: LoopPart {
    /// The only argument of that process, which exits with `inhibited` or 0. No command has such a name.
    public static let argument = "---idle"
    public static let inhibited: Int32 = 1
    private static let interval = Duration.seconds(60)

    private let watcher: PhaseWatcher
    private let loop: EventLoop
    private var program: RunningProgram?
    /// When to ask again, if there is no user input until then.
    private var again: Duration?

    init(_ watcher: PhaseWatcher, _ loop: EventLoop) {
        (self.watcher, self.loop) = (watcher, loop)
        watcher.askBeforeIdle()
    }

    public var next: Duration? { program?.deadline ?? again }

    public func ready(_ descriptor: Int32) {
        guard let program, program.exit.number == descriptor, program.isOver(at: Clock.now()) else { return }
        loop.forget(descriptor)
        self.program = nil
        if program.reap() == .exited(Self.inhibited) {
            again = Clock.now() + Self.interval
        } else {
            watcher.confirmIdle()
        }
    }

    /// Starts the process when it is due, or ends it after its timeout.
    public func finishTurn(_ requests: inout WatchRequests) {
        let now = Clock.now()
        if let program, let deadline = program.deadline, deadline <= now {
            program.signal(at: now, isTimeout: true)
        }
        guard watcher.awaitsIdle else {
            again = nil
            return
        }
        guard program == nil, again.map({ $0 <= now }) ?? true else { return }
        again = nil
        program = try? RunningProgram(
            ["/proc/self/exe", SystemString(Self.argument)], environment: Environment.own.entries, input: [],
            directory: "/", timeout: Self.interval, at: now)
        if let program { loop.watch(program.exit.number) } else { watcher.confirmIdle() }
    }

    /// Stops asking: the loop outlives this value.
    func end() {
        if let program { loop.forget(program.exit.number) }
    }
}
