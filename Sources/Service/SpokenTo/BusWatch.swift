import Console
import System

/// A watch for messages on the session bus to frozen processes, and for the end of the session.
///
/// It listens before the first process is stopped. A new monitor replaces the former one before a further application is
/// frozen.
final class BusWatch {
    private let loop: EventLoop
    private var present: BusMonitor?
    private var starting: BusMonitor?
    /// The connection to the system bus, on which logind announces shutdowns.
    private var system: Bus?
    private var news: [SpokenTo.News] = []

    init(_ loop: EventLoop) { self.loop = loop }

    /// When to call `expire`; nil for never.
    var next: Duration? { [starting?.due, system?.next].compactMap(\.self).min() }

    /// Whether calls to these processes of an application are noticed.
    func covers(_ application: String, _ pids: Set<Int32>) -> Bool {
        present?.applications[application]?.isSuperset(of: pids) ?? false
    }

    /// Starts to monitor these processes, by application.
    ///
    /// - Returns: Whether `prepared` follows; false if there is no bus.
    func listen(to applications: [String: Set<Int32>], at now: Duration) throws(SystemError) -> Bool {
        guard let address = BusAddress.session(.own) else { return false }
        let monitor = try BusMonitor(address, applications, at: now)
        listenToLogind()
        end(starting?.bus)
        starting = monitor
        loop.watch(monitor.bus.descriptor)
        return true
    }

    func stop() {
        for bus in [present?.bus, starting?.bus, system] { end(bus) }
        (present, starting, system) = (nil, nil, nil)
    }

    private func end(_ bus: Bus?) { if let bus { loop.forget(bus.descriptor) } }

    /// Handles a ready descriptor; returns nil if it is not ours.
    func ready(_ descriptor: Int32, at now: Duration) -> [SpokenTo.News]? {
        let buses = [present?.bus, starting?.bus, system].compactMap(\.self)
        guard let bus = buses.first(where: { $0.descriptor == descriptor }) else { return nil }
        bus.ready()
        return takeNews(at: now)
    }

    /// Gives up what is due.
    func expire(at now: Duration) -> [SpokenTo.News] {
        system?.expire(at: now)
        return takeNews(at: now)
    }

    private func takeNews(at now: Duration) -> [SpokenTo.News] {
        if let monitor = starting, monitor.hasBegun || monitor.lack != nil || monitor.due <= now {
            // End the former monitor only now, so that no call is missed. It stays if there is no new one.
            if monitor.hasBegun, let former = present {
                former.bus.ready()
                news += former.takeNews()
            }
            end(monitor.hasBegun ? present?.bus : monitor.bus)
            if monitor.hasBegun { present = monitor }
            starting = nil
            news.append(.prepared)
            let lack = monitor.lack ?? (monitor.hasBegun ? nil : "the session bus does not answer")
            if let lack {
                let effect = "calls on the session bus do not thaw frozen applications"
                news.append(.lack("\(effect): \(lack.escapedForTerminal)"))
            }
        }
        news += present?.takeNews() ?? []
        if let bus = present?.bus, bus.isLost {
            end(bus)
            present = nil
            news.append(.deaf)
        }
        if let bus = system, bus.isLost {
            end(bus)
            system = nil
        }
        defer { news = [] }
        return news
    }

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
