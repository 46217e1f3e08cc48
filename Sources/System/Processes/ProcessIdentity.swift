import CLinux
import Glibc

/// One process during its lifetime. The kernel reuses the pid of an ended process.
public struct ProcessIdentity: Hashable, Sendable, Codable {
    public var pid: Int32
    /// The start time, in ticks since boot.
    public var startTicks: UInt64

    public init(pid: Int32, startTicks: UInt64) {
        (self.pid, self.startTicks) = (pid, startTicks)
    }

    /// Finds the process that currently has the pid; nil if there is none.
    public init?(pid: Int32) {
        guard let row = ProcessTable.row(of: pid) else { return nil }
        self = row.identity
    }

    /// Whether the process exists, even as a zombie.
    public var isAlive: Bool { ProcessIdentity(pid: pid) == self }

    /// The resolution of the times in `/proc/PID/stat`.
    public static var ticksPerSecond: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

    /// The start time since boot: less than a tick too early, never too late.
    public var started: Duration {
        let ticksPerSecond = UInt64(Self.ticksPerSecond)
        let (seconds, ticks) = startTicks.quotientAndRemainder(dividingBy: ticksPerSecond)
        return .seconds(Int64(clamping: seconds))
            + .nanoseconds(Int64(ticks * 1_000_000_000 / ticksPerSecond))
    }
}

/// An open /proc/PID directory. Its files belong to one process, even if the pid is reused.
public struct ProcessFolder {
    public let pid: Int32
    private let descriptor: Descriptor

    /// Opens the directory; nil if there is no such process.
    public init?(pid: Int32) {
        guard pid > 0,
            let descriptor = try? Descriptor("open", open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        else { return nil }
        self.pid = pid
        self.descriptor = descriptor
    }

    /// The contents of `stat`; nil once the process is gone.
    var row: ProcessRow? { text("stat").flatMap { ProcessText.row(ofStat: $0, pid: pid) } }

    /// Whether this user may not read which files the process has opened.
    var isHidden: Bool {
        var byte: CChar = 0
        do throws(SystemError) {
            try SystemError.check("readlink", readlinkat(descriptor.number, "exe", &byte, 1))
            return false
        } catch {
            return [EACCES, EPERM].contains(error.code)
        }
    }

    /// Returns the text of a file in the directory; nil once the process is gone.
    public func text(_ name: SystemString) -> String? {
        let bytes = try? Descriptor(
            "open", openat(descriptor.number, name.cString, O_RDONLY | O_CLOEXEC)
        ).readAll(name, limit: 65_536)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The current boot of the system.
public enum Boot {
    /// Returns the identifier that the kernel generates at each boot; nil without /proc.
    public static func id() -> String? { SystemString("/proc/sys/kernel/random/boot_id").firstLine }
}

extension Descriptor {
    /// Finds a live process of a group, other than its leader. The descriptor is readable once that process has ended.
    public static func otherMember(ofGroup leader: pid_t) -> Descriptor? {
        for pid in ProcessTable.pids where pid != leader {
            // The cheapest test comes first: most processes are in other groups.
            guard getpgid(pid) == leader, let folder = ProcessFolder(pid: pid),
                let descriptor = try? Descriptor("pidfd_open", pidfd_open(pid, 0)),
                // Read last: if the folder can still be read, the descriptor refers to the same process.
                let row = folder.row, row.group == leader, !row.hasEnded
            else { continue }
            return descriptor
        }
        return nil
    }
}
