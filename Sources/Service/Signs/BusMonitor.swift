import Console
import Hooks
import System

/// A connection to the session bus that monitors messages to some processes.
///
/// A connection that monitors may not send anything, so it looks up the names of the processes first.
final class BusMonitor {
    private static let patience = Duration.seconds(2)
    /// The maximum number of watched names: a connection may have 512 match rules, and a unique name takes four.
    private static let mostNames = 120
    /// The number of calls that are under way at once: they fit into the buffer of the socket.
    private static let mostCalls = 32
    private static let notifications = "org.freedesktop.Notifications"

    let bus: Bus
    private let applications: [String: Set<Int32>]
    /// Receives what is noticed.
    var notice: (HookInput) -> Void = { _ in }
    /// Receives whether messages are noticed from now on, and what is not noticed; called once.
    var begun: (_ isListening: Bool, _ lack: String?) -> Void = { _, _ in }
    /// When it must have begun.
    private let due = Clock.now() + patience
    /// The names to look up, and the number of answers that are awaited.
    private var left: [String] = []
    private var awaited = 0
    /// The application of each name.
    private var names: [String: String] = [:]
    /// The ends of sessions that the owners of these names announce.
    private var ends: [String: SessionEnd] = [:]

    init(_ address: BusAddress, _ applications: [String: Set<Int32>]) throws(SystemError) {
        (bus, self.applications) = (try Bus(address), applications)
        bus.received = { [weak self] in self?.take($0) }
        ask(.bus("ListNames")) { monitor, answer in
            guard case .success(let names) = answer else { return monitor.fail(answer) }
            monitor.left = (names.first?.texts ?? []).filter(\.isBusName)
            monitor.lookUp()
        }
    }

    private func ask(
        _ method: BusMethod, _ signature: String = "", _ arguments: [BusValue] = [],
        then: @escaping (BusMonitor, Bus.Answer) -> Void
    ) {
        let patience = max(.zero, due - Clock.now())
        bus.call(method, signature, arguments, within: patience) { [weak self] in
            if let self { then(self, $0) }
        }
    }

    private func fail(_ answer: Bus.Answer) {
        let reason = answer.failure.map { "it cannot be monitored: \($0)" }
        begun(false, due <= Clock.now() ? "the session bus does not answer" : reason)
    }

    /// Asks for the processes of the names, and begins after the last answer.
    private func lookUp() {
        while awaited < Self.mostCalls, !bus.isLost, Clock.now() < due, let name = left.popLast() {
            let end = SessionEnd.all[name]
            awaited += 1
            ask(.bus(end == nil ? "GetConnectionUnixProcessID" : "GetNameOwner"), "s", [.text(name)]) {
                monitor, answer in
                monitor.awaited -= 1
                // A name without an answer has lost its owner.
                if case .success(let values) = answer, let value = values.first {
                    if let pid = value.number.flatMap({ Int32(exactly: $0) }) {
                        monitor.names[name] = monitor.applications.first { $0.value.contains(pid) }?.key
                    } else if let owner = value.text {
                        (monitor.ends[name], monitor.ends[owner]) = (end, end)
                    }
                }
                monitor.lookUp()
            }
        }
        // It may have given up the rest.
        if awaited == 0 { left.isEmpty ? begin() : begun(false, "the session bus does not answer") }
    }

    private func begin() {
        let (count, most) = (names.count, Self.mostNames)
        for name in names.keys.sorted().dropFirst(most) { names[name] = nil }
        let rules =
            names.keys.flatMap { name in
                // The destination of a message may be a unique or a well-known name. The sender is always unique.
                ["type='method_call',destination='\(name)'"]
                    + (name.hasPrefix(":")
                        ? [
                            "type='signal',destination='\(name)'", "type='method_return',sender='\(name)'",
                            "type='error',sender='\(name)'",
                        ] : [])
            } + ends.map { $1.rule($0) }
            + ["type='signal',interface='\(Self.notifications)',member='ActionInvoked'"]
        let method = BusMethod.bus("BecomeMonitor", of: "org.freedesktop.DBus.Monitoring")
        ask(method, "asu", [.list(rules.map { .text($0) }), .number(0)]) { monitor, answer in
            guard case .success = answer else { return monitor.fail(answer) }
            monitor.begun(true, count > most ? "they have \(count) names, and \(most) are watched" : nil)
        }
    }

