import Glibc
import Hooks
import TestDesktop
import Testing

@testable import Service
@testable import System

/// Messages on a real session bus, and what each of them means for two frozen applications.
@Suite struct BusMonitorTests {
    private let session: SessionBus
    private let alpha: BusProgram
    private let beta: BusProgram
    /// A program of neither application, with a connection for each session manager, and one without a name.
    private let others: BusProgram

    init() throws {
        session = try SessionBus()
        alpha = try BusProgram(session, ["org.example.Alpha"])
        beta = try BusProgram(session, [""])
        others = try BusProgram(
            session,
            [
                "", "org.gnome.SessionManager", "org.xfce.SessionManager", "org.kde.ksmserver",
                "org.kde.Shutdown", "org.lxqt.session",
            ])
    }

    /// Returns a monitor that has begun, and what it does not notice.
    private func begin() throws -> (monitor: BusMonitor, lack: String?) {
        let address = try #require(session.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil)
        let monitor = try BusMonitor(
            #require(BusAddress(list: SystemString(address))), ["Alpha": [alpha.pid], "Beta": [beta.pid]])
        var answer: (isListening: Bool, lack: String?)?
        monitor.begun = { answer = ($0, $1) }
        monitor.bus.wait { answer != nil }
        #expect(answer?.isListening == true)
        return (monitor, answer?.lack)
    }

    /// Returns what the monitor notices until a program has sent one more message, to Alpha.
    private func noticed(_ monitor: BusMonitor, after program: BusProgram, _ connection: Int) throws
        -> [HookInput]
    {
        var inputs: [HookInput] = []
        var isAtEnd = false
        monitor.notice = { input in
            if case .sign(_, let reason) = input, reason.words.contains("TheEnd") {
                isAtEnd = true
            } else {
                inputs.append(input)
            }
        }
        try program.send(connection, "call", to: alpha.names[0], "org.example", "TheEnd")
        let isNoticed = waitUntil {
            monitor.bus.ready()
            return isAtEnd
        }
        #expect(isNoticed)
        return inputs
    }

    private static func words(_ input: HookInput) -> String {
        switch input {
        case .sign(let applications, let reason):
            "\(applications.sorted().joined(separator: " and ")): \(reason.words)"
        case .called(let application, _): "\(application) is asked"
        case .answered(let application, _): "\(application) answers"
        case .sessionMayEnd: "the session may end"
        default: "\(input)"
        }
    }

    private typealias Row = (
        from: Int, kind: String, to: String, interface: String, member: String, numbers: [Int],
        noticed: String?
    )
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let notifications = "org.freedesktop.Notifications"
    private static let call = "a call on the session bus"
    private static let signal = "a signal on the session bus"

    /// Messages of the other programs, by the number of the connection. `alpha` and the like are connections without
    /// their names.
    private static let messages: [Row] = [
        (0, "call", "alpha", "org.example", "Play", [], "Alpha: \(call), Play of org.example"),
        (0, "call", "org.example.Alpha", "org.example", "Play", [], "Alpha: \(call), Play of org.example"),
        (0, "call", "beta", "org.example", "Play", [], "Beta: \(call), Play of org.example"),
        (0, "signal", "alpha", "org.example", "Wake", [], "Alpha: \(signal), Wake of org.example"),
        (0, "signal", "", "org.example", "News", [], nil),
        (0, "call", "gnome", "org.example", "Play", [], nil),
        // What only reads, and what does not.
        (0, "call", "alpha", properties, "Get", [], "Alpha is asked"),
        (0, "call", "alpha", properties, "GetAll", [], "Alpha is asked"),
        (0, "call", "alpha", "org.freedesktop.DBus.Introspectable", "Introspect", [], "Alpha is asked"),
        (0, "call", "alpha", "org.freedesktop.DBus.Peer", "Ping", [], "Alpha is asked"),
        (0, "call", "alpha", "org.freedesktop.DBus.Peer", "GetMachineId", [], "Alpha is asked"),
        (0, "one-way call", "alpha", properties, "Get", [], nil),
        (0, "call", "alpha", properties, "Set", [], "Alpha: \(call), Set of \(properties)"),
        (0, "call", "alpha", "org.example", "Get", [], "Alpha: \(call), Get of org.example"),
        // The button of a notification.
        (
            0, "signal", "", notifications, "ActionInvoked", [],
            "Alpha and Beta: \(signal), ActionInvoked of \(notifications)"
        ),
        (
            0, "signal", "beta", notifications, "ActionInvoked", [],
            "Beta: \(signal), ActionInvoked of \(notifications)"
        ),
        (0, "signal", "gnome", notifications, "ActionInvoked", [], nil),
        (0, "signal", "", notifications, "NotificationClosed", [], nil),
        // The end of the session, announced by session managers and by others.
        (1, "signal", "", "org.gnome.SessionManager.ClientPrivate", "QueryEndSession", [], end),
        (1, "signal", "", "org.gnome.SessionManager.ClientPrivate", "EndSession", [], end),
        (1, "signal", "", "org.gnome.SessionManager.ClientPrivate", "Stop", [], end),
        (1, "signal", "", "org.gnome.SessionManager.ClientPrivate", "CancelEndSession", [], nil),
        (1, "signal", "", "org.gnome.SessionManager", "EndSession", [], nil),
        (0, "signal", "", "org.gnome.SessionManager.ClientPrivate", "EndSession", [], nil),
        (2, "signal", "", "org.gnome.SessionManager.ClientPrivate", "EndSession", [], nil),
        (2, "signal", "", "org.xfce.Session.Manager", "StateChanged", [1, 3], end),
        (2, "signal", "", "org.xfce.Session.Manager", "StateChanged", [1, 4], end),
        (2, "signal", "", "org.xfce.Session.Manager", "StateChanged", [3, 1], nil),
        (2, "signal", "", "org.xfce.Session.Manager", "StateChanged", [], nil),
        (0, "signal", "", "org.xfce.Session.Manager", "StateChanged", [1, 3], nil),
        (0, "call", "org.kde.ksmserver", "org.kde.KSMServerInterface", "logout", [], end),
        (0, "call", "kde", "org.kde.KSMServerInterface", "logout", [], end),
        (0, "call", "org.kde.ksmserver", "org.kde.KSMServerInterface", "canShutdown", [], nil),
        (0, "call", "gnome", "org.kde.KSMServerInterface", "logout", [], nil),
        (3, "signal", "", "org.kde.KSMServerInterface", "logout", [], nil),
        (0, "call", "org.kde.Shutdown", "org.kde.Shutdown", "logout", [], end),
        (0, "call", "org.kde.Shutdown", "org.kde.Shutdown", "logoutAndShutdown", [], end),
        (0, "call", "org.kde.Shutdown", "org.kde.Shutdown", "logoutAndReboot", [], end),
        (0, "call", "org.kde.Shutdown", "org.lxqt.session", "logout", [], nil),
        (0, "call", "org.lxqt.session", "org.lxqt.session", "logout", [], end),
        (0, "call", "org.lxqt.session", "org.lxqt.session", "reboot", [], end),
        (0, "call", "org.lxqt.session", "org.lxqt.session", "powerOff", [], end),
        (0, "call", "org.lxqt.session", "org.lxqt.session", "suspend", [], nil),
    ]
    private static let end = "the session may end"

    @Test func aMessageThawsItsReceiverUnlessItOnlyReadsAndTheEndOfTheSessionEverything() throws {
        let (monitor, lack) = try begin()
        #expect(lack == nil)
        let names = [
            "alpha": alpha.names[0], "beta": beta.names[0], "gnome": others.names[1], "kde": others.names[3],
        ]
        for row in Self.messages {
            let receiver = names[row.to] ?? row.to
            try others.send(row.from, row.kind, to: receiver, row.interface, row.member, row.numbers)
            let found = try noticed(monitor, after: others, row.from).map(Self.words)
            #expect(found == [row.noticed].compactMap(\.self), "\(row)")
        }
    }

    @Test(arguments: ["answer", "error"]) func anAnswerOfAFrozenProgramEndsTheCall(kind: String) throws {
        let (monitor, _) = try begin()
        try others.send(0, "call", to: alpha.names[0], Self.properties, "Get")
        let asked = try noticed(monitor, after: others, 0)
        guard case .called("Alpha", let call)? = asked.first else { throw Failure("\(asked)") }
        #expect(asked.count == 1 && call.sender == others.names[0])
        // A call of its own wakes nobody, nor does its answer.
        try alpha.send(0, "call", to: others.names[0], Self.properties, "Get")
        #expect(try noticed(monitor, after: alpha, 0).isEmpty)
        try alpha.send(0, kind, to: call.sender, replyTo: call.serial)
        let answered = try noticed(monitor, after: alpha, 0)
        guard case .answered("Alpha", call)? = answered.first else { throw Failure("\(answered)") }
        #expect(answered.count == 1)
    }

    /// Each name needs match rules, whose number is limited.
    @Test func namesBeyondALimitAreReportedAndTheConnectionItselfIsWatched() throws {
        let many = try BusProgram(session, ["org.example.Last"], more: (1...130).map { "org.example.N\($0)" })
        let address = try #require(session.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil)
        let monitor = try BusMonitor(
            #require(BusAddress(list: SystemString(address))),
            ["Alpha": [many.pid]])
        var lack: String?
        var hasBegun = false
        monitor.begun = {
            hasBegun = $0
            lack = $1
        }
        monitor.bus.wait { hasBegun }
        #expect(hasBegun && lack == "they have 132 names, and 120 are watched")
        var inputs: [String] = []
        monitor.notice = { inputs.append(Self.words($0)) }
        for name in ["org.example.N99", many.names[0]] {
            try others.send(0, "call", to: name, "org.example", "Play")
        }
        #expect(
            waitUntil {
                monitor.bus.ready()
                return inputs == ["Alpha: \(Self.call), Play of org.example"]
            })
    }
}

