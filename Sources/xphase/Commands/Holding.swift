import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

/// A hook that reacts for as long as a command runs.
///
/// Commands run by the process itself. What is built in has one owner on a display: the service that runs there, else the first
/// of these processes.
struct Holding {
    /// How long an owner that cannot be reached is waited for.
    private static let patience = Duration.seconds(12)

    var hook: Hook
    var options: PhaseMonitor.Options
    /// After which it ends by itself.
    var duration: Duration?
    /// Printed first.
    var introduction: [String] = []

    /// Has the service do what is built in, or does it itself where none runs, until a signal or the end.
    func hold(_ io: CommandIO) throws {
        let environment = io.environment
        let end = duration.map { Clock.now() + $0 }
        let name = options.display ?? environment["DISPLAY"]?.description ?? ""
        (try? HeldRecords(environment: environment))?.thawAbandoned(serving: name).forEach(io.say)
        var hook = hook
        var (earliest, latest) = (Clock.now(), Clock.now() + Self.patience)
        while true {
            do {
                guard let reaction = HeldReaction(hook) else { return }
                let client = try VarlinkClient(display: name, environment: environment)
                let stream = try client.hold(reaction)
                introduction.forEach(io.say)
                var lines = try HeldLines(stream)
                if try lines.relay(until: end) { return }
            } catch let failure as ServiceError where failure.mayPass {
                guard let lock = try Self.lock(name, environment, earliest...max(earliest, latest)) else {
                    usleep(100_000)
                    continue
                }
                if try own(hook, io, lock, until: end) { return }
                // The service that has asked for the display needs a moment to take it.
                earliest = Clock.now() + .seconds(5)
            }
            // Another one is the owner now, or none: what was done here is undone.
            latest = Clock.now() + Self.patience
            hook.condition.initial = true
        }
    }

    /// Runs the commands of the hook until a signal.
    func run(_ io: CommandIO) throws {
        try watch(hook, io, OpenDisplay.watcher(options, io), record: nil, until: nil)
    }

    /// - Parameter time: When it is taken at the earliest, and until when one that begins or ends is waited for.
    /// - Returns: nil while it is not to be had.
    private static func lock(
        _ display: String, _ environment: Environment, _ time: ClosedRange<Duration>
    ) throws(ServiceError) -> InstanceLock? {
        if Clock.now() < time.lowerBound { return nil }
        do throws(ServiceError) {
            return try InstanceLock(display: display, environment: environment)
        } catch {
            if Clock.now() > time.upperBound { throw error }
            return nil
        }
    }

    /// Does it by itself.
    ///
    /// - Returns: false where a service has taken over.
    private func own(
        _ hook: Hook, _ io: CommandIO, _ lock: InstanceLock, until end: Duration?
    ) throws -> Bool {
        let watcher = try OpenDisplay.watcher(options, io)
        defer { withExtendedLifetime(lock) {} }
        let record = try PairRecord(display: watcher.displayName, environment: io.environment)
        return try watch(hook, io, watcher, record: record, until: end)
    }

    /// - Parameter record: Where it owns what is frozen on the display; nil for commands, which freeze nothing.
    /// - Returns: false where a service has taken over.
    @discardableResult
    private func watch(
        _ hook: Hook, _ io: CommandIO, _ watcher: PhaseWatcher, record: PairRecord?, until end: Duration?
    ) throws -> Bool {
        let (output, environment) = (Log.standardOutput, io.environment)
        let context = HookContext(
            home: environment.workingDirectory, environment: environment, display: options.display,
            watcher: watcher, log: .diagnostics, output: output)
        for text in introduction { context.say(text) }
        let sink = HookSink(LoadedHooks(hook), from: nil, record: record, context)
        let phases = PhasesInterface(watcher)
        let interfaces: [any VarlinkInterface] = [phases, HooksInterface(sink)]
        let socket =
            record == nil
            ? nil : try VarlinkSocket(display: watcher.displayName, environment: environment, interfaces)
        let limit = end.map(TimeLimit.init)
        let sinks: [(any Sink)?] = [phases, sink, socket, limit]
        let result = Result { try watcher.run(into: sinks.compactMap(\.self)) }
        socket?.close()
        if case .success(.signal(let number)) = result { sink.passOn(number) }
        try sink.finish(isAsked: result.isBySignal || limit?.isDone ?? false)
        _ = try result.get()
        try StandardOutput.check(output)
        return !sink.hasYielded
    }
}

/// Ends a watch at a time.
private final class TimeLimit: Sink {
    let next: Duration?
    private(set) var isDone = false

    init(_ end: Duration) { next = end }

    func wake() { isDone = isDone || next.map { $0 <= Clock.now() } ?? false }
}
