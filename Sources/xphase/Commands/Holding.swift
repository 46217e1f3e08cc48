import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

/// A hook that reacts while a command of `xphase` runs.
///
/// The process itself runs the commands of the hook. Built-in reactions have one owner per display: the running
/// service, otherwise the first of these processes.
struct Holding {
    /// The time to wait for an owner that cannot be reached.
    private static let patience = Duration.seconds(12)

    var hook: Hook
    var options: PhaseMonitor.Options
    /// The lines to print first.
    var introduction: [String] = []

    /// Has the service perform the built-in reactions, or performs them if none runs, until a signal or the end.
    func hold(_ io: CommandIO) throws {
        let environment = io.environment
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
                if try lines.relay() { return }
            } catch let failure as ServiceError where failure.mayPass {
                guard let lock = try Self.lock(name, environment, earliest...max(earliest, latest)) else {
                    usleep(100_000)
                    continue
                }
                if try own(hook, io, lock) { return }
                // The service that requested the display needs a moment to take it.
                earliest = Clock.now() + .seconds(5)
            }
            // The display has another owner now, or none. The reactions are undone.
            latest = Clock.now() + Self.patience
            hook.condition.initial = true
        }
    }

    /// Runs the commands of the hook until a signal.
    func run(_ io: CommandIO) throws {
        try watch(hook, io, OpenDisplay.watcher(options, io), record: nil)
    }

    /// - Parameter time: The earliest time to take the lock, and the latest time to wait for an owner that is starting
    ///   or ending.
    /// - Returns: nil if the lock is not available yet.
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

    /// Performs the reactions in this process.
    ///
    /// - Returns: false if a service has taken over.
    private func own(
        _ hook: Hook, _ io: CommandIO, _ lock: InstanceLock
    ) throws -> Bool {
        let watcher = try OpenDisplay.watcher(options, io)
        defer { withExtendedLifetime(lock) {} }
        let record = try PairRecord(display: watcher.displayName, environment: io.environment)
        return try watch(hook, io, watcher, record: record)
    }

    /// - Parameter record: The record of an owner of the display; nil for commands, which freeze nothing.
    /// - Returns: false if a service has taken over.
    @discardableResult
    private func watch(
        _ hook: Hook, _ io: CommandIO, _ watcher: PhaseWatcher, record: PairRecord?
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
        let sinks: [(any Sink)?] = [phases, sink, socket]
        let result = Result { try watcher.run(into: sinks.compactMap(\.self)) }
        socket?.close()
        if case .success(.signal(let number)) = result { sink.passOn(number) }
        try sink.finish(isAsked: result.isBySignal)
        _ = try result.get()
        try StandardOutput.check(output)
        return !sink.hasYielded
    }
}
