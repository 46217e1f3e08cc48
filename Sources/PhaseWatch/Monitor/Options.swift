import Scenes

extension PhaseMonitor {
    /// What a monitor watches, and how it derives phases.
    public struct Options: Equatable, Sendable {
        /// The policy, which decides which visible scenes are active.
        public var policy: PhasePolicy
        /// Whether changes between active and background pass through inactive, as on iOS and macOS.
        public var isStepwise: Bool
        /// How long a change must be stable before it is reported, at most 500 ms after its first sign; a mere move of the
        /// focus 20 ms, or less if this is less. With `.zero` every step is reported as it is read, including states that window
        /// managers only pass through.
        public var settle: Duration
        /// The states of the session in which every scene is in the background, because the user cannot see it.
        public var hidingStates: Set<SessionState>
        /// How long other windows must cover a scene completely before it is in the background; nil for never.
        public var occlusion: Duration?
        /// How long the user must be idle before active scenes become inactive; nil for never.
        public var idle: Duration?
        /// The details to read besides phases. Details that are not requested are nil and cost nothing.
        public var details: PhaseWatcher.Details
        /// Where actions are called and models change; nil for the monitor's own thread.
        public var deliver: Delivery?
        /// The X display, such as `:0`; nil for the one that the variable `DISPLAY` names.
        public var display: String?

        /// Creates options. Omitted ones have their default values.
        public init(
            policy: PhasePolicy = .focus, isStepwise: Bool = false, settle: Duration = .milliseconds(100),
            hidingStates: Set<SessionState> = Set(SessionState.allCases), occlusion: Duration? = nil,
            idle: Duration? = nil, display: String? = nil, details: PhaseWatcher.Details = [],
            deliver: Delivery? = nil
        ) {
            self.policy = policy
            self.isStepwise = isStepwise
            self.settle = settle
            self.hidingStates = hidingStates
            self.occlusion = occlusion
            self.idle = idle
            self.display = display
            self.details = details
            self.deliver = deliver
        }
    }

    /// Runs the calls of a monitor on a loop of the program: the main loop of a toolkit, an executor or a queue.
    ///
    /// ```swift
    /// options.deliver = .init { work in DispatchQueue.main.async(execute: work) }
    /// ```
    ///
    /// Calls keep their order if the loop keeps the order of its work. No call follows an `Observation.cancel()` that
    /// is made on this loop. Two deliveries are equal if they are the same object.
    public final class Delivery: Equatable, Sendable {
        let run: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

        /// Creates a delivery by a closure that runs `work` elsewhere, or at once. It is called on the monitor's thread, so
        /// it should return quickly.
        public init(_ handOn: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void) {
            run = handOn
        }

        /// Returns whether both are the same object.
        public static func == (left: Delivery, right: Delivery) -> Bool { left === right }
    }
}
