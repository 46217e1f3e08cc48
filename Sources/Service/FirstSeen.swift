import Hooks
import PhaseWatch
import System

/// The time at which each window was first seen, and the process that it names.
///
/// Hooks never see a process that is younger than its window: either its pid was reused, or the window names a process
/// that does not own it.
final class FirstSeen {
    private struct Window {
        let moment: Duration
        var pid: Int32?
        var application = ""
        /// The instance name.
        var group: String?
        var isClosed = false
    }

    /// The number of closed windows that are kept for hooks that run later.
    private static let mostClosed = 1024

    private var windows: [WindowID: Window] = [:]
    /// The closed windows, in the order in which they closed.
    private var closed: [WindowID] = []

    /// Records a change. Call it for every change before hooks react to it.
    func record(_ change: Change, at now: Duration = Clock.sinceBoot()) {
        guard let facts = change.scene else { return }
        var window = windows[facts.id] ?? Window(moment: now)
        window.pid = facts.pid
        (window.application, window.group) = (change.application, change.group)
        // With the cause `regroup`, the window has changed its names but still exists.
        let isClosed = change.kind == .closed && change.cause != .regroup
        if window.isClosed { closed.removeAll { $0 == facts.id } }
        window.isClosed = isClosed
        windows[facts.id] = window
        guard isClosed else { return }
        closed.append(facts.id)
        if closed.count > Self.mostClosed { windows[closed.removeFirst()] = nil }
    }

    /// Returns the processes of a job that hooks may see. The session has none.
    func processes(of job: Job) -> HookVariables.Processes {
        job.trigger.change.map(processes) ?? HookVariables.Processes()
    }

    private func processes(of change: Change) -> HookVariables.Processes {
        let pids: [Int32] =
            switch change.subject {
            case .scene(let facts): [facts.pid].compactMap(\.self)
            case .group(let members): members.pids
            // One that has closed has none left.
            case .application(let members):
                members.counts.all == 0 ? survivors(of: change.application).sorted() : members.pids
            }
        return HookVariables.Processes(
            of: pids.compactMap { pid in
                ProcessFacts(pid: pid).flatMap { facts in
                    moment(of: pid).map { facts.isVisible(windowSeen: $0) } ?? false ? facts : nil
                }
            })
    }

    /// Returns the living processes of the closed windows of an application.
    func survivors(of application: String) -> Set<Int32> {
        let closed = windows.values.filter { $0.isClosed && $0.application == application }
        return Set(closed.filter(isAlive).compactMap(\.pid))
    }

    /// The applications without a window of which a process lives: they are closed to the tray, for example.
    var survivingApplications: Set<String> {
        let closed = windows.values.filter { $0.isClosed && isAlive($0) }.map(\.application)
        return Set(closed).subtracting(open.map(\.application))
    }

    /// Returns whether the process of a window lives.
    private func isAlive(_ window: Window) -> Bool {
        window.pid.flatMap(ProcessFacts.init)?.isVisible(windowSeen: window.moment) ?? false
    }

    /// Returns the processes of the open windows of all other applications, with the names of these applications.
    func processes(ofOthersThan application: String) -> [Int32: Set<String>] {
        open.filter { $0.application != application }.reduce(into: [:]) { others, window in
            if let pid = window.pid { others[pid, default: []].insert(window.application) }
        }
    }

    /// Returns the open windows of applications, with the names of these.
    func windows(of applications: Set<String>) -> [UInt32: String] {
        let own = windows.filter { !$0.value.isClosed && applications.contains($0.value.application) }
        return Dictionary(own.map { ($0.key.xid, $0.value.application) }) { $1 }
    }

    /// Returns windows of the X clients of applications, and of processes that are stopped with them, with the names of
    /// these applications. Where an application has no open window, they are closed ones of processes that are still
    /// connected to an X server, and may show an icon in a tray.
    ///
    /// - Parameter holds: The processes that are stopped with each application.
    func clients(of holds: [String: Set<Int32>]) -> [UInt32: String] {
        let own: [(id: UInt32, window: Window, holder: String)] = windows.compactMap { id, window in
            if holds[window.application] != nil { return (id.xid, window, window.application) }
            let holder = window.pid.flatMap { pid in holds.first { $0.value.contains(pid) }?.key }
            return holder.map { (id.xid, window, $0) }
        }
        let seen = Set(own.filter { !$0.window.isClosed }.map(\.window.application))
        let closed = own.filter { !seen.contains($0.window.application) && isAlive($0.window) }
        let displays = closed.isEmpty ? [:] : UnixSocket.displays
        let connected = Set(closed.compactMap(\.window.pid)).filter {
            OpenFiles(of: $0).sockets.contains { displays[$0] != nil }
        }
        let clients = own.filter { _, window, _ in
            !window.isClosed
                || !seen.contains(window.application) && window.pid.map(connected.contains) ?? false
        }
        return Dictionary(clients.map { ($0.id, $0.holder) }) { $1 }
    }

    /// Returns the processes among these that have had windows, with the names of the applications of these.
    func owners(among pids: Set<Int32>) -> [Int32: Set<String>] {
        windows.values.reduce(into: [:]) { owners, window in
            if let pid = window.pid, pids.contains(pid), !window.isClosed || isAlive(window) {
                owners[pid, default: []].insert(window.application)
            }
        }
    }

    /// Returns the instance names of the open windows of an application.
    func instances(of application: String) -> Set<String> {
        Set(open.filter { $0.application == application }.compactMap(\.group))
    }

    private var open: [Window] { windows.values.filter { !$0.isClosed } }

    /// Returns the time at which the first window that names the process was seen. Closed windows count only if no open
    /// one names it.
    private func moment(of pid: Int32) -> Duration? {
        let naming = windows.values.filter { $0.pid == pid }
        return naming.filter { !$0.isClosed }.map(\.moment).min() ?? naming.map(\.moment).min()
    }
}
