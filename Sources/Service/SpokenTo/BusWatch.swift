import Hooks
import System

/// A watch for messages on the session bus to frozen processes, and for the end of the session.
///
/// A connection that monitors may not send anything, so each one looks up the names of the processes first. It listens
/// before the first process is stopped. A new one replaces it before a further application is frozen.
final class BusWatch {
    enum News {
        /// Calls to the processes are noticed from now on, or cannot be; `lack` is the reason.
        case ready(lack: String?)
        /// A message to the application, or an answer from it.
        case message(application: String, BusMessage)
        case sessionMayEnd
        /// Calls are no longer noticed.
        case lost
    }

    private final class Monitor {
        let bus: Bus
        let applications: [String: Set<Int32>]
        /// The names to look up, and the number of answers that are awaited.
        var left: [String] = []
        var awaited = 0
        /// The application of each name.
        var names: [String: String] = [:]
        /// The ends of sessions that the owners of these names announce.
        var ends: [String: SessionEnd] = [:]

        init(_ bus: Bus, _ applications: [String: Set<Int32>]) {
            (self.bus, self.applications) = (bus, applications)
        }
    }

    private static let patience = Duration.seconds(2)
    /// The maximum number of watched names: a connection may have 512 match rules, and a unique name takes four.
    private static let mostNames = 120
    /// The number of calls that are under way at once: they fit into the buffer of the socket.
    private static let mostCalls = 32

    private let loop: EventLoop
    private var present: Monitor?
    private var starting: (monitor: Monitor, due: Duration)?
    /// The connection to the system bus, on which logind announces shutdowns.
    private var system: Bus?
    private var news: [News] = []

    init(_ loop: EventLoop) { self.loop = loop }

    /// When to call `expire`; nil for never.
    var next: Duration? { [starting?.due, system?.next].compactMap(\.self).min() }

    /// Whether calls to these processes of an application are noticed.
    func covers(_ application: String, _ pids: Set<Int32>) -> Bool {
        present?.applications[application]?.isSuperset(of: pids) ?? false
    }

    /// Starts to monitor these processes, by application.
    ///
    /// - Returns: Whether `ready` follows; false if there is no bus.
    func listen(to applications: [String: Set<Int32>], at now: Duration) throws(SystemError) -> Bool {
        guard let address = BusAddress.session(.own) else { return false }
        let monitor = Monitor(try Bus(address), applications)
        listenToLogind()
        end(starting?.monitor)
        starting = (monitor, now + Self.patience)
        loop.watch(monitor.bus.descriptor)
        monitor.bus.call(.bus("ListNames"), within: Self.patience) { [weak self, weak monitor] answer in
            guard let self, let monitor else { return }
            switch answer {
            case .success(let names):
                monitor.left = (names.first?.texts ?? []).filter(\.isBusName)
                for _ in 0..<Self.mostCalls { lookUp(monitor) }
            case .failure(let error): fail(monitor, "\(error)")
            }
        }
        return true
    }

    func stop() {
        for monitor in [present, starting?.monitor] { end(monitor) }
        (present, starting) = (nil, nil)
        if let system { loop.forget(system.descriptor) }
        system = nil
    }

    /// Handles a ready descriptor; returns nil if it is not ours.
    func ready(_ descriptor: Int32) -> [News]? {
        guard
            let bus = [present?.bus, starting?.monitor.bus, system].compactMap(\.self)
                .first(where: { $0.descriptor == descriptor })
        else { return nil }
        bus.ready()
        if bus.isLost { lose(bus) }
        return takeNews()
    }

    /// Gives up what is due.
    func expire(at now: Duration) -> [News] {
        system?.expire(at: now)
        if let starting, starting.due <= now { fail(starting.monitor, "the session bus does not answer") }
        return takeNews()
    }

    private func takeNews() -> [News] {
        defer { news = [] }
        return news
    }

    // MARK: Monitors

    /// Asks for the process of the next name.
    private func lookUp(_ monitor: Monitor) {
        guard let name = monitor.left.popLast() else {
            if monitor.awaited == 0 { becomeMonitor(monitor) }
            return
        }
        let end = SessionEnd.all[name]
        monitor.awaited += 1
        let method = BusMethod.bus(end == nil ? "GetConnectionUnixProcessID" : "GetNameOwner")
        monitor.bus.call(method, "s", [.text(name)], within: Self.patience) {
            [weak self, weak monitor] answer in
            guard let self, let monitor else { return }
            monitor.awaited -= 1
            // A name without an answer has lost its owner.
            if case .success(let values) = answer, let value = values.first {
                if let pid = value.number.flatMap({ Int32(exactly: $0) }) {
                    monitor.names[name] = monitor.applications.first { $0.value.contains(pid) }?.key
                } else if let owner = value.text {
                    (monitor.ends[name], monitor.ends[owner]) = (end, end)
                }
            }
            lookUp(monitor)
        }
    }

