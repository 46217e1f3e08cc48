import System

/// An inhibitor of session idleness or of machine sleep, as far as inhibitors can be listed.
struct Inhibitor: Hashable, Sendable {
    /// The process that holds it.
    var pid: Int32?
    /// The window that it names.
    var window: UInt32?
    /// The name that the program gives itself.
    var name: String?
    var stopsIdle = true

    func isOf(_ pids: Set<Int32>, _ windows: Set<UInt32>, _ application: String) -> Bool {
        pid.map(pids.contains) ?? false || window.map(windows.contains) ?? false
            || name?.lowercased() == application.lowercased()
    }
}

extension Inhibitor {
    /// Reads a row of logind's ListInhibitors: what, who, why, mode, user, process.
    ///
    /// - Returns: nil for inhibitors of neither idleness nor sleep, and for delay inhibitors, which services and lockers
    ///   hold all the time.
    init?(login row: [BusValue]) {
        guard row.count == 6, let kinds = row[0].text.map({ Set($0.split(separator: ":")) }) else {
            return nil
        }
        if row[3].text == "delay" || kinds.isDisjoint(with: ["idle", "sleep"]) { return nil }
        self.init(pid: row[5].number.flatMap { Int32(exactly: $0) }, stopsIdle: kinds.contains("idle"))
    }
}

/// The inhibitors of logind, of the session managers of GNOME, MATE and Cinnamon, and of the power managers of KDE and
/// Xfce.
extension Inhibitor {
    /// The maximum number of inhibitors of a session manager. Each takes three calls.
    private static let most = 64

    /// Passes on the inhibitors, or why they are not known. Calls start no service, and a service that does not run has
    /// no inhibitors.
    static func all(_ buses: Buses, then: @escaping (Result<[Inhibitor], BusError>) -> Void) {
        let (login, gnome) = ("org.freedesktop.login1", "org.gnome.SessionManager")
        let (kde, xfce) = ("org.kde.Solid.PowerManagement.PolicyAgent", "org.freedesktop.PowerManagement")
        let (system, session) = (buses.connect(.system(.own)), buses.connect(.session(.own)))
        var (found, failure): ([Inhibitor], BusError?) = ([], nil)
        let answers = Answers { then(failure.map { .failure($0) } ?? .success(found)) }
        func list(_ bus: Bus?, _ method: BusMethod, _ read: @escaping (BusValue) -> Void) {
            ask(
                bus, method,
                then: answers.awaiting { answer in
                    if case .success(let value) = answer { read(value) }
                    failure = failure ?? answer.failure
                })
        }
        list(system, BusMethod(login, "/org/freedesktop/login1", "\(login).Manager", "ListInhibitors")) {
            found += $0.list.compactMap { Inhibitor(login: $0.list) }
        }
        list(session, BusMethod(kde, "/org/kde/Solid/PowerManagement/PolicyAgent", kde, "ListInhibitions")) {
            found += $0.list.map { Inhibitor(name: $0.list.first?.text) }
        }
        list(
            session,
            BusMethod(xfce, "/org/freedesktop/PowerManagement/Inhibit", "\(xfce).Inhibit", "GetInhibitors")
        ) { found += $0.texts.map { Inhibitor(name: $0) } }
        list(session, BusMethod(gnome, "/org/gnome/SessionManager", gnome, "GetInhibitors")) { paths in
            for path in paths.texts.prefix(most) {
                read(session, gnome, at: path, then: answers.awaiting { found += [$0].compactMap(\.self) })
            }
        }
        answers.end()
    }

    private static func ask(
        _ bus: Bus?, _ method: BusMethod, then: @escaping (Result<BusValue, BusError>) -> Void
    ) {
        let nothing = BusValue.list([])
        guard let bus else { return then(.success(nothing)) }
        bus.call(method) { answer in
            if case .failure(let error) = answer, error.isAbsence { return then(.success(nothing)) }
            then(answer.map { $0.first ?? nothing })
        }
    }

    /// Reads an inhibitor of a session manager. One that has been released meanwhile does not answer.
    private static func read(
        _ bus: Bus?, _ manager: String, at path: String, then: @escaping (Inhibitor?) -> Void
    ) {
        var values: [String: BusValue] = [:]
        let answers = Answers {
            // 4 is sleep, 8 is idle.
            guard let flags = values["GetFlags"]?.number, flags & 12 != 0 else { return then(nil) }
            let window = values["GetToplevelXid"]?.number.flatMap { UInt32(exactly: $0) } ?? 0
            let name = values["GetAppId"]?.text
            then(Inhibitor(window: window == 0 ? nil : window, name: name, stopsIdle: flags & 8 != 0))
        }
        for member in ["GetFlags", "GetAppId", "GetToplevelXid"] {
            let method = BusMethod(manager, path, "\(manager).Inhibitor", member)
            ask(bus, method, then: answers.awaiting { values[member] = try? $0.get() })
        }
        answers.end()
    }
}

extension BusError {
    /// Whether no program provides the method.
    fileprivate var isAbsence: Bool {
        ["ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownObject", "UnknownInterface"]
            .contains { name == "org.freedesktop.DBus.Error.\($0)" }
    }
}
