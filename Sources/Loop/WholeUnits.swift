/// Durations as the numbers that others count in: of whole units, without what is left over.
extension Duration {
    public var milliseconds: Int64 { whole(perSecond: 1000) }
    public var microseconds: Int64 { whole(perSecond: 1_000_000) }
    public var nanoseconds: Int64 { whole(perSecond: 1_000_000_000) }

    /// What is more than the numbers reach is the last of them.
    private func whole(perSecond count: Int64) -> Int64 {
        let rest = components.attoseconds / (1_000_000_000_000_000_000 / count)
        let (units, isTooMuch) = components.seconds.multipliedReportingOverflow(by: count)
        let (sum, isStillTooMuch) = units.addingReportingOverflow(rest)
        return isTooMuch || isStillTooMuch ? (components.seconds < 0 ? .min : .max) : sum
    }
}
