import Glibc

/// How a program is in use elsewhere than in its windows on this display, as what it has open shows.
public struct UseElsewhere {
    /// The names of the X servers' sockets, by the inode of a connection's other end.
    private let displays: [UInt64: String]
    /// The displays that this process is connected to.
    private let own: Set<String>

    /// Reads the connections of this machine. This process is to be connected to its display.
    public init() {
        var displays: [UInt64: String] = [:]
        for socket in UnixSocket.all where !socket.isListening {
            // A server listens at a path and at the same abstract name.
            if let start = socket.name.ranges(of: ".X11-unix/X").last {
                displays[socket.peer] = ":\(socket.name[start.upperBound...])"
            }
        }
        self.displays = displays
        own = Set(OpenFile.all(of: getpid()).compactMap { $0.socket.flatMap { displays[$0] } })
    }

    /// Where one of these processes is in use, for people; nil if none is.
    public func reason(for pids: [Int32], _ table: ProcessTable) -> String? {
        for pid in pids {
            for file in OpenFile.all(of: pid) {
                if let display = file.socket.flatMap({ displays[$0] }), !own.isEmpty, !own.contains(display) {
                    return "process \(pid) has a connection to display \(display), too"
                }
                // What it was started with is no terminal of others, and need not be used.
                if file.number > STDERR_FILENO, let device = file.device,
                    Self.isTerminal(device, usedBeside: pids, table)
                {
                    return "process \(pid) has a terminal open that others use, too"
                }
            }
        }
        return nil
    }

    /// Whether a device is a terminal with a process group in its foreground that none of these processes is in.
    static func isTerminal(_ device: Int32, usedBeside pids: [Int32], _ table: ProcessTable) -> Bool {
        let leader = table.rows.values.first { $0.terminal == device && $0.foreground > 0 }
        guard let group = leader?.foreground else { return false }
        return !pids.contains { table.rows[$0]?.group == group }
    }
}

/// A socket or a device that a process has open.
struct OpenFile {
    let number: Int32
    /// nil for a device.
    var socket: UInt64?
    /// As /proc/PID/stat has that of a terminal; nil for a socket.
    var device: Int32?

    /// None of a process that cannot be looked into.
    static func all(of pid: Int32) -> [OpenFile] {
        (SystemString("/proc/\(pid)/fd").entryNames ?? []).compactMap { name in
            name.text.flatMap { Int32($0) }.flatMap { OpenFile($0, of: pid) }
        }
    }

    private init?(_ number: Int32, of pid: Int32) {
        self.number = number
        let path = "/proc/\(pid)/fd/\(number)"
        // Only devices are looked at themselves: a file may be on a disk that does not answer.
        guard let link = SystemString(path).linkTarget?.description else { return nil }
        if link.hasPrefix("socket:["), let inode = UInt64(link.dropFirst(8).dropLast()) {
            socket = inode
        } else {
            var status = stat()
            guard link.hasPrefix("/dev/"), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
                return nil
            }
            device = Int32(truncatingIfNeeded: status.st_rdev)
        }
    }
}
