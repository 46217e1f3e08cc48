import Loop
import PhaseWatch

/// Tells a service manager when the watch is ready, and how many hooks and applications it has.
public final class ServiceReport {
    private let manager: ServiceManager
    private var applications: Set<String> = []
    private var hooks = ""
    private var told: String?

    public init(_ manager: ServiceManager) {
        self.manager = manager
    }

    /// Takes what has changed. The first time everything has been seen once: the watch is ready.
    func take(_ events: [Event], hooks count: Int) {
        for case .change(let change) in events where change.level == .application {
            if change.kind == .closed {
                applications.remove(change.application)
            } else {
                applications.insert(change.application)
            }
        }
        if told == nil {
            hooks = Self.words(count, "hook")
            tell(["READY=1"], isState: true)
        } else {
            tellStatus()
        }
    }

    /// - Parameter areOld: The configuration has been read again, and has faults.
    func tell(hooks count: Int, areOld: Bool) {
        hooks = Self.words(count, "hook") + (areOld ? ", the old ones: the configuration is wrong" : "")
        tellStatus()
    }

    func isReloading() {
        tell(["RELOADING=1", "MONOTONIC_USEC=\(Clock.now().microseconds)"], isState: true)
    }

    func isReloaded() {
        tell(["READY=1"], isState: true)
    }

    func isStopping() {
        tell(["STOPPING=1"], isState: true)
    }

    private func tellStatus() {
        if status != told { tell([], isState: false) }
    }

    /// Together with the status, which is then not sent by itself.
    private func tell(_ assignments: [String], isState: Bool) {
        told = status
        manager.tell(assignments + ["STATUS=\(status)"], isState: isState)
    }

    /// `3 hooks; 12 applications`.
    private var status: String { "\(hooks); \(Self.words(applications.count, "application"))" }

    private static func words(_ count: Int, _ noun: String) -> String {
        count == 0 ? "no \(noun)s" : count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
