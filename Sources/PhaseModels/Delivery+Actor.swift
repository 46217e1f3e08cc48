import PhaseWatch

extension PhaseMonitor.Delivery {
    /// Calls on an actor, such as `MainActor.shared`, as long as the actor exists.
    ///
    /// It uses a task. On Linux, the first task of a process starts a timer that wakes the process once a second. A
    /// program that must not wake up passes the work to its own loop instead, with `init(_:)`.
    public static func on(_ actor: any Actor) -> Self {
        Self { [weak actor] work in Task { await actor?.perform(work) } }
    }
}

extension Actor {
    fileprivate func perform(_ work: @Sendable () -> Void) { work() }
}
