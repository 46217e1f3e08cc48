import Glibc
import Loop

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

    init?(_ folder: ProcessFolder) {
        guard let ticks = folder.text("stat").flatMap(ProcessText.startTicks) else { return nil }
        self.init(pid: folder.pid, startTicks: ticks)
    }

    /// Whether it is still there, be it as a zombie.
    public var isAlive: Bool { ProcessIdentity(pid: pid) == self }

    /// When it started, since the start of the system: less than a tick too early, never too late.
    public var started: Duration {
        let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let (seconds, ticks) = startTicks.quotientAndRemainder(dividingBy: ticksPerSecond)
        let nanoseconds = Int64(ticks * 1_000_000_000 / ticksPerSecond)
        return .seconds(Int64(clamping: seconds)) + .nanoseconds(nanoseconds)
    }
}
