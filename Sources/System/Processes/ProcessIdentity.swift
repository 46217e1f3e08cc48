import CLinux
import Glibc

/// One process, for as long as it lives. The system gives the number of an ended one to another.
public struct ProcessIdentity: Hashable, Sendable, Codable {
    public var pid: Int32
    /// When it started, in ticks since the start of the system.
    public var startTicks: UInt64

    public init(pid: Int32, startTicks: UInt64) {
        self.pid = pid
        self.startTicks = startTicks
    }

    /// The process that has the number now; nil if none has.
    public init?(pid: Int32) {
        guard let folder = ProcessFolder(pid: pid) else { return nil }
        self.init(folder)
    }

    public init?(_ folder: ProcessFolder) {
        guard let ticks = folder.text("stat").flatMap(ProcessText.startTicks) else { return nil }
        self.init(pid: folder.pid, startTicks: ticks)
    }

    /// Whether it exists, even as a zombie.
    public var isAlive: Bool { ProcessIdentity(pid: pid) == self }

    /// Of the times in `/proc/PID/stat`.
    public static var ticksPerSecond: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

    /// When it started, since the start of the system: less than a tick too early, never too late.
    public var started: Duration {
        let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let (seconds, ticks) = startTicks.quotientAndRemainder(dividingBy: ticksPerSecond)
        let nanoseconds = Int64(ticks * 1_000_000_000 / ticksPerSecond)
        return .seconds(Int64(clamping: seconds)) + .nanoseconds(nanoseconds)
    }
}

/// An open /proc/PID. Its files are those of one process, even if another one gets the number.
public struct ProcessFolder {
    public let pid: Int32
    private let descriptor: Descriptor

    /// nil if there is no such process.
    public init?(pid: Int32) {
        guard pid > 0,
            let descriptor = try? Descriptor("open", open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        else { return nil }
        self.pid = pid
        self.descriptor = descriptor
    }

    /// One of its files; nil once the process is gone.
    public func text(_ name: SystemString) -> String? {
        let number = openat(descriptor.number, name.cString, O_RDONLY | O_CLOEXEC)
        let bytes = try? Descriptor("open", number).readAll(name, limit: 65_536)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The present boot of the system.
public enum Boot {
    /// The kernel makes another one at each boot; nil where there is no /proc.
    public static func id() -> String? { SystemString("/proc/sys/kernel/random/boot_id").firstLine }
}

extension Descriptor {
    /// Any process of a group that has not ended, besides the one that leads it.
    ///
    /// - Returns: Readable once that process has ended; nil if there is none.
    static func otherMember(ofGroup leader: pid_t) -> Descriptor? {
        for pid in ProcessTable.pids where pid != leader {
            // Most processes are of other groups, and this is the cheapest test.
            guard getpgid(pid) == leader, let folder = ProcessFolder(pid: pid),
                let descriptor = try? Descriptor("pidfd_open", linux_pidfd(pid)),
                // Read last: as long as the folder can be read, the descriptor is of the same process.
                folder.text("stat").flatMap(ProcessText.group) == leader
            else { continue }
            return descriptor
        }
        return nil
    }
}
