import Glibc
import Hooks
import System

/// A systemd scope for an application that the session starts without a unit.
struct ApplicationScope {
    private static let manager = [
        "busctl", "--user", "--quiet", "--", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager",
    ]
    private static let mostRounds = 8

    let application: String
    let processes: [ProcessIdentity]

    /// The name of the unit, in the scheme of desktop environments.
    var name: String { "app-xphase-\(Self.escaped(application))-\(processes.first?.pid ?? 0).scope" }

    /// Has the user's service manager create the unit, and waits until it contains all processes, including those that
    /// they start meanwhile.
    func make() throws {
        var known = Set(ProcessTable.current().rows.keys)
        var members = processes
        // Only a delegated unit accepts further processes later. No controllers are enabled for it.
        let properties = [
            "DelegateControllers", "as", "0", "Description", "s", "\(application), put together by xphase",
            "Slice", "s", "app.slice",
            "CollectMode", "s", "inactive-or-failed", "PIDs", "au",
        ]
        try call(["StartTransientUnit", "ssa(sv)a(sa(sv))", name, "fail", "5"] + properties, &members, ["0"])
        try awaitAll(members)
        for _ in 1...Self.mostRounds {
            let table = ProcessTable.current()
            let parents = Set(members.map(\.pid))
            // Processes that a member started just before it was moved.
            let strays = table.rows.values.filter {
                !known.contains($0.pid) && parents.contains($0.parent) && !$0.hasEnded && isElsewhere($0.pid)
            }
            known.formUnion(table.rows.keys)
            if strays.isEmpty { return }
            var new = strays.map(\.identity)
            try call(["AttachProcessesToUnit", "ssau", name, ""], &new)
            members += new
        }
        throw SystemError.refused("it starts processes faster than they can be put into \(name)")
    }

    /// Calls the service manager with these processes. A process that has ended makes the whole call fail; the call is
    /// then repeated with the others.
    private func call(_ words: [String], _ members: inout [ProcessIdentity], _ rest: [String] = []) throws {
        while true {
            members.removeAll(where: \.hasEnded)
            if members.isEmpty { return }
            do {
                try ToolOutput(
                    of: Self.manager + words + ["\(members.count)"] + members.map { "\($0.pid)" } + rest)
                return
            } catch {
                if !members.contains(where: \.hasEnded) { throw error }
            }
        }
    }

    /// Waits until all members that have not ended are in the unit.
    private func awaitAll(_ members: [ProcessIdentity]) throws {
        func awaited() -> Bool {
            members.contains { !$0.hasEnded && isElsewhere($0.pid) }
        }
        if ToolOutput.await({ awaited() ? nil : true }) == true { return }
        throw SystemError.refused("the service manager has not put all of it into \(name)")
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
