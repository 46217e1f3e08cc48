/// How long a change must hold still before it is believed, in nanoseconds.
package struct Delays: Hashable, Sendable {
    /// For the focus that moves from one window to another.
    package var focusMove: Int64
    /// For everything else.
    package var settle: Int64
    /// When a change that does not hold still is believed all the same, from its first sign.
    package var latest: Int64
    /// How far apart changes may be due that are told at one time, when the last of them is.
    package var batch: Int64
    /// How long phases stay frozen without a window manager.
    package var withoutManager: Int64
    /// How long nothing may change after a window manager took over.
    package var takeover: Int64

    /// Whether everything is believed as it is read.
    var areNone: Bool { latest == 0 }

    /// - Parameter settle: `.zero` reports every step as it is read.
    package init(settle: Duration = .milliseconds(100)) {
        self.settle = settle.nanoseconds
        let millisecond: Int64 = 1_000_000
        focusMove = min(20 * millisecond, self.settle)
        latest = self.settle == 0 ? 0 : max(500 * millisecond, self.settle)
        batch = min(10 * millisecond, self.settle)
        withoutManager = self.settle == 0 ? 0 : 2000 * millisecond
        takeover = self.settle == 0 ? 0 : 300 * millisecond
    }
}

extension Duration {
    /// In whole nanoseconds.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