    private func becomeMonitor(_ monitor: Monitor) {
        guard monitor === starting?.monitor, monitor.left.isEmpty else { return }
        let count = monitor.names.count
        for name in monitor.names.keys.sorted().dropFirst(Self.mostNames) { monitor.names[name] = nil }
        let lack =
            count > Self.mostNames ? "they have \(count) names, and \(Self.mostNames) are watched" : nil
        let rules =
            monitor.names.keys.flatMap { name in
                // The destination of a message may be a unique or a well-known name. The sender is always unique.
                ["type='method_call',destination='\(name)'"]
                    + (name.hasPrefix(":")
                        ? [
                            "type='signal',destination='\(name)'", "type='method_return',sender='\(name)'",
                            "type='error',sender='\(name)'",
                        ] : [])
            } + monitor.ends.map { $1.rule($0) }
            + ["type='signal',interface='\(BusMessage.notifications)',member='ActionInvoked'"]
        let method = BusMethod.bus("BecomeMonitor", of: "org.freedesktop.DBus.Monitoring")
        let arguments = [BusValue.list(rules.map { .text($0) }), .number(0)]
        monitor.bus.call(method, "asu", arguments, within: Self.patience) {
            [weak self, weak monitor] answer in
            guard let self, let monitor else { return }
            switch answer {
            case .success: begin(monitor, lack)
            case .failure(let error): fail(monitor, "it cannot be monitored: \(error)")
            }
        }
    }

    private func begin(_ monitor: Monitor, _ lack: String?) {
        guard monitor === starting?.monitor else { return }
        monitor.bus.received = { [weak self, weak monitor] message in
            if let monitor { self?.take(message, of: monitor) }
        }
        // End the former monitor only now, so that no call is missed.
        end(present)
        (present, starting) = (monitor, nil)
        news.append(.ready(lack: lack))
    }

    /// Gives up a monitor that does not listen yet. The former one stays.
    private func fail(_ monitor: Monitor, _ lack: String) {
        guard monitor === starting?.monitor else { return }
        end(monitor)
        starting = nil
        news.append(.ready(lack: lack))
    }

    private func lose(_ bus: Bus) {
        loop.forget(bus.descriptor)
        if bus === system { system = nil }
        if let starting, bus === starting.monitor.bus {
            fail(starting.monitor, "it has ended the connection")
        }
        guard bus === present?.bus else { return }
        present = nil
        news.append(.lost)
    }

    private func end(_ monitor: Monitor?) { if let monitor { loop.forget(monitor.bus.descriptor) } }

    private func take(_ message: BusMessage, of monitor: Monitor) {
        if let name = message.kind == .call ? message.destination : message.sender,
            monitor.ends[name]?.isAnnounced(by: message) == true
        {
            return news.append(.sessionMayEnd)
        }
        if message.isAction, message.destination == nil {
            news += Set(monitor.names.values).map { .message(application: $0, message) }
            return
        }
        let name = message.isAnswer ? message.sender : message.destination
        if let application = name.flatMap({ monitor.names[$0] }) {
            news.append(.message(application: application, message))
        }
    }

    // MARK: The end of the session

    /// Listens to the shutdowns that logind announces. Without it, SIGTERM announces them.
    private func listenToLogind() {
        guard system == nil, let bus = BusAddress.system(.own).flatMap({ try? Bus($0) }) else { return }
        let (name, member) = ("org.freedesktop.login1", "PrepareForShutdown")
        bus.received = { [weak self] message in
            if message.member == member, message.arguments.first == .number(1) {
                self?.news.append(.sessionMayEnd)
            }
        }
        // The bus delivers the messages of the owner of the name alone.
        let rule = "type='signal',sender='\(name)',interface='\(name).Manager',member='\(member)'"
        bus.call(.bus("AddMatch"), "s", [.text(rule)]) { _ in }
        loop.watch(bus.descriptor)
        system = bus
    }
}

extension String {
    /// Whether the text is a name that can be put into a match rule.
    fileprivate var isBusName: Bool {
        utf8.count <= 255
            && utf8.allSatisfy { byte in
                (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}
