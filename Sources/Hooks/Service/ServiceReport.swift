import PhaseWatch
import System

/// Tells a service manager when the watch is ready, and how many hooks and applications it has.
public final class ServiceReport {
    private let manager: ServiceManager
    private var applications: Set<String> = []
    private var hooks = ""
    private var sent: String?

    public init(_ manager: ServiceManager) {
        self.manager = manager
    }

    /// Counts applications. The first call means that the watch is ready: everything has been read once.
    func update(with events: [Event], hooks count: Int) {
        for case .change(let change) in events where change.level == .application {
            if change.kind == .closed {
                applications.remove(change.application)
            } else {
                applications.insert(change.application)
            }
        }
        if sent == nil {
            hooks = Self.words(count, "hook")
            send(["READY=1"], isState: true)
        } else {
            sendStatus()
        }
    }

    /// - Parameter areOld: The configuration has been read again, and has faults.
    func update(hooks count: Int, areOld: Bool) {
        hooks = Self.words(count, "hook") + (areOld ? ", the old ones: the configuration is wrong" : "")
        sendStatus()
    }

    func sendReloading() {
        send(["RELOADING=1", "MONOTONIC_USEC=\(Clock.now().microseconds)"], isState: true)
    }

    func sendReloaded() {
        send(["READY=1"], isState: true)
    }

    func sendStopping() {
        send(["STOPPING=1"], isState: true)
    }

    private func sendStatus() {
        if status != sent { send([], isState: false) }
    }

    /// Sends the status with them, so that it needs no message of its own.
    private func send(_ assignments: [String], isState: Bool) {
        sent = status
        manager.send(assignments + ["STATUS=\(status)"], isState: isState)
    }

    /// `3 hooks; 12 applications`.
    private var status: String { "\(hooks); \(Self.words(applications.count, "application"))" }

    private static func words(_ count: Int, _ noun: String) -> String {
        count == 0 ? "no \(noun)s" : count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
