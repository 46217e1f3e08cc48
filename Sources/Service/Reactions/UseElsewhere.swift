import Glibc
import System

/// Programs that are in use outside of their windows on this display, according to their open files.
enum UseElsewhere {
    /// Returns a message that states where one of these processes is in use; nil if none is. This process must be
    /// connected to its display.
    static func reason(for pids: [Int32], _ table: ProcessTable) -> String? {
        // The display names, keyed by the inode of the client's end of a connection. A server listens on a path and on
        // the abstract name of the same text.
        var displays: [UInt64: String] = [:]
        for socket in UnixSocket.all where !socket.isListening {
            if let start = socket.name.ranges(of: ".X11-unix/X").last {
                displays[socket.peer] = ":\(socket.name[start.upperBound...])"
            }
        }
        func display(_ file: OpenFile) -> String? { file.socket.flatMap { displays[$0] } }
        let own = Set(OpenFile.all(of: getpid()).compactMap(display))
        for pid in pids {
            for file in OpenFile.all(of: pid) {
                if let display = display(file), !own.isEmpty, !own.contains(display) {
                    return "process \(pid) has a connection to display \(display), too"
                }
                // Skips descriptors 0 to 2: the terminal that a process was started from need not be in use.
                if file.number > STDERR_FILENO, let device = file.device,
                    isTerminal(device, usedBeside: pids, table)
                {
                    return "process \(pid) has a terminal open that others use, too"
                }
            }
        }
        return nil
    }

    /// Returns whether a device is a terminal whose foreground process group contains none of these processes.
    static func isTerminal(_ device: Int32, usedBeside pids: [Int32], _ table: ProcessTable) -> Bool {
        let leader = table.rows.values.first { $0.terminal == device && $0.foreground > 0 }
        guard let group = leader?.foreground else { return false }
        return !pids.contains { table.rows[$0]?.group == group }
    }
}

/// An open socket or device of a process.
struct OpenFile {
    let number: Int32
    /// The inode of the socket; nil for a device.
    var socket: UInt64?
    /// The device number, encoded as in /proc/PID/stat; nil for a socket.
    var device: Int32?

    /// Returns the open files of a process; empty if the process cannot be inspected.
    static func all(of pid: Int32) -> [OpenFile] {
        (SystemString("/proc/\(pid)/fd").entryNames ?? []).compactMap { name in
            name.text.flatMap { Int32($0) }.flatMap { OpenFile($0, of: pid) }
        }
    }

    private init?(_ number: Int32, of pid: Int32) {
        self.number = number
        let path = "/proc/\(pid)/fd/\(number)"
        // Calls stat(2) on devices only: a file may be on a disk that does not respond.
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
