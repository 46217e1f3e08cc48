import Glibc

/// The resources that some processes have used up to a moment.
public struct ProcessUse: Sendable {
    public struct Amount: Hashable, Sendable {
        /// Seconds of processor time.
        public var processor = 0.0
        /// The number of wake-ups from sleep.
        public var wakeUps = 0.0

        public init(processor: Double = 0, wakeUps: Double = 0) {
            (self.processor, self.wakeUps) = (processor, wakeUps)
        }

        public static func + (one: Amount, other: Amount) -> Amount {
            Amount(processor: one.processor + other.processor, wakeUps: one.wakeUps + other.wakeUps)
        }

        public static func * (amount: Amount, factor: Double) -> Amount {
            Amount(processor: amount.processor * factor, wakeUps: amount.wakeUps * factor)
        }
    }

    /// The moment, of CLOCK_MONOTONIC.
    public let time = Clock.now()
    private let sinceBoot = Clock.sinceBoot()
    private var amounts: [ProcessIdentity: Amount] = [:]

    /// - Parameter roots: The processes of an application. All processes of their units count; without a unit, their
    ///   descendants.
    public init(of roots: Set<Int32>) {
        var (pids, others) = (Set<Int32>(), Set<Int32>())
        for root in roots where !pids.contains(root) {
            if let members = ControlGroup(of: root)?.processes() {
                pids.formUnion(members)
            } else {
                others.insert(root)
            }
        }
        if !others.isEmpty { pids.formUnion(ProcessTable.current().family(of: others).map(\.pid)) }
        for pid in pids {
            guard let row = ProcessTable.row(of: pid) else { continue }
            let processor = Double(row.ticks + row.endedTicks) / ProcessIdentity.ticksPerSecond
            amounts[row.identity] = Amount(
                processor: processor, wakeUps: Double(ProcessFacts.wakeUps(of: pid)))
        }
    }

    /// Returns the use since an earlier moment, including that of processes started since then.
    public func since(_ earlier: ProcessUse) -> Amount {
        // The whole processor time of an ended process counts in its parent, so its earlier part is subtracted.
        let before = earlier.amounts.reduce(Amount()) { sum, next in
            let isHere = amounts[next.key] != nil
            return sum + Amount(processor: next.value.processor, wakeUps: isHere ? next.value.wakeUps : 0)
        }
        let now = amounts.reduce(Amount()) { sum, next in
            let isKnown = earlier.amounts[next.key] != nil || next.key.started > earlier.sinceBoot
            return isKnown ? sum + next.value : sum
        }
        return Amount(
            processor: max(0, now.processor - before.processor), wakeUps: max(0, now.wakeUps - before.wakeUps)
        )
    }

    /// Returns the use per second: since an earlier moment, or over the lifetimes of the processes.
    public func rate(since earlier: ProcessUse?) -> Amount {
        if let earlier {
            return since(earlier) * (1 / max(0.001, Double((time - earlier.time).milliseconds) / 1000))
        }
        return amounts.reduce(Amount()) { sum, next in
            let life = sinceBoot - next.key.started
            return sum + next.value * (1 / max(1, Double(life.milliseconds) / 1000))
        }
    }
}
