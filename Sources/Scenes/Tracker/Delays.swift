/// How long a change must be stable before it is reported, in nanoseconds.
package struct Delays: Hashable, Sendable {
    /// For all changes but those below; 0 reports every step at once.
    let settle: Int64
    /// For a scene that other windows cover; nil if covers do not count.
    let cover: Int64?

    package init(settle: Duration = .milliseconds(100), occlusion: Duration? = nil) {
        self.settle = Self.nanoseconds(of: settle)
        cover = occlusion.map(Self.nanoseconds)
    }

    private static let millisecond: Int64 = 1_000_000

    /// For a focus move from one window to another.
    var focusMove: Int64 { min(20 * Self.millisecond, settle) }
    /// When an unstable change is reported, counted from its first sign.
    var latest: Int64 { settle == 0 ? 0 : max(500 * Self.millisecond, settle) }
    /// Changes due within this time of the first are reported together, when the last of them is due.
    var batch: Int64 { min(10 * Self.millisecond, settle) }
    /// For a screen lock: launchers and window pickers grab the keyboard, too, and release it soon.
    var lock: Int64 { settle == 0 ? 0 : max(1000 * Self.millisecond, settle) }
    /// How long phases stay frozen without a window manager.
    var withoutManager: Int64 { settle == 0 ? 0 : 2000 * Self.millisecond }
    /// How long everything must be stable after a window manager took over.
    var takeover: Int64 { settle == 0 ? 0 : 300 * Self.millisecond }

    /// The upper limit, two hundred years: longer than any wait, and small enough that adding it to a time cannot
    /// overflow.
    private static let mostSeconds: Int64 = 200 * 366 * 86_400

    /// Returns a delay in whole nanoseconds, from 0 to two hundred years.
    private static func nanoseconds(of delay: Duration) -> Int64 {
        let (seconds, attoseconds) = delay.components
        return max(0, min(seconds, mostSeconds)) * 1_000_000_000 + max(0, attoseconds) / 1_000_000_000
    }
}
