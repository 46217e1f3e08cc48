import Hooks
import System

/// A systemd scope for an application that the session starts without a unit. The user's service manager makes it, and it
/// is complete once it contains all processes, including those that they start meanwhile.
final class ApplicationScope {
    private static let patience = Duration.seconds(5)
    private static let interval = Duration.milliseconds(10)

    private let application: String
    private let units: UserUnits
    private let then: (SystemError?) -> Void
    private let processes: [ProcessIdentity]
    /// The processes that do not belong to it.
    private let others: Set<Int32>
    /// The processes that the service manager was asked to move.
    private var moved: Set<ProcessIdentity> = []
    private let end = Clock.now() + patience
    /// The name of the unit, in the scheme of desktop environments.
    private let name: String

    /// - Parameters:
    ///   - table: All processes.
    ///   - then: Receives the failure.
    init(
        _ application: String, _ processes: [ProcessIdentity], of table: ProcessTable, _ units: UserUnits,
        then: @escaping (SystemError?) -> Void
    ) {
        (self.application, self.processes, self.units, self.then) = (application, processes, units, then)
        others = Set(table.rows.keys).subtracting(processes.map(\.pid))
        name = "app-xphase-\(Self.escaped(application))-\(processes.first?.pid ?? 0).scope"
    }

    /// Has the service manager move what is not in the unit yet, until nothing is left.
    func make() {
        if Clock.now() > end { return then(.refused("cannot move all of its processes into \(name)")) }
        if moved.contains(where: isElsewhere) { return wait() }
        let roots = processes.filter { !$0.hasEnded }.map(\.pid)
        let missing = ProcessTable.current().family(of: roots, without: others.contains).map(\.identity)
            .filter(isElsewhere)
        if missing.isEmpty { return then(nil) }
        move(missing) { [self] error in
            if error == nil { moved.formUnion(missing) }
            // One that has ended makes the whole call fail.
            if let error, !missing.contains(where: \.hasEnded) { return then(.refused("\(error)")) }
            wait()
        }
    }

    private func wait() { units.buses.wait(Self.interval) { [self] in make() } }

    private func move(_ processes: [ProcessIdentity], then: @escaping (BusError?) -> Void) {
        let pids = BusValue.list(processes.map { .number(UInt64($0.pid)) })
        if !moved.isEmpty {
            let arguments: [BusValue] = [.text(name), .text(""), pids]
            return units.call("AttachProcessesToUnit", "ssau", arguments, then: then)
        }
        // Only a delegated unit accepts further processes later. No controllers are enabled for it.
        let properties: [(String, BusValue)] = [
            ("DelegateControllers", .variant("as", .list([]))),
            ("Description", .variant("s", .text("\(application), put together by xphase"))),
            ("Slice", .variant("s", .text("app.slice"))),
            ("CollectMode", .variant("s", .text("inactive-or-failed"))),
            ("PIDs", .variant("au", pids)),
        ]
        let list = BusValue.list(properties.map { .list([.text($0.0), $0.1]) })
        let arguments: [BusValue] = [.text(name), .text("fail"), list, .list([])]
        units.call("StartTransientUnit", "ssa(sv)a(sa(sv))", arguments, then: then)
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
