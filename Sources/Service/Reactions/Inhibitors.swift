import System

/// An inhibitor of session idleness or of machine sleep, as far as inhibitors can be listed.
public struct Inhibitor: Hashable, Sendable {
    /// The process that holds it.
    var pid: Int32?
    /// The window that it names.
    var window: UInt32?
    /// The name that the program gives itself.
    var name: String?
    public var stopsIdle = true

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
public final class InhibitorQuestion {
    /// The maximum number of inhibitors of a session manager. Each takes three calls.
    private static let most = 64

    private var found: [Inhibitor] = []
    private var failure: BusError?

    private init() {}

    /// Passes on the inhibitors, or why they are not known. Calls start no service, and a service that does not run has
    /// no inhibitors.
    static func ask(
        _ buses: Buses, answer: @escaping (Result<[Inhibitor], BusError>) -> Void
    ) {
        let question = InhibitorQuestion()
        let gathering = Gathering {
            answer(question.failure.map { .failure($0) } ?? .success(question.found))
        }
        let login = "org.freedesktop.login1"
        question.ask(
            buses.connect(.system(.own)), login, "/org/freedesktop/login1", "\(login).Manager.ListInhibitors",
            gathering
        ) { value, _ in
            value.list.compactMap { Inhibitor(login: $0.list) }
        }
        let session = buses.connect(.session(.own))
        let kde = "org.kde.Solid.PowerManagement.PolicyAgent"
        question.ask(
            session, kde, "/org/kde/Solid/PowerManagement/PolicyAgent", "\(kde).ListInhibitions", gathering
        ) { value, _ in
            value.list.map { Inhibitor(name: $0.list.first?.text) }
        }
        let xfce = "org.freedesktop.PowerManagement"
        question.ask(
            session, xfce, "/org/freedesktop/PowerManagement/Inhibit", "\(xfce).Inhibit.GetInhibitors",
            gathering
        ) { value, _ in
            value.texts.map { Inhibitor(name: $0) }
        }
        let gnome = "org.gnome.SessionManager"
        question.ask(
            session, gnome, "/org/gnome/SessionManager", "\(gnome).GetInhibitors", gathering
        ) { value, bus in
            for path in value.texts.prefix(most) { question.read(gnome, at: path, bus, gathering) }
            return []
        }
        gathering.end()
    }

    private func ask(
        _ bus: Bus?, _ name: String, _ path: String, _ method: String, _ gathering: Gathering,
        _ read: @escaping (BusValue, Bus) -> [Inhibitor]
    ) {
        guard let bus, let dot = method.lastIndex(of: ".") else { return }
        gathering.begin()
        let method = BusMethod(
            name, path, String(method[..<dot]), String(method[method.index(after: dot)...]))
        bus.call(method) { [unowned bus] answer in
            switch answer {
            case .success(let values): self.found += values.first.map { read($0, bus) } ?? []
            case .failure(let error) where error.isAbsence: break
            case .failure(let error): self.failure = error
            }
            gathering.end()
        }
    }

    /// Reads an inhibitor of a session manager. One that has been released meanwhile does not answer.
    private func read(_ manager: String, at path: String, _ bus: Bus, _ gathering: Gathering) {
        gathering.begin()
        var values: [String: BusValue] = [:]
        let all = Gathering {
            // 4 is sleep, 8 is idle.
            if let flags = values["GetFlags"]?.number, flags & 12 != 0 {
                let window = values["GetToplevelXid"]?.number.flatMap { UInt32(exactly: $0) } ?? 0
                self.found.append(
                    Inhibitor(
                        window: window == 0 ? nil : window, name: values["GetAppId"]?.text,
                        stopsIdle: flags & 8 != 0))
            }
            gathering.end()
        }
        for member in ["GetFlags", "GetAppId", "GetToplevelXid"] {
            all.begin()
            bus.call(BusMethod(manager, path, "\(manager).Inhibitor", member)) { answer in
                values[member] = try? answer.get().first
                all.end()
            }
        }
        all.end()
    }
}

extension BusError {
    /// Whether no program provides the method.
    fileprivate var isAbsence: Bool {
        ["ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownObject", "UnknownInterface"]
            .contains { name == "org.freedesktop.DBus.Error.\($0)" }
    }
}
