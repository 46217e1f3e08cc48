import Glibc
import Hooks
import System

/// A systemd scope for an application that the session starts without a unit. The user's service manager makes it, and it
/// is complete once it contains all processes, including those that they start meanwhile.
final class ApplicationScope {
    private static let patience = Duration.seconds(5)
    private static let interval = Duration.milliseconds(10)
    private static let mostRounds = 8

    private let application: String
    private let units: UserUnits
    private let then: (SystemError?) -> Void
    private var members: [ProcessIdentity]
    /// The processes that do not belong to it, or are members.
    private var known: Set<Int32>
    private var rounds = 0
    /// The name of the unit, in the scheme of desktop environments.
    private let name: String

    /// - Parameters:
    ///   - table: All processes.
    ///   - then: Receives the failure.
    init(
        _ application: String, _ processes: [ProcessIdentity], of table: ProcessTable, _ units: UserUnits,
        then: @escaping (SystemError?) -> Void
    ) {
        (self.application, members, self.units, self.then) = (application, processes, units, then)
        known = Set(table.rows.keys)
        name = "app-xphase-\(Self.escaped(application))-\(processes.first?.pid ?? 0).scope"
    }

    func make() {
        // Only a delegated unit accepts further processes later. No controllers are enabled for it.
        let properties: [(String, BusValue)] = [
            ("DelegateControllers", .variant("as", .list([]))),
            ("Description", .variant("s", .text("\(application), put together by xphase"))),
            ("Slice", .variant("s", .text("app.slice"))),
            ("CollectMode", .variant("s", .text("inactive-or-failed"))),
        ]
        attach(members, "StartTransientUnit", "ssa(sv)a(sa(sv))") { [name] pids in
            let all = properties + [("PIDs", .variant("au", pids))]
            return [
                .text(name), .text("fail"), .list(all.map { .list([.text($0.0), $0.1]) }), .list([]),
            ]
        }
    }

    /// Has the service manager move processes. One that has ended makes the whole call fail; the call is then repeated
    /// with the others.
    private func attach(
        _ processes: [ProcessIdentity], _ method: String, _ signature: String,
        _ arguments: @escaping (_ pids: BusValue) -> [BusValue]
    ) {
        let living = processes.filter { !$0.hasEnded }
        if living.isEmpty { return then(nil) }
        let pids = BusValue.list(living.map { .number(UInt64($0.pid)) })
        units.call(method, signature, arguments(pids)) { [self] error in
            guard let error else { return awaitAll(until: Clock.now() + Self.patience) }
            if !living.contains(where: \.hasEnded) { return then(.refused("\(error)")) }
            attach(living, method, signature, arguments)
        }
    }

    /// Waits until all members that have not ended are in the unit.
    private func awaitAll(until end: Duration) {
        if !members.contains(where: isElsewhere) { return attachStrays() }
        if Clock.now() < end { return units.buses.wait(Self.interval) { [self] in awaitAll(until: end) } }
        then(.refused("the service manager has not put all of it into \(name)"))
    }

    /// Attaches the processes that a member started just before it was moved.
    private func attachStrays() {
        let table = ProcessTable.current()
        let strays = members.flatMap { table.children(of: $0.pid) }.filter { !known.contains($0) }
            .compactMap { table.rows[$0]?.identity }.filter(isElsewhere)
        known.formUnion(table.rows.keys)
        if strays.isEmpty { return then(nil) }
        rounds += 1
        if rounds > Self.mostRounds {
            return then(.refused("it starts processes faster than they can be put into \(name)"))
        }
        members += strays
        attach(strays, "AttachProcessesToUnit", "ssau") { [name] in [.text(name), .text(""), $0] }
    }

    private func isElsewhere(_ process: ProcessIdentity) -> Bool {
        if process.hasEnded { return false }
        let groups = ProcessFolder(pid: process.pid)?.text("cgroup")?.split(separator: "\n")
        return groups.map { !$0.contains { $0.hasSuffix("/\(name)") } } ?? false
    }

    /// Escapes at most 64 bytes of a text in the same way as systemd-escape(1).
    static func escaped(_ text: String) -> String {
        text.utf8.prefix(64).enumerated().map { index, byte in
            byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_")
                || (byte == UInt8(ascii: ".") && index > 0)
                ? String(Unicode.Scalar(byte)) : "\\x" + byte.hexadecimal
        }.joined()
    }
}
