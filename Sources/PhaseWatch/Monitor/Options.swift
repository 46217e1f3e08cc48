import Loop
@_exported import Scenes

extension PhaseMonitor {
    /// What to watch, and how what is seen becomes phases.
    public struct Options: Hashable, Sendable {
        /// Which of the visible scenes count as active.
        public var policy: PhasePolicy
        /// Passes through inactive between active and background, both ways, as iOS and macOS do.
        public var isStepwise: Bool
        /// How long a change must hold still to be believed; 500 ms after its first sign it is at the latest.
        ///
        /// A mere move of the focus is believed after 20 ms, or this if it is shorter. With `.zero` every step
        /// is told as it is read, also those that window managers only pass through.
        public var settle: Duration
        /// The X display, `:0` say; nil for the one that the variable `DISPLAY` names.
        public var display: String?

        /// Takes the options that differ from the usual ones.
        public init(
            policy: PhasePolicy = .focus, isStepwise: Bool = false, settle: Duration = .milliseconds(100),
            display: String? = nil
        ) {
            self.policy = policy
            self.isStepwise = isStepwise
            self.settle = settle
            self.display = display
        }
    }
}
