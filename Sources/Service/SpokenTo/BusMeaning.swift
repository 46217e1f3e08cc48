import Console
import System

extension BusMessage {
    static let notifications = "org.freedesktop.Notifications"

    /// Whether the message is the answer to a call.
    var isAnswer: Bool { kind == .answer || kind == .error }

    /// Whether the message reports a button of a notification. Services may broadcast this signal.
    var isAction: Bool { kind == .signal && interface == Self.notifications && member == "ActionInvoked" }

    /// Whether the call only reads state.
    var onlyReads: Bool {
        switch (interface, member) {
        case ("org.freedesktop.DBus.Properties", "Get"), ("org.freedesktop.DBus.Properties", "GetAll"),
            ("org.freedesktop.DBus.Introspectable", "Introspect"), ("org.freedesktop.DBus.Peer", "Ping"),
            ("org.freedesktop.DBus.Peer", "GetMachineId"):
            true
        default: false
        }
    }

    /// A description, such as `a call on the session bus, Play of org.mpris.MediaPlayer2.Player`.
    var words: String {
        let name = "\(member ?? "of no name")\(interface.map { " of \($0)" } ?? "")"
        return "a \(kind == .signal ? "signal" : "call") on the session bus, \(name.escapedForTerminal)"
    }
}

/// A message from a session manager, or to it, that announces the end of the session.
struct SessionEnd {
    private let kind: BusMessage.Kind
    private let interface: String
    private let members: Set<String>
    /// The least last argument.
    private let least: UInt64

    private init(_ kind: BusMessage.Kind, _ interface: String, _ members: Set<String>, least: UInt64 = 0) {
        (self.kind, self.interface, self.members, self.least) = (kind, interface, members, least)
    }

    /// The session managers, by their names on the bus. Any program may send such messages, so they count only from the
    /// owner of the name, or to it. Xfce's states are startup, idle, checkpoint, and two of the shutdown. GNOME's
    /// manager is that of MATE and Cinnamon, too.
    static let all = [
        "org.gnome.SessionManager": SessionEnd(
            .signal, "org.gnome.SessionManager.ClientPrivate", ["QueryEndSession", "EndSession", "Stop"]),
        "org.xfce.SessionManager": SessionEnd(
            .signal, "org.xfce.Session.Manager", ["StateChanged"], least: 3),
        "org.kde.ksmserver": SessionEnd(.call, "org.kde.KSMServerInterface", ["logout"]),
        "org.kde.Shutdown": SessionEnd(
            .call, "org.kde.Shutdown", ["logout", "logoutAndShutdown", "logoutAndReboot"]),
        "org.lxqt.session": SessionEnd(.call, "org.lxqt.session", ["logout", "reboot", "powerOff"]),
    ]

    func isAnnounced(by message: BusMessage) -> Bool {
        message.kind == kind && message.interface == interface
            && message.member.map(members.contains) ?? false
            && (least == 0 || message.arguments.last?.number ?? 0 >= least)
    }

    /// Returns the match rule for the owner of the session manager's name.
    func rule(_ name: String) -> String {
        let (type, end) = kind == .signal ? ("signal", "sender") : ("method_call", "destination")
        return "type='\(type)',interface='\(interface)',\(end)='\(name)'"
    }
}
