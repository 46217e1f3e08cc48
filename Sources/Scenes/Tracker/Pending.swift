/// A value that differs from the reported one and has not settled.
struct Pending<Value: Hashable & Sendable>: Hashable, Sendable {
    private(set) var value: Value
    let firstSign: Int64
    /// When the value last changed.
    private(set) var changed: Int64

    /// Returns when the value has settled: after it was the same for a while, or at the latest some time after its first
    /// sign.
    func due(after quiet: Int64, atMost latest: Int64) -> Int64 { min(changed + quiet, firstSign + latest) }

    /// Records the current value.
    static func note(_ value: Value, in pending: inout Self?, at now: Int64) {
        if pending == nil {
            pending = Self(value: value, firstSign: now, changed: now)
        } else if pending?.value != value {
            pending?.value = value
            pending?.changed = now
        }
    }
}
