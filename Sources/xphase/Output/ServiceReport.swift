import Console
import Glibc
import PhaseWatch
import Service
import System

/// A sink that reports to a service manager that the watch is ready, and how many hooks and applications it has.
final class ServiceReport: WatchMember {
    /// The number of hooks in use, whether they are older than the configuration, because that has faults, and whether it
    /// is being read.
    typealias Hooks = (count: Int, areOld: Bool, areBeingRead: Bool)

    private let manager: ServiceManager
    private let hooks: () -> Hooks
    private var applications: Set<String> = []
    private var isReloading = false
    /// The status that was sent last; nil until the watch is ready.
    private var sent: String?

    /// - Parameter hooks: Called after each turn of the loop.
    init(_ manager: ServiceManager, hooks: @escaping () -> Hooks) {
        (self.manager, self.hooks) = (manager, hooks)
    }

    var signals: [Int32] { [SIGHUP] }

    /// Counts applications. The first call means that the watch is ready: everything has been read once.
    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        for case .change(let change) in events where change.level == .application {
            if change.to == nil {
                applications.remove(change.application)
            } else {
                applications.insert(change.application)
            }
        }
        if sent == nil { send(["READY=1"], isState: true) }
    }

    /// Reports a reload: on this signal, hooks begin to be read again in the same turn.
    func received(_ signal: Int32) {
        isReloading = true
        send(["RELOADING=1", "MONOTONIC_USEC=\(Clock.now().microseconds)"], isState: true)
    }

    func finishTurn(_ requests: inout WatchRequests) {
        if isReloading {
            if hooks().areBeingRead { return }
            isReloading = false
            send(["READY=1"], isState: true)
        } else if sent != nil && status != sent {
            send([], isState: false)
        }
    }

    /// Reports that the watch has ended; hooks may still have something to undo.
    func sendStopping() {
        send(["STOPPING=1"], isState: true)
    }

    /// `3 hooks; 12 applications`.
    private var status: String {
        let (count, areOld, _) = hooks()
        let age = areOld ? " of the old configuration: the new one has errors" : ""
        return Self.words(count, "hook") + "\(age); " + Self.words(applications.count, "application")
    }

    /// Sends the assignments together with the status, which needs no separate message.
    private func send(_ assignments: [String], isState: Bool) {
        let status = status
        sent = status
        manager.send(assignments + ["STATUS=\(status)"], isState: isState)
    }

    private static func words(_ count: Int, _ noun: String) -> String {
        count == 0 ? "no \(noun)s" : count.of(noun)
    }
}
