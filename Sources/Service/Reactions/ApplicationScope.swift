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
    /// Calls a function later.
    private let wait: (Duration, @escaping () -> Void) -> Void
    private let then: (SystemError?) -> Void
    private var members: [ProcessIdentity]
    private var known = Set(ProcessTable.current().rows.keys)
    private var rounds = 0
    /// The name of the unit, in the scheme of desktop environments.
    private let name: String

    /// - Parameters:
    ///   - wait: Calls a function after some time.
    ///   - then: Receives the failure.
    init(
        _ application: String, _ processes: [ProcessIdentity], _ units: UserUnits,
        wait: @escaping (Duration, @escaping () -> Void) -> Void, then: @escaping (SystemError?) -> Void
    ) {
        (self.application, members, self.units, self.wait, self.then) = (
            application, processes, units, wait, then
        )
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
        attach(members) { [self] pids in
            let all = properties + [("PIDs", .variant("au", pids))]
            return (
                "StartTransientUnit", "ssa(sv)a(sa(sv))",
                [
                    .text(name), .text("fail"), .list(all.map { .list([.text($0.0), $0.1]) }), .list([]),
                ]
            )
        }
    }

    private typealias Call = (_ pids: BusValue) -> (member: String, signature: String, arguments: [BusValue])

    /// Has the service manager move processes. One that has ended makes the whole call fail; the call is then repeated
    /// with the others.
    private func attach(_ processes: [ProcessIdentity], _ call: @escaping Call) {
        let living = processes.filter { !$0.hasEnded }
        if living.isEmpty { return then(nil) }
        let (member, signature, arguments) = call(.list(living.map { .number(UInt64($0.pid)) }))
        units.call(member, signature, arguments) { [self] error in
            guard let error else { return awaitAll(until: Clock.now() + Self.patience) }
            if living.contains(where: \.hasEnded) { attach(living, call) } else { then(.refused("\(error)")) }
        }
    }

    /// Waits until all members that have not ended are in the unit.
    private func awaitAll(until end: Duration) {
        if !members.contains(where: { !$0.hasEnded && isElsewhere($0.pid) }) { return attachStrays() }
        if Clock.now() < end { return wait(Self.interval) { [self] in awaitAll(until: end) } }
        then(.refused("the service manager has not put all of it into \(name)"))
    }

    /// Attaches the processes that a member started just before it was moved.
    private func attachStrays() {
        let table = ProcessTable.current()
        let parents = Set(members.map(\.pid))
        let strays = table.rows.values.filter {
            !known.contains($0.pid) && parents.contains($0.parent) && !$0.hasEnded && isElsewhere($0.pid)
        }.map(\.identity)
        known.formUnion(table.rows.keys)
        if strays.isEmpty { return then(nil) }
        rounds += 1
        if rounds > Self.mostRounds {
            return then(.refused("it starts processes faster than they can be put into \(name)"))
        }
        members += strays
        attach(strays) { [self] pids in
            ("AttachProcessesToUnit", "ssau", [.text(name), .text(""), pids])
        }
    }

    private func isElsewhere(_ pid: Int32) -> Bool {
        let groups = ProcessFolder(pid: pid)?.text("cgroup")?.split(separator: "\n")
        return groups.map { !$0.contains { $0.hasSuffix("/\(name)") } } ?? false
    }

    /// Escapes at most 64 bytes of a text in the same way as systemd-escape(1).
    static func escaped(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = text.utf8.prefix(64).enumerated().flatMap { index, byte -> [UInt8] in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "_") || (byte == UInt8(ascii: ".") && index > 0)
            return isPlain
                ? [byte]
                : [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
