/// How long a change must hold still before it is believed.
package struct Delays: Hashable, Sendable {
    /// For the focus that moves from one window to another.
    package var focusMove: Duration
    /// For everything else.
    package var settle: Duration
    /// When a change that does not hold still is believed all the same, from its first sign.
    package var latest: Duration
    /// How far apart changes may be due that are told at one time, when the last of them is.
    package var batch: Duration
    /// How long phases stay frozen without a window manager.
    package var withoutManager: Duration
    /// How long nothing may change after a window manager took over.
    package var takeover: Duration

    /// Whether everything is believed as it is read.
    var areNone: Bool { latest == .zero }

    /// - Parameter settle: `.zero` reports every step as it is read.
    package init(settle: Duration = .milliseconds(100)) {
        self.settle = settle
        focusMove = min(.milliseconds(20), settle)
        latest = settle == .zero ? .zero : max(.milliseconds(500), settle)
        batch = min(.milliseconds(10), settle)
        withoutManager = settle == .zero ? .zero : .seconds(2)
        takeover = settle == .zero ? .zero : .milliseconds(300)
    }
}
