import Glibc
import System

/// Programs that are in use outside of their windows on this display, according to their open files.
enum UseElsewhere {
    /// Returns a message that states where one of these processes is in use; nil if none is. This process must be
    /// connected to its display.
    static func reason(for pids: [Int32], _ table: ProcessTable) -> String? {
        let displays = UnixSocket.displays
        let own = Set(OpenFiles(of: getpid()).sockets.compactMap { displays[$0] })
        for pid in pids {
            let files = OpenFiles(of: pid)
            let others = files.sockets.compactMap { displays[$0] }.filter { !own.contains($0) }
            if !own.isEmpty, let display = others.min() {
                return "process \(pid) is also connected to display :\(display)"
            }
            if files.devices.contains(where: { isTerminal($0, usedBeside: pids, table) }) {
                return "process \(pid) has opened a terminal that other programs use"
            }
        }
        return nil
    }

    /// Returns whether a device is a terminal whose foreground process group contains none of these processes.
    ///
    /// The terminals of a container have the same numbers as others. A process there counts only if one of these processes
    /// is in the same container.
    ///
    /// - Parameter namespace: Returns the PID namespace of a process; nil if it is unknown.
    static func isTerminal(
        _ device: Int32, usedBeside pids: [Int32], _ table: ProcessTable,
        namespace: (Int32) -> SystemString? = { SystemString("/proc/\($0)/ns/pid").linkTarget }
    ) -> Bool {
        let users = table.rows.values.filter { $0.terminal == device && $0.foreground > 0 }
        if users.isEmpty { return false }
        let possible = Set((pids + [getpid()]).map(namespace))
        let leader = users.first { possible.contains(namespace($0.pid)) }
        guard let group = leader?.foreground else { return false }
        return !pids.contains { table.rows[$0]?.group == group }
    }
}

/// The open sockets and devices of a process; empty if it cannot be inspected.
struct OpenFiles {
    /// The inodes of the sockets.
    private(set) var sockets: [UInt64] = []
    /// The numbers of character devices, encoded as in /proc/PID/stat. Those of descriptors 0 to 2 are left out: the
    /// terminal that a process was started from need not be in use.
    private(set) var devices: [Int32] = []

    /// Other file systems may be mounted in the directories of /dev, such as /dev/shm.
    private static func isDevice(_ path: String) -> Bool {
        guard path.hasPrefix("/dev/") else { return false }
        let name = path.dropFirst(path.hasPrefix("/dev/pts/") ? 9 : 5)
        return !name.contains("/")
    }

    init(of pid: Int32) {
        for name in SystemString("/proc/\(pid)/fd").entryNames ?? [] {
            let path = "/proc/\(pid)/fd/\(name)"
            guard let number = name.text.flatMap({ Int32($0) }),
                let link = SystemString(path).linkTarget?.description
            else { continue }
            if link.hasPrefix("socket:["), let inode = UInt64(link.dropFirst(8).dropLast()) {
                sockets.append(inode)
            } else if number > STDERR_FILENO, Self.isDevice(link) {
                // Calls stat(2) on devices only: a file may be on a disk that does not respond.
                var status = stat()
                guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { continue }
                devices.append(Int32(truncatingIfNeeded: status.st_rdev))
            }
        }
    }
}
