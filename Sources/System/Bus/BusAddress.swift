import Glibc

/// The address of a D-Bus server on a local socket.
public struct BusAddress: Hashable, Sendable {
    /// A path, or @ and an abstract name.
    let socket: SystemString
    /// Whether the server is a message bus rather than a single program.
    let isBus: Bool

    static let sessionVariable = "DBUS_SESSION_BUS_ADDRESS"

    /// The bus of the user's session; nil if there is none, or if it is not on a local socket.
    public static func session(_ environment: Environment) -> BusAddress? {
        if let list = environment[sessionVariable] { return BusAddress(list: list) }
        // One that has started since the variables were completed; other programs look there, too.
        return environment[Environment.runtime].flatMap { BusAddress(existing: $0 + "/bus", isBus: true) }
    }

    /// The bus of the system; nil if there is none.
    public static func system(_ environment: Environment) -> BusAddress? {
        if let list = environment["DBUS_SYSTEM_BUS_ADDRESS"] { return BusAddress(list: list) }
        return BusAddress(existing: "/run/dbus/system_bus_socket", isBus: true)
    }

    /// The user's service manager, which answers without a bus, too; nil if it does not run.
    public static func serviceManager(_ environment: Environment) -> BusAddress? {
        environment[Environment.runtime].flatMap {
            BusAddress(existing: $0 + "/systemd/private", isBus: false)
        }
    }

    private init?(existing path: SystemString, isBus: Bool) {
        guard access(path.cString, F_OK) == 0 else { return nil }
        (socket, self.isBus) = (path, isBus)
    }

    /// Reads the first local socket in a list such as `unix:path=/run/user/1000/bus,guid=0123;tcp:host=example`.
    init?(list: SystemString) {
        let local = list.description.split(separator: ";").filter { $0.hasPrefix("unix:") }
        for pair in local.flatMap({ $0.dropFirst(5).split(separator: ",") }) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let prefix = ["path": "", "abstract": "@"][parts[0]] else { continue }
            (socket, isBus) = (SystemString(bytes: Array(prefix.utf8) + Self.unescaped(parts[1])), true)
            return
        }
        return nil
    }

    /// The address of the bus at a path, as variables have it.
    var text: SystemString {
        let plain = Set("-_/.*0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let path = socket.bytes.map { byte in
            plain.contains(byte)
                ? String(Unicode.Scalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "unix:path=\(path.joined())"
    }

    /// Replaces each % and two hexadecimal digits by a byte.
    private static func unescaped(_ text: Substring) -> [UInt8] {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        return Array(parts[0].utf8)
            + parts.dropFirst().flatMap { part in
                [UInt8(part.prefix(2), radix: 16) ?? UInt8(ascii: "%")] + Array(part.dropFirst(2).utf8)
            }
    }
}