/// A program with connections to a session bus, which sends what a test says.
private final class BusProgram {
    private static let script = """
        import sys
        from jeepney import DBusAddress, Endianness, Header, HeaderFields as F, Message, MessageType as T, new_method_call
        from jeepney.io.blocking import open_dbus_connection
        address, more, *names = sys.argv[1:]
        daemon = DBusAddress("/", "org.freedesktop.DBus", "org.freedesktop.DBus")
        connections = []
        for name in names:
            bus = open_dbus_connection(address)
            connections.append(bus)
            for own in [name] + more.split():
                if own: bus.send_and_get_reply(new_method_call(daemon, "RequestName", "su", (own, 0)))
        print(*[bus.unique_name for bus in connections], flush=True)
        kinds = {"call": T.method_call, "answer": T.method_return, "error": T.error, "signal": T.signal}
        for number, line in enumerate(sys.stdin):
            at, kind, to, interface, member, call, *numbers = line[:-1].split("\\t")
            kind = kind.split()
            fields = {F.path: "/", F.interface: interface, F.member: member}
            if int(call): fields = {F.reply_serial: int(call)}
            if kind == ["error"]: fields[F.error_name] = "org.example.Error"
            if to: fields[F.destination] = to
            if numbers: fields[F.signature] = "u" * len(numbers)
            header = Header(Endianness.little, kinds[kind[-1]], len(kind) - 1, 1, -1, -1, fields)
            connections[int(at)].send(Message(header, tuple(map(int, numbers))), serial=1000 + number)
        """

