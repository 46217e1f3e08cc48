import Scenes

extension PhaseMonitor {
    /// The changes of a subject, in order.
    public typealias Changes = Reports<Change>

    /// The phases of a subject, in order; nil while nothing matches the subject.
    ///
    /// The sequence begins with the present phase. A slow consumer misses phases that were left again.
    public typealias Phases = Reports<ScenePhase?>

    /// Changes or phases, in order. The sequence ends when the monitor is closed or the task is cancelled. If the monitor
    /// ends for another reason, it throws the failure: a lost display is not an ordinary end.
    public struct Reports<Element: Sendable>: AsyncSequence, Sendable {
        /// The failure that ended the monitor.
        public typealias Failure = MonitorFailure

        let monitor: PhaseMonitor
        let subject: Subject
        let content: Consumer.Content
        let initial: Bool
        let element: @Sendable (Change) -> Element

        /// Subscribes a new consumer. The monitor keeps reports for it from now on.
        public func makeAsyncIterator() -> Iterator {
            let (signals, signal) = AsyncStream.makeStream(
                of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let subscription = Result { () throws(MonitorFailure) in
                try Observation(monitor, subject, content, initial: initial, .iteration(signal))
            }
            return Iterator(
                subscription: subscription, signals: signals.makeAsyncIterator(), element: element)
        }

        /// A consumer of reports. The reports kept for it are released with it.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let subscription: Result<Observation, MonitorFailure>
            /// Says that there is more to read.
            fileprivate var signals: AsyncStream<Void>.Iterator
            fileprivate let element: @Sendable (Change) -> Element

            /// Returns the next report, waiting for it if necessary; nil after the end.
            ///
            /// - Throws: The failure that ended the monitor, once; `.titlesNotRead`.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(MonitorFailure) -> Element? {
                let subscription = try subscription.get()
                while !Task.isCancelled {
                    if let next = subscription.next() { return try next.get().map(element) }
                    await signals.next(isolation: actor)
                }
                return nil
            }
        }
    }
}
