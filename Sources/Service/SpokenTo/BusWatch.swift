import Glibc
import Hooks
import PhaseWatch
import System

/// A watch for calls on the session bus to frozen processes.
///
/// A separate xphase process finds their names and executes busctl(1), since a connection that monitors may not send
/// anything. It runs before the first process is stopped. A new monitor replaces it before a further application is
/// frozen.
final class BusWatch {
    enum News {
        /// The monitor listens, or cannot listen; `lack` is the reason.
        case ready(lack: String?)
        /// A message to the application, or an answer from it.
        case message(application: String, BusMessage)
        case sessionMayEnd
        /// Calls are no longer noticed.
        case lost
    }

    /// A line that a monitor writes before it listens.
    struct Opening: Codable {
        var names: [String: Int32] = [:]
        var lack: String?
    }

    private final class Monitor {
        let program: RunningProgram
        let applications: [String: Set<Int32>]
        var lines = OutputLines(bound: .max, mostLines: .max)
        var names: [String: String] = [:]
        var lack: String?
        /// Whether its names are known and it executes busctl.
        var isOpen = false
        /// Whether busctl listens.
        var listens = false
        var hasEnded = false

        init(_ program: RunningProgram, _ applications: [String: Set<Int32>]) {
            (self.program, self.applications) = (program, applications)
        }
    }

    private static let patience = Duration.seconds(2)
    /// The time after which busctl is assumed to listen: systemd 255 and later do not print that it listens.
    private static let silence = Duration.milliseconds(300)
    private static let chunk = 16 << 10
    /// The line that busctl prints once it listens.
    private static let readiness = "Monitoring bus message stream."
    /// The end of the line that gdbus prints when logind is about to shut down.
    private static let shutdown = ": org.freedesktop.login1.Manager.PrepareForShutdown (true,)"

    private let loop: EventLoop
    private let start: ([Int32]) throws -> RunningProgram
    private var present: Monitor?
    private var starting: (monitor: Monitor, due: Duration)?
    /// Programs that were asked to end, by their exit descriptors.
    private var ending: [Int32: RunningProgram] = [:]

    /// - Parameter start: Starts a process that performs `ReactionRequest.Step.listen` for other processes.
    init(_ loop: EventLoop, start: @escaping ([Int32]) throws -> RunningProgram) {
        (self.loop, self.start) = (loop, start)
    }

    /// When to call `expire`; nil for never.
    var next: Duration? { starting?.due }

    /// Whether calls to these processes of an application are noticed.
    func covers(_ application: String, _ pids: Set<Int32>) -> Bool {
        present?.applications[application]?.isSuperset(of: pids) ?? false
    }

    /// Starts to monitor these processes, by application; `ready` follows later.
    func listen(to applications: [String: Set<Int32>], at now: Duration) throws {
        let monitor = Monitor(try start(applications.values.flatMap(\.self).sorted()), applications)
        if let starting { end(starting.monitor, at: now) }
        watch(monitor)
        starting = (monitor, now + Self.patience)
    }

    func stop(at now: Duration) {
        for monitor in [present, starting?.monitor].compactMap(\.self) { end(monitor, at: now) }
        (present, starting) = (nil, nil)
    }

    /// Handles a ready descriptor; returns nil if it is not ours.
    func ready(_ descriptor: Int32, at now: Duration) -> [News]? {
        if let program = ending[descriptor] {
            loop.forget(descriptor)
            ending[descriptor] = nil
            if program.isOver(at: now) { _ = program.reap() } else { awaitEnd(of: program) }
            return []
        }
        for monitor in [present, starting?.monitor].compactMap(\.self) {
            if descriptor == monitor.program.output?.number { return read(monitor) }
            if descriptor == monitor.program.exit.number { return read(monitor) + over(monitor, at: now) }
        }
        return nil
    }

    /// Ends the wait for a starting monitor that is due.
    func expire(at now: Duration) -> [News] {
        guard let starting, starting.due <= now else { return [] }
        let lack = starting.monitor.isOpen ? nil : "the session bus does not answer"
        return begin(starting.monitor, lack: starting.monitor.lack ?? lack)
    }

    // MARK: Monitors

    private func watch(_ monitor: Monitor) {
        if let output = monitor.program.output { loop.watch(output.number) }
        loop.watch(monitor.program.exit.number)
    }

    private func end(_ monitor: Monitor, at now: Duration) {
        if let output = monitor.program.output { loop.forget(output.number) }
        loop.forget(monitor.program.exit.number)
        if monitor.hasEnded { return }
        monitor.program.signal(at: now, isTimeout: false)
        awaitEnd(of: monitor.program)
    }

    private func awaitEnd(of program: RunningProgram) {
        ending[program.exit.number] = program
        loop.watch(program.exit.number)
    }

    /// Handles a monitor that has ended: its processes own no names, or it cannot listen.
    private func over(_ monitor: Monitor, at now: Duration) -> [News] {
        end(monitor, at: now)
        monitor.hasEnded = true
        if monitor === starting?.monitor {
            let lack = monitor.names.isEmpty ? nil : "busctl does not monitor the session bus"
            return begin(monitor, lack: monitor.lack ?? lack)
        }
        present = nil
        return monitor.listens ? [.lost] : []
    }

    private func read(_ monitor: Monitor) -> [News] {
        guard let output = monitor.program.output else { return [] }
        let lines = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let count = Glibc.read(output.number, buffer.baseAddress, buffer.count)
            if count == 0 { loop.forget(output.number) }
            return monitor.lines.split(buffer.prefix(max(0, count)))
        }
        return lines.flatMap { take($0, of: monitor) }
    }

    private func take(_ line: String, of monitor: Monitor) -> [News] {
        if line == Self.readiness { return begin(monitor, lack: monitor.lack) }
        if line.hasSuffix(Self.shutdown) { return [.sessionMayEnd] }
        if !monitor.listens, let opening = Opening(json: line.utf8) {
            for (name, pid) in opening.names {
                monitor.names[name] = monitor.applications.first { $0.value.contains(pid) }?.key
            }
            monitor.lack = opening.lack ?? monitor.lack
            monitor.isOpen = true
            if monitor === starting?.monitor { starting?.due = Clock.now() + Self.silence }
            return []
        }
        guard let message = BusMessage(line: line) else { return [] }
        return begin(monitor, lack: monitor.lack) + news(of: message, monitor)
    }

    private func news(of message: BusMessage, _ monitor: Monitor) -> [News] {
        if message.mayEndSession { return [.sessionMayEnd] }
        if message.isAction, message.destination == nil {
            return Set(monitor.names.values).map { .message(application: $0, message) }
        }
        let name = message.isAnswer ? message.sender : message.destination
        return name.flatMap { monitor.names[$0] }.map { [.message(application: $0, message)] } ?? []
    }

    private func begin(_ monitor: Monitor, lack: String?) -> [News] {
        guard monitor === starting?.monitor else { return [] }
        monitor.listens = monitor.isOpen && !monitor.hasEnded
        // End the former monitor only now, so that no call is missed.
        if let present { end(present, at: Clock.now()) }
        (present, starting) = (monitor, nil)
        return [.ready(lack: lack)]
    }
}