    private let program: TestDesktop.Program
    private let input: Pipe
    /// The name that the bus gives each connection.
    let names: [String]

    var pid: Int32 { program.pid }

    /// - Parameters:
    ///   - names: A name for each connection, or nothing.
    ///   - more: Further names for each connection.
    init(_ session: SessionBus, _ names: [String], more: [String] = []) throws {
        input = try Pipe()
        let address = session.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil
        program = try TestDesktop.Program(
            "/usr/bin/python3",
            ["-c", Self.script, address ?? "", more.joined(separator: " ")] + names, stdin: input.reading)
        guard let line = try program.output.next() else {
            throw Failure("install python3-jeepney: \(try program.errors.rest())")
        }
        self.names = line.split(separator: " ").map(String.init)
    }

    /// Sends a message. A call is one of those that wait for an answer, unless its kind says otherwise.
    func send(
        _ connection: Int, _ kind: String, to receiver: String, _ interface: String = "",
        _ member: String = "", _ numbers: [Int] = [], replyTo call: UInt32 = 0
    ) throws {
        let words =
            ["\(connection)", kind]
            + [receiver, interface, member, "\(call)"] + numbers.map { "\($0)" }
        let line = Array((words.joined(separator: "\t") + "\n").utf8)
        guard write(input.writing, line, line.count) == line.count else { throw Failure("cannot write") }
    }
}
