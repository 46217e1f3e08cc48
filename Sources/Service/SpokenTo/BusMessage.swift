import Console

/// A message on the session bus, as busctl(1) prints it in JSON.
struct BusMessage: Decodable, Equatable {
    var type: String
    var cookie: UInt64
    /// The cookie of the call that an answer belongs to.
    var replyCookie: UInt64?
    var flags: UInt8 = 0
    var sender: String?
    var destination: String?
    var interface: String?
    var member: String?
    /// The last number at the end of the arguments.
    var lastNumber: Int?

    enum CodingKeys: String, CodingKey {
        case type, cookie, flags, sender, destination, interface, member
        case replyCookie = "reply_cookie"
    }

    /// Parses a line. The arguments come last and may have any length, so only the end of them is read.
    ///
    /// - Returns: nil if the line is not a message.
    init?(line: String) {
        let end = line.ranges(of: ",\"payload\":").first.map { line[..<$0.lowerBound] + "}" } ?? line[...]
        self.init(json: end.utf8)
        lastNumber = line.dropLast(3).suffix(9).split { !$0.isNumber }.last.flatMap { Int($0) }
    }

    /// Whether the message is the answer to a call.
    var isAnswer: Bool { type == "method_return" || type == "error" }

    /// Whether the message reports a button of a notification. Services may broadcast this signal.
    var isAction: Bool { interface == "org.freedesktop.Notifications" && member == "ActionInvoked" }

    /// Whether the sender waits for no answer.
    var isOneWay: Bool { flags & 1 != 0 }

    /// Messages to and from session managers that announce the end of the session, with the minimum of their last
    /// number: Xfce's states are startup, idle, checkpoint, and two of the shutdown.
    static let sessionEnds: [(type: String, interface: String, members: Set<String>, least: Int)] = [
        ("method_call", "org.gnome.SessionManager", ["Logout", "Shutdown", "Reboot"], 0),
        ("signal", "org.gnome.SessionManager.ClientPrivate", ["QueryEndSession", "EndSession", "Stop"], 0),
        ("signal", "org.xfce.Session.Manager", ["StateChanged"], 3),
        ("method_call", "org.kde.KSMServerInterface", ["logout"], 0),
        ("method_call", "org.kde.Shutdown", ["logout", "logoutAndShutdown", "logoutAndReboot"], 0),
        ("method_call", "org.lxqt.session", ["logout", "reboot", "powerOff"], 0),
    ]

    var mayEndSession: Bool {
        Self.sessionEnds.contains { end in
            end.type == type && end.interface == interface && member.map(end.members.contains) ?? false
                && lastNumber ?? end.least >= end.least
        }
    }

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
        return "a \(type == "signal" ? "signal" : "call") on the session bus, \(name.escapedForTerminal)"
    }
}
