import Loop

/// Waits for an end of signs that come one upon the other: an editor saves in several steps.
public struct Debounce: Hashable, Sendable {
    private static let quiet = Duration.milliseconds(100)
    private static let longest = Duration.seconds(1)

    private var first: Duration?
    private var last: Duration?

    public init() {}

    /// When to act: 100 ms after the last sign, at the latest 1 s after the first; nil if there was none.
    public var due: Duration? {
        guard let first, let last else { return nil }
        return min(last + Self.quiet, first + Self.longest)
    }

    public mutating func note(at moment: Duration) {
        first = first ?? moment
        last = moment
    }

    /// Whether it is time to act; then the signs are forgotten.
    public mutating func take(at moment: Duration) -> Bool {
        guard let due, due <= moment else { return false }
        self = Debounce()
        return true
    }
}
