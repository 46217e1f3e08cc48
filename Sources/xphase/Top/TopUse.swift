import Glibc
import System

/// The processor time and the memory of applications: of their processes, and of those that these have started.
struct TopUse {
    struct Use: Equatable {
        /// Of one processor since the measurement before; nil in the first one.
        var share: Double?
        var bytes: Int
    }

    private var ticks: [ProcessIdentity: UInt64] = [:]
    private var time: Duration?

    /// - Parameter applications: The processes of each, which another one may have started.
    mutating func measure(_ applications: [String: Set<Int32>]) -> [String: Use] {
        let (table, now) = (ProcessTable.current(), Clock.now())
        let owned = applications.values.reduce(into: Set<Int32>()) { $0.formUnion($1) }
        var (seen, uses) = ([ProcessIdentity: UInt64](), [String: Use]())
        for (name, pids) in applications where !pids.isEmpty {
            let family = table.family(of: pids, without: owned.subtracting(pids))
            var used: UInt64 = 0
            for row in family {
                seen[row.identity] = row.ticks
                // What has begun since has used little.
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

    /// What they have for themselves, and once what they share: the largest part of one.
    private static func memory(of pids: [Int32]) -> Int {
        let sizes = pids.compactMap(ProcessMemory.init)
        return sizes.reduce(0) { $0 + $1.own } + (sizes.map(\.shared).max() ?? 0)
    }
}
