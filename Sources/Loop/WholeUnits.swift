/// Durations as the numbers that others count in: of whole units, without what is left over.
extension Duration {
    public var milliseconds: Int64 { whole(perSecond: 1000) }
    public var microseconds: Int64 { whole(perSecond: 1_000_000) }
    public var nanoseconds: Int64 { whole(perSecond: 1_000_000_000) }

    private func whole(perSecond count: Int64) -> Int64 {
        components.seconds * count + components.attoseconds / (1_000_000_000_000_000_000 / count)
    }
}
