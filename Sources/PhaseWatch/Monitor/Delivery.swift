import Glibc

extension PhaseMonitor {
    /// Hands work to a loop of the program's: that of a toolkit, an executor, a queue.
    ///
    /// ```swift
    /// options.deliver = .init { work in DispatchQueue.main.async(execute: work) }
    /// options.deliver = .init { work in Task { @MainActor in work() } }
    /// ```
    ///
    /// Calls keep their order if the loop does. After `Observation.cancel()` on the loop itself no call follows. Two
    /// deliveries are equal if they are copies of one.
    public struct Delivery: Hashable, Sendable {
        /// Has work done elsewhere, or at once.
        public typealias Handing = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

        private final class Identity: Sendable {}

        private let identity = Identity()
        let run: Handing

        /// Calls a closure with each piece of work.
        ///
        /// - Parameter handOn: Called on the monitor's thread, which should soon have it back.
        public init(_ handOn: @escaping Handing) {
            run = handOn
        }

        public static func == (left: Delivery, right: Delivery) -> Bool { left.identity === right.identity }

        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
    }
}

extension MonitorState {
    convenience init(_ options: PhaseMonitor.Options) {
        self.init(isStepwise: options.isStepwise, pid: getpid(), deliver: options.deliver)
    }
}
