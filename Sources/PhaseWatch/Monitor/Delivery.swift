extension PhaseMonitor {
    /// Runs the calls of a monitor on a loop of the program: the main loop of a toolkit, an executor or a queue.
    ///
    /// ```swift
    /// options.deliver = .init { work in DispatchQueue.main.async(execute: work) }
    /// ```
    ///
    /// Calls keep their order if the loop keeps the order of its work. No call follows an `Observation.cancel()` that
    /// is made on this loop. Two deliveries are equal if they are copies of the same value.
    public struct Delivery: Hashable, Sendable {
        /// A closure that runs `work` elsewhere, or at once.
        public typealias Handing = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

        private final class Identity: Sendable {}

        private let identity = Identity()
        let run: Handing

        /// Creates a delivery that passes each piece of work to a closure.
        ///
        /// - Parameter handOn: The closure. It is called on the monitor's thread, so it should return quickly.
        public init(_ handOn: @escaping Handing) {
            run = handOn
        }

        public static func == (left: Delivery, right: Delivery) -> Bool { left.identity === right.identity }

        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
    }
}
