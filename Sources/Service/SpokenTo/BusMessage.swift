import Console

/// A message on the session bus, as busctl(1) prints it in JSON.
struct BusMessage: Decodable, Equatable {
    var type: String
    var cookie: UInt64
    /// Of an answer: the call that it answers.
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

    /// The arguments stand last, and may be of any length: only the end of the line is read of them.
    ///
    /// - Returns: nil for what is no message.
    init?(line: String) {
        let end = line.ranges(of: ",\"payload\":").first.map { line[..<$0.lowerBound] + "}" } ?? line[...]
        self.init(json: end.utf8)
        lastNumber = line.dropLast(3).suffix(9).split { !$0.isNumber }.last.flatMap { Int($0) }
    }

    /// An answer to a call.
    var isAnswer: Bool { type == "method_return" || type == "error" }

    /// A button of some notification: services may broadcast that.
    var isAction: Bool { interface == "org.freedesktop.Notifications" && member == "ActionInvoked" }

    /// Nobody waits for its answer.
    var isOneWay: Bool { flags & 1 != 0 }

    /// What session managers are sent, and send, when the session is about to end, with the least number at its end: Xfce's states
    /// are startup, idle, checkpoint, and two of the shutdown.
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

    /// It asks how things are, and changes nothing.
    var onlyReads: Bool {
        switch (interface, member) {
        case ("org.freedesktop.DBus.Properties", "Get"), ("org.freedesktop.DBus.Properties", "GetAll"),
            ("org.freedesktop.DBus.Introspectable", "Introspect"), ("org.freedesktop.DBus.Peer", "Ping"),
            ("org.freedesktop.DBus.Peer", "GetMachineId"):
            true
        default: false
        }
    }

    /// `a call on the session bus, Play of org.mpris.MediaPlayer2.Player`
    var words: String {
        let name = "\(member ?? "of no name")\(interface.map { " of \($0)" } ?? "")"
        return "a \(type == "signal" ? "signal" : "call") on the session bus, \(name.escapedForTerminal)"
    }
}
