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

    private typealias Answer = (Result<[Inhibitor], BusError>) -> Void

    /// Passes on the inhibitors, or why they are not known. Calls start no service, and a service that does not run has
    /// no inhibitors.
    static func all(_ buses: Buses, then: @escaping (Result<[Inhibitor], BusError>) -> Void) {
        let session = buses.connect(.session(.own))
        let calls: [(@escaping Answer) -> Void] = [
            { answer in
                let name = "org.freedesktop.login1"
                let bus = buses.connect(.system(.own))
                ask(bus, name, "/org/freedesktop/login1", "\(name).Manager", "ListInhibitors", answer) {
                    value, _ in
                    answer(.success(value.list.compactMap { Inhibitor(login: $0.list) }))
                }
            },
            { answer in
                let name = "org.kde.Solid.PowerManagement.PolicyAgent"
                let path = "/org/kde/Solid/PowerManagement/PolicyAgent"
                ask(session, name, path, name, "ListInhibitions", answer) { value, _ in
                    answer(.success(value.list.map { Inhibitor(name: $0.list.first?.text) }))
                }
            },
            { answer in
                let name = "org.freedesktop.PowerManagement"
                let path = "/org/freedesktop/PowerManagement/Inhibit"
                ask(session, name, path, "\(name).Inhibit", "GetInhibitors", answer) { value, _ in
                    answer(.success(value.texts.map { Inhibitor(name: $0) }))
                }
            },
            { answer in
                let name = "org.gnome.SessionManager"
                ask(session, name, "/org/gnome/SessionManager", name, "GetInhibitors", answer) { value, bus in
                    let paths = value.texts.prefix(most)
                    gather(paths.map { path in { read(bus, name, at: path, then: $0) } }) {
                        answer(.success($0.compactMap(\.self)))
                    }
                }
            },
        ]
        gather(calls) { answers in
            let failure = answers.lazy.compactMap { if case .failure(let error) = $0 { error } else { nil } }
            then(failure.first.map { .failure($0) } ?? .success(answers.flatMap { (try? $0.get()) ?? [] }))
        }
    }

    /// - Parameter read: Receives the answer of a service that runs.
    private static func ask(
        _ bus: Bus?, _ name: String, _ path: String, _ interface: String, _ member: String,
        _ answer: @escaping Answer, read: @escaping (BusValue, Bus) -> Void
    ) {
        guard let bus else { return answer(.success([])) }
        bus.call(BusMethod(name, path, interface, member)) { result in
            switch result {
            case .success(let values): read(values.first ?? .list([]), bus)
            case .failure(let error) where error.isAbsence: answer(.success([]))
            case .failure(let error): answer(.failure(error))
            }
        }
    }

    /// Reads an inhibitor of a session manager. One that has been released meanwhile does not answer.
    private static func read(
        _ bus: Bus, _ manager: String, at path: String, then: @escaping (Inhibitor?) -> Void
    ) {
        let calls = ["GetFlags", "GetAppId", "GetToplevelXid"].map { member in
            { (answer: @escaping (BusValue?) -> Void) in
                bus.call(BusMethod(manager, path, "\(manager).Inhibitor", member)) {
                    answer(try? $0.get().first)
                }
            }
        }
        gather(calls) { values in
            // 4 is sleep, 8 is idle.
            guard let flags = values[0]?.number, flags & 12 != 0 else { return then(nil) }
            let window = values[2]?.number.flatMap { UInt32(exactly: $0) } ?? 0
            then(
                Inhibitor(
                    window: window == 0 ? nil : window, name: values[1]?.text, stopsIdle: flags & 8 != 0))
        }
    }
}

extension BusError {
    /// Whether no program provides the method.
    fileprivate var isAbsence: Bool {
        ["ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownObject", "UnknownInterface"]
            .contains { name == "org.freedesktop.DBus.Error.\($0)" }
    }
}
