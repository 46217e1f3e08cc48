import Console
import PhaseWatch
import System

/// The screen savers of desktops, which report on the session bus whether they are active. That of GNOME Shell has no
/// window.
public final class ScreenSavers: WatchMember {
    /// The names on the bus, which are those of the interface and of the object, too.
    private static let names = ["gnome", "freedesktop", "mate", "cinnamon"].map { "org.\($0).ScreenSaver" }
    /// The time limit before a first reading, and that in the loop, which waits for nothing.
    private static let (patience, loopPatience) = (Duration.seconds(1), Duration.seconds(25))

    private let watcher: PhaseWatcher
    private var buses: Buses?
    private var bus: Bus?
    private var isAsking = false
    /// Whether something was announced after the question that is under way.
    private var isStale = false

    init(_ watcher: PhaseWatcher) { self.watcher = watcher }

    public func join(_ loop: EventLoop) {
        let buses = Buses(loop)
        guard let address = BusAddress.session(.own), let bus = try? Bus(address) else { return }
        self.buses = buses
        self.bus = bus
        buses.keep(bus) { [unowned self] in
            self.bus = nil
            watcher.take(activeSaver: nil)
        }
        // Anybody can send a signal: it is a reason to ask.
        bus.received = { [unowned self] in
            if $0.kind == .signal && ["ActiveChanged", "NameOwnerChanged"].contains($0.member) { ask() }
        }
        for name in Self.names {
            let isActive = "type='signal',sender='\(name)',interface='\(name)',member='ActiveChanged'"
            let owner =
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'"
            for rule in [isActive, owner] { bus.call(.bus("AddMatch"), "s", [.text(rule)]) { _ in } }
        }
        ask()
    }

    public var next: Duration? { buses?.next }

    public func wake() { buses?.expire(at: Clock.now()) }

    private func ask() {
        isStale = isAsking
        guard let bus, !isAsking else { return }
        isAsking = true
        Self.ask(bus, within: Self.loopPatience) { [unowned self] answer in
            isAsking = false
            if isStale { return ask() }
            if let answer, self.bus != nil { watcher.take(activeSaver: answer) }
        }
    }

    /// Passes on the first saver that is active, or nil if none is; nothing if that depends on one that does not answer.
    /// Starts none.
    private static func ask(_ bus: Bus, within patience: Duration, then: @escaping (String??) -> Void) {
        var active: Set<String> = []
        var isSilent = false
        let answers = Answers {
            let name = names.first(where: active.contains)
            then(name == nil && isSilent ? nil : .some(name))
        }
        for name in names {
            let path = "/" + name.split(separator: ".").joined(separator: "/")
            bus.call(
                BusMethod(name, path, name, "GetActive"), within: patience,
                then: answers.awaiting { answer in
                    if (try? answer.get())?.first?.number == 1 { active.insert(name) }
                    if answer.failure?.name == "org.freedesktop.DBus.Error.NoReply" { isSilent = true }
                })
        }
        answers.end()
    }
}

extension PhaseWatcher {
    /// Watches as `run(into:)` does, asks for inhibitors before the user counts as idle, and follows screen savers that have
    /// no window.
    public func watch(into members: [any WatchMember]) throws -> Int32? {
        try run(into: members + [IdleQuestion(self), ScreenSavers(self)])
    }
}

extension ScreenSavers {
    /// Returns the saver that is active. Waits for the answers: without them, a first reading would count windows as
    /// visible that are behind a lock screen.
    public static func active() -> String? {
        guard let address = BusAddress.session(.own), let bus = try? Bus(address) else { return nil }
        var (active, isOver): (String?, Bool) = (nil, false)
        ask(bus, within: patience) { (active, isOver) = ($0 ?? nil, true) }
        bus.wait { isOver }
        return active
    }
}
