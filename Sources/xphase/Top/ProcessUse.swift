import Glibc
import System

/// The resources that some processes use.
struct ProcessUse: Hashable, Sendable {
    /// The processor time used so far, in seconds.
    let processor: Double
    /// The resident memory that belongs to one process alone, in bytes.
    let memory: Int

    init(of processes: [ProcessRow]) {
        processor = Double(processes.reduce(0) { $0 + $1.ticks }) / ProcessIdentity.ticksPerSecond
        memory = processes.reduce(0) { $0 + Self.memory(of: $1.pid) }
    }

    private static func memory(of pid: Int32) -> Int {
        let pages =
            SystemString("/proc/\(pid)/statm").contents()?.split(separator: " ").compactMap { Int($0) } ?? []
        return pages.count > 2 ? max(0, pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}
