import Console
import Glibc
import Hooks
import System

/// An inhibitor of session idleness or of machine sleep, as far as inhibitors can be listed.
public struct Inhibitor: Hashable, Sendable {
    /// The process that holds it.
    var pid: Int32?
    /// The window that it names.
    var window: UInt32?
    /// The name that the program gives itself.
    var name: String?
    var stopsIdle = true

    /// Whether the application of a request holds an inhibitor.
    static func isHeld(by request: ReactionRequest) throws -> Bool {
        let (pids, windows) = (Set(request.processes.map(\.pid)), Set(request.windows))
        return try (ofSystem() + ofSession()).contains { $0.isOf(pids, windows, request.application) }
    }

    func isOf(_ pids: Set<Int32>, _ windows: Set<UInt32>, _ application: String) -> Bool {
        pid.map(pids.contains) ?? false || window.map(windows.contains) ?? false
            || name?.lowercased() == application.lowercased()
    }

    /// Returns the inhibitors of logind.
    static func ofSystem() throws -> [Inhibitor] {
        let (bus, login) = (MessageBus.system, "org.freedesktop.login1")
        guard try bus.names().contains(login) else { return [] }
        let path = "/org/freedesktop/login1"
        let rows: [LoginRow] = try bus.ask(login, path, "\(login).Manager", "ListInhibitors")
        return rows.compactMap(\.inhibitor)
    }

    /// Returns the inhibitors of the session managers of GNOME, MATE and Cinnamon, and of the power managers of KDE and
    /// Xfce.
    static func ofSession() throws -> [Inhibitor] {
        let bus = MessageBus.session
        let names = try bus.names()
        var inhibitors: [Inhibitor] = []
        let (gnome, xfce) = ("org.gnome.SessionManager", "org.freedesktop.PowerManagement")
        let kde = "org.kde.Solid.PowerManagement.PolicyAgent"
        if names.contains(gnome) {
            let paths: [String] = try bus.ask(gnome, "/org/gnome/SessionManager", gnome, "GetInhibitors")
            // Each takes three runs of busctl. An inhibitor that has been released meanwhile does not answer.
            inhibitors = paths.prefix(64).compactMap { try? bus.inhibitor(of: gnome, at: $0) }
        }
        if names.contains(kde) {
            let path = "/org/kde/Solid/PowerManagement/PolicyAgent"
            let rows: [[String]] = try bus.ask(kde, path, kde, "ListInhibitions")
            inhibitors += rows.map { Inhibitor(name: $0.first) }
        } else if names.contains(xfce) {
            let path = "/org/freedesktop/PowerManagement/Inhibit"
            let names: [String] = try bus.ask(xfce, path, "\(xfce).Inhibit", "GetInhibitors")
            inhibitors += names.map { Inhibitor(name: $0) }
        }
        return inhibitors
    }

    /// Returns the exit code of the process that an `IdleQuestion` starts. A bus that does not answer counts as having
    /// no inhibitors.
    public static func answerIdleQuestion() -> Int32 {
        // Nothing else ends this process.
        alarm(20)
        let isInhibited = [ofSystem, ofSession].contains { ((try? $0()) ?? []).contains(where: \.stopsIdle) }
        return isInhibited ? IdleQuestion.inhibited : EXIT_SUCCESS
    }
}

/// A row of ListInhibitors: what, who, why, mode, user, process.
struct LoginRow: Decodable {
    /// nil for inhibitors of neither idleness nor sleep, and for delay inhibitors, which services and lockers hold all
    /// the time.
    let inhibitor: Inhibitor?

    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        let words = try (1...4).map { _ in try row.decode(String.self) }
        let numbers = try (1...2).map { _ in try row.decode(UInt32.self) }
        let kinds = Set(words[0].split(separator: ":"))
        let isOne = words[3] != "delay" && !kinds.isDisjoint(with: ["idle", "sleep"])
        let (pid, stopsIdle) = (Int32(exactly: numbers[1]), kinds.contains("idle"))
        inhibitor = isOne ? Inhibitor(pid: pid, stopsIdle: stopsIdle) : nil
    }
}

/// A message bus, as reached by busctl(1). Calls start no service.
struct MessageBus {
    private struct Reply<Value: Decodable>: Decodable { let data: [Value] }

    let option: String
    let isThere: Bool

    static var system: MessageBus {
        let isSet = Environment.own["DBUS_SYSTEM_BUS_ADDRESS"] != nil
        return MessageBus(
            option: "--system", isThere: isSet || access("/run/dbus/system_bus_socket", F_OK) == 0)
    }

    static var session: MessageBus { MessageBus(option: "--user", isThere: UserServices(.own).hasBus) }

    func names() throws -> [String] {
        let bus = "org.freedesktop.DBus"
        return isThere ? try ask(bus, "/org/freedesktop/DBus", bus, "ListNames") : []
    }

    func ask<Value: Decodable>(_ words: String...) throws -> Value {
        let options = [option, "--json=short", "--auto-start=no", "--timeout=2", "--"]
        return try Self.value(of: ToolOutput(of: ["busctl"] + options + ["call"] + words).bytes)
    }

    /// Returns the only value of a reply.
    static func value<Value: Decodable>(of json: [UInt8]) throws -> Value {
        if let value = Reply<Value>(json: json)?.data.first { return value }
        throw SystemError.refused("the output of busctl cannot be parsed")
    }

    fileprivate func inhibitor(of manager: String, at path: String) throws -> Inhibitor? {
        let flags: UInt32 = try ask(manager, path, "\(manager).Inhibitor", "GetFlags")
        // 4 is sleep, 8 is idle.
        if flags & 12 == 0 { return nil }
        let name: String = try ask(manager, path, "\(manager).Inhibitor", "GetAppId")
        let window: UInt32 = try ask(manager, path, "\(manager).Inhibitor", "GetToplevelXid")
        return Inhibitor(window: window == 0 ? nil : window, name: name, stopsIdle: flags & 8 != 0)
    }
}
