import PhaseWatch
import System

/// Asks, before the user counts as idle, whether a program inhibits that, as players do while a film runs. A process of
/// xphase's own finds out: the answer may take its time.
public struct IdleQuestion {
    /// The only argument of that process, which ends with `inhibited` or 0. No command has such a name.
    public static let argument = "---idle"
    public static let inhibited: Int32 = 1
    private static let interval = Duration.seconds(60)

    private let watcher: PhaseWatcher
    private let loop: EventLoop
    private var program: RunningProgram?
    /// When it is asked again, if the user has touched nothing until then.
    private var again: Duration?
    /// When to call `advance` though nothing has come; nil for never.
    var next: Duration? { program?.deadline ?? again }

    init(_ watcher: PhaseWatcher, _ loop: EventLoop) {
        (self.watcher, self.loop) = (watcher, loop)
        watcher.askBeforeIdle()
    }

    /// Asks if it is time to.
    mutating func advance() {
        if let program, let deadline = program.deadline, deadline <= Clock.now() {
            program.signal(at: Clock.now(), isTimeout: true)
        }
        guard watcher.awaitsIdle else {
            again = nil
            return
        }
        let now = Clock.now()
        guard program == nil, again.map({ $0 <= now }) ?? true else { return }
        again = nil
        program = try? RunningProgram(
            ["/proc/self/exe", SystemString(Self.argument)], environment: Environment.own.entries, input: [],
            directory: "/", timeout: Self.interval, at: now)
        if let program { loop.watch(program.exit.number) } else { watcher.confirmIdle() }
    }

    mutating func ready(_ descriptor: Int32) {
        guard let program, program.exit.number == descriptor, program.isOver(at: Clock.now()) else { return }
        loop.forget(descriptor)
        self.program = nil
        if program.reap() == .exited(Self.inhibited) {
            again = Clock.now() + Self.interval
        } else {
            watcher.confirmIdle()
        }
    }

    /// Asks no longer: the loop outlives it.
    func end() {
        if let program { loop.forget(program.exit.number) }
    }
}
