/// How long a change must be stable before it is reported, in nanoseconds.
package struct Delays: Hashable, Sendable {
    /// For a focus move from one window to another.
    package var focusMove: Int64
    /// For everything else.
    package var settle: Int64
    /// When an unstable change is reported, counted from its first sign; 0 if every reading is reported immediately.
    package var latest: Int64
    /// Changes due within this time of the first are reported together, when the last of them is due.
    package var batch: Int64
    /// For a screen lock: launchers and window pickers grab the keyboard, too, and release it soon.
    package var lock: Int64
    /// For a scene that other windows cover; nil if covers do not count.
    package var cover: Int64?
    /// How long phases stay frozen without a window manager.
    package var withoutManager: Int64
    /// How long everything must be stable after a window manager took over.
    package var takeover: Int64

    /// - Parameters:
    ///   - settle: `.zero` reports every step as it is read.
    ///   - occlusion: How long a scene must be covered; nil if covers do not count.
    package init(settle: Duration = .milliseconds(100), occlusion: Duration? = nil) {
        self.settle = settle.nanoseconds
        lock = self.settle == 0 ? 0 : max(1_000_000_000, self.settle)
        cover = occlusion?.nanoseconds
        let millisecond: Int64 = 1_000_000
        focusMove = min(20 * millisecond, self.settle)
        latest = self.settle == 0 ? 0 : max(500 * millisecond, self.settle)
        batch = min(10 * millisecond, self.settle)
        withoutManager = self.settle == 0 ? 0 : 2000 * millisecond
        takeover = self.settle == 0 ? 0 : 300 * millisecond
    }
}

extension Duration {
    /// The upper limit, two hundred years: longer than any wait, and small enough that adding it to a time cannot
    /// overflow.
    private static let mostSeconds: Int64 = 200 * 366 * 86_400

    /// The duration in whole nanoseconds, from 0 to two hundred years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, min(seconds, Self.mostSeconds)) * 1_000_000_000 + max(0, attoseconds) / 1_000_000_000
    }
}
