import Console
import Glibc
import Hooks
import System

/// A watch for calls on the session bus to what is held, and for the end of the session that a bus announces.
final class BusCalls {
    private typealias Waiting = (_ lack: String?) -> Void

    /// The monitor that replaces the present one once it has begun, so that no call is missed.
    private enum Successor {
        /// The last one has begun, or could not for this reason, or there is no bus.
        case none(lack: String?)
        /// A stale one looks up too little, so another follows it.
        case beginning(BusMonitor, isStale: Bool, [Waiting])
    }

    private let context: HookContext
    private let buses: Buses
    /// Receives what is noticed.
    var report: (HookInput) -> Void = { _ in }
    /// What stops each application, or is about to.
    private var held: [String: [Hold]] = [:]
    private var monitor: BusMonitor?
    private var successor = Successor.none(lack: nil)
    /// The connection to the system bus, on which logind announces shutdowns.
    private var logind: Bus?

    init(_ context: HookContext, _ buses: Buses) { (self.context, self.buses) = (context, buses) }

    /// Notices calls to exactly what is held.
    func watch(_ held: [String: [Hold]]) {
        if held == self.held { return }
        self.held = held
        if held.isEmpty { end() } else { renew() }
    }

    /// Calls a function once calls to all that is held are noticed, with the reason if they are not.
    func whenNoticed(_ then: @escaping (_ lack: String?) -> Void) {
        switch successor {
        case .none(let lack): then(lack)
        case .beginning(let monitor, let isStale, let waiting):
            successor = .beginning(monitor, isStale: isStale, waiting + [then])
        }
    }

    /// Why not all calls are noticed; nil if it is not known yet.
    var lack: String? { if case .none(let lack) = successor { lack } else { nil } }

    /// Looks up the names of all that is held again, unless there is no bus.
    func renew() {
        switch successor {
        case .none: begin(for: [])
        case .beginning(let monitor, _, let waiting):
            successor = .beginning(monitor, isStale: true, waiting)
        }
    }

    private func begin(for waiting: [Waiting]) {
        guard let address = BusAddress.session(.own) else { return answer(waiting, lack: nil) }
        do throws(SystemError) {
            let new = try BusMonitor(address, held.mapValues(\.processes))
            new.notice = { [weak self] in self?.report($0) }
            new.begun = { [weak self] in self?.begun($0, lack: $1) }
            try listenToLogind()
            successor = .beginning(new, isStale: false, waiting)
            buses.keep(new.bus) { [weak self, weak new] in if let new { self?.lost(new) } }
        } catch {
            // No program can call through a bus that has ended.
            let hasEnded = [ENOENT, ECONNREFUSED].contains(error.code)
            answer(waiting, lack: hasEnded ? nil : Self.deafness("\(error)"))
        }
    }

    private func answer(_ waiting: [Waiting], lack: String?) {
        successor = .none(lack: lack)
        for then in waiting { then(lack) }
    }

    private static func deafness(_ reason: String) -> String {
        "calls on the session bus would not be noticed: \(reason.escapedForTerminal)"
    }

    /// Replaces the present monitor, which stays if the new one fails.
    private func begun(_ isListening: Bool, lack: String?) {
        guard case .beginning(let new, let isStale, let waiting) = successor else { return }
        guard isListening else {
            buses.close(new.bus)
            return answer(waiting, lack: Self.deafness(lack ?? "it does not answer"))
        }
        monitor?.bus.ready()
        buses.close(monitor?.bus)
        monitor = new
        if let lack {
            context.say(
                once: "hooks: some calls on the session bus do not thaw frozen applications: \(lack)")
        }
        if isStale { begin(for: waiting) } else { answer(waiting, lack: nil) }
    }

    private func lost(_ lost: BusMonitor) {
        if lost !== monitor { return begun(false, lack: "the session bus does not answer") }
        monitor = nil
        report(.sign(Set(held.keys), because: .deaf))
    }

    private func end() {
        for bus in [monitor?.bus, logind] { buses.close(bus) }
        monitor = nil
        logind = nil
        if case .beginning(let new, _, let waiting) = successor {
            buses.close(new.bus)
            answer(waiting, lack: nil)
        }
    }

    /// Listens to the shutdowns that logind announces. Without it, SIGTERM announces them.
    private func listenToLogind() throws(SystemError) {
        guard logind == nil, let address = BusAddress.system(.own) else { return }
        let bus: Bus
        do throws(SystemError) { bus = try Bus(address) } catch  where !error.isTemporary { return }
        let name = "org.freedesktop.login1"
        let interface = "\(name).Manager"
        let member = "PrepareForShutdown"
        bus.received = { [weak self] message in
            // What anybody sends to this connection alone needs no match rule.
            if message.kind == .signal, message.destination == nil, message.interface == interface,
                message.member == member, message.arguments.first == .number(1)
            {
                self?.report(.sessionMayEnd)
            }
        }
        // Of broadcasts, the bus delivers those of the owner of the name alone.
        let rule = "type='signal',sender='\(name)',interface='\(interface)',member='\(member)'"
        bus.call(.bus("AddMatch"), "s", [.text(rule)]) { _ in }
        buses.keep(bus) { [weak self] in self?.logind = nil }
        logind = bus
    }
}
