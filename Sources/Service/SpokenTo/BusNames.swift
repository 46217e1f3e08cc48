import CLinux
import FoundationEssentials
import Glibc
import System

/// The names that processes own on the session bus.
enum BusNames {
    /// The maximum number of watched names: a connection may have 512 match rules, and a unique name takes four.
    private static let most = 120
    private static let longest = 255

    private struct Row: Decodable {
        var name: String
        var pid: Int32?
    }

    /// Returns the names of some processes, with the process of each name, and a message if names are left out; nil if
    /// there is no bus.
    ///
    /// - Throws: `SystemError.missing` if there is no busctl.
    static func all(of pids: Set<Int32>) throws -> (names: [String: Int32], lack: String?)? {
        let output: ToolOutput
        do {
            output = try ToolOutput(of: ["busctl", "--user", "--json=short", "list"])
        } catch SystemError.refused {
            return nil
        }
        let rows = try JSONDecoder().decode([Row].self, from: Data(output.bytes))
        let own = rows.filter { row in row.pid.map(pids.contains) ?? false && isName(row.name) }
        let names = own.prefix(most).compactMap { row in row.pid.map { (row.name, $0) } }
        return (
            Dictionary(names, uniquingKeysWith: { $1 }),
            own.count > most ? "they have \(own.count) names, and \(most) are watched" : nil
        )
    }

    /// Executes busctl(1). It prints calls to these names, the answers of their owners, and messages that announce the
    /// end of the session, until the parent ends.
    static func monitor(_ names: some Sequence<String>, for parent: pid_t) -> Never {
        let rules = names.flatMap { name in
            // Some buses compare the rule with the destination in the message, which may be a unique or a well-known
            // name.
            ["type='method_call',destination='\(name)'"]
                + (name.hasPrefix(":")
                    ? [
                        "type='signal',destination='\(name)'", "type='method_return',sender='\(name)'",
                        "type='error',sender='\(name)'",
                    ] : [])
        }
        let action = "type='signal',interface='org.freedesktop.Notifications',member='ActionInvoked'"
        let ends = BusMessage.sessionEnds.map { "type='\($0.type)',interface='\($0.interface)'" }
        let matches = (rules + ends + [action]).map { "--match=\($0)" }
        let words = ["busctl", "--user", "--json=short"] + matches + ["monitor"]
        let pointers = words.map { strdup($0) } + [nil]
        _ = linux_end_with_parent(SIGTERM)
        // The parent may have ended before that call.
        if getppid() != parent { exit(EXIT_FAILURE) }
        listenToLogind()
        // Up to systemd 254, the line that reports readiness is a log message.
        for (name, value) in [("LEVEL", "info"), ("TARGET", "console"), ("TIME", "0"), ("LOCATION", "0")] {
            setenv("SYSTEMD_LOG_\(name)", value, 1)
        }
        execvp("busctl", pointers)
        exit(EXIT_FAILURE)
    }

    /// Starts gdbus(1), which prints the signals of logind to the same output: only root may monitor the system bus.
    /// Without gdbus, SIGTERM announces a shutdown.
    private static func listenToLogind() {
        let words: [SystemString] = [
            "setpriv", "--pdeathsig", "TERM", "gdbus", "monitor", "--system",
            "--dest", "org.freedesktop.login1", "--object-path", "/org/freedesktop/login1",
        ]
        let copies = (STDIN_FILENO...STDERR_FILENO).compactMap { try? Descriptor("dup", dup($0)) }
        _ = try? Spawn.start(
            words, environment: Environment.own.entries, descriptors: copies, inheriting: .all)
    }

    /// Whether a name can be inserted into a match rule.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= longest
            && name.utf8.allSatisfy { byte in
                (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}
