import Scenes

/// What to watch, and how.
public struct WatchOptions: Sendable {
    /// The X display; nil for the one that DISPLAY names.
    public var display: String?
    public var policy = PhasePolicy.focus
    /// Passes through inactive between active and background.
    public var isStepwise = false
    /// How long a change that is no mere move of the focus must hold still.
    public var settle = Duration.milliseconds(100)

    public init() {}
}
