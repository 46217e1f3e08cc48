import Glibc
import System

/// The processor time and the memory of applications: of their processes and all descendants.
struct TopUse {
    struct Use: Equatable {
        /// The share of one processor since the previous measurement; nil in the first one.
        var share: Double?
        var bytes: Int
    }

    private var ticks: [ProcessIdentity: UInt64] = [:]
    private var time: Duration?

    /// - Parameter applications: The processes of each application. Another application may have started them.
    mutating func measure(_ applications: [String: Set<Int32>]) -> [String: Use] {
        let (table, now) = (ProcessTable.current(), Clock.now())
        let owned = applications.values.reduce(into: Set<Int32>()) { $0.formUnion($1) }
        var (seen, uses) = ([ProcessIdentity: UInt64](), [String: Use]())
        for (name, pids) in applications where !pids.isEmpty {
            let family = table.family(of: pids, without: owned.subtracting(pids))
            var used: UInt64 = 0
            for row in family {
                seen[row.identity] = row.ticks
                // A process that is new since then has used little.
                used += row.ticks - min(row.ticks, ticks[row.identity] ?? row.ticks)
            }
            let share = time.map {
                Double(used) / ProcessIdentity.ticksPerSecond
                    / max(0.001, Double((now - $0).milliseconds) / 1000)
            }
            uses[name] = Use(share: share, bytes: Self.memory(of: family.map(\.pid)))
        }
        (ticks, time) = (seen, now)
        return uses
    }

    /// Returns the anonymous memory of all processes, plus shared memory once: the largest amount of any process.
    private static func memory(of pids: [Int32]) -> Int {
        let sizes = pids.compactMap(ProcessMemory.init)
        return sizes.reduce(0) { $0 + $1.own } + (sizes.map(\.shared).max() ?? 0)
    }
}