    // MARK: Messages

    private func take(_ message: BusMessage) {
        let isAnswer = message.kind == .answer || message.kind == .error
        if let name = message.kind == .call ? message.destination : message.sender,
            ends[name]?.isAnnounced(by: message) == true
        {
            return notice(.sessionMayEnd)
        }
        // A service may broadcast the button of a notification, for which there is a match rule.
        if message.destination == nil, message.interface == Self.notifications {
            return notice(.sign(Set(names.values), because: .spokenTo(message.words)))
        }
        guard let application = (isAnswer ? message.sender : message.destination).flatMap({ names[$0] })
        else { return }
        if isAnswer {
            guard let serial = message.replySerial, let reader = message.destination else { return }
            notice(.answered(application, BusCall(sender: reader, serial: serial)))
        } else if !message.onlyReads {
            notice(.sign([application], because: .spokenTo(message.words)))
        } else if let sender = message.sender, !message.isOneWay {
            notice(.called(application, BusCall(sender: sender, serial: message.serial)))
        }
    }
}

extension BusMessage {
    /// Whether the call only reads state.
    fileprivate var onlyReads: Bool {
        switch (interface, member) {
        case ("org.freedesktop.DBus.Properties", "Get"), ("org.freedesktop.DBus.Properties", "GetAll"),
            ("org.freedesktop.DBus.Introspectable", "Introspect"), ("org.freedesktop.DBus.Peer", "Ping"),
            ("org.freedesktop.DBus.Peer", "GetMachineId"):
            true
        default: false
        }
    }

    /// A description, such as `a call on the session bus, Play of org.mpris.MediaPlayer2.Player`.
    fileprivate var words: String {
        let name = "\(member ?? "of no name")\(interface.map { " of \($0)" } ?? "")"
        return "a \(kind == .signal ? "signal" : "call") on the session bus, \(name.escapedForTerminal)"
    }
}

extension String {
    /// Whether the text is a name that can be put into a match rule.
    fileprivate var isBusName: Bool {
        utf8.count <= 255 && utf8.allSatisfy { $0.isLetter || $0.isDigit || ":-._".utf8.contains($0) }
    }
}

/// A message from a session manager, or to it, that announces the end of the session.
private struct SessionEnd {
    let kind: BusMessage.Kind
    let interface: String
    let members: Set<String>
    /// The least last argument.
    var least: UInt64 = 0

    /// The session managers, by their names on the bus. Any program may send such messages, so they count only from the
    /// owner of the name, or to it. Xfce's states are startup, idle, checkpoint, and two of the shutdown. GNOME's
    /// manager is that of MATE and Cinnamon, too.
    static let all = [
        "org.gnome.SessionManager": SessionEnd(
            kind: .signal, interface: "org.gnome.SessionManager.ClientPrivate",
            members: ["QueryEndSession", "EndSession", "Stop"]),
        "org.xfce.SessionManager": SessionEnd(
            kind: .signal, interface: "org.xfce.Session.Manager", members: ["StateChanged"], least: 3),
        "org.kde.ksmserver": SessionEnd(
            kind: .call, interface: "org.kde.KSMServerInterface", members: ["logout"]),
        "org.kde.Shutdown": SessionEnd(
            kind: .call, interface: "org.kde.Shutdown",
            members: ["logout", "logoutAndShutdown", "logoutAndReboot"]),
        "org.lxqt.session": SessionEnd(
            kind: .call, interface: "org.lxqt.session", members: ["logout", "reboot", "powerOff"]),
    ]

    func isAnnounced(by message: BusMessage) -> Bool {
        message.kind == kind && message.interface == interface
            && members.contains(message.member ?? "")
            && (least == 0 || message.arguments.last?.number ?? 0 >= least)
    }

    /// Returns the match rule for the owner of the session manager's name.
    func rule(_ name: String) -> String {
        let (type, end) = kind == .signal ? ("signal", "sender") : ("method_call", "destination")
        return "type='\(type)',interface='\(interface)',\(end)='\(name)'"
    }
}
