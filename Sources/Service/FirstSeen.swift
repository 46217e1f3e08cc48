import Hooks
import PhaseWatch
import System

/// The time at which each window was first seen, and the process that it names.
///
/// Hooks never see a process that is younger than its window: either its pid was reused, or the window names a process
/// that does not own it.
struct FirstSeen {
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
    mutating func record(_ change: Change, at now: Duration = Clock.sinceBoot()) {
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

    /// Returns the processes of a change that hooks may see.
    func processes(of change: Change) -> HookVariables.Processes {
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
        return Set(
            closed.compactMap { window in
                window.pid.flatMap { ProcessFacts(pid: $0) }
                    .flatMap { $0.isVisible(windowSeen: window.moment) ? window.pid : nil }
            })
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

    /// Returns windows of the X clients of applications: the open ones, or else closed ones of processes that are still
    /// connected to an X server, and may show an icon in a tray.
    func clients(of applications: Set<String>) -> [UInt32: String] {
        let open = windows(of: applications)
        let closed = applications.subtracting(open.values)
        let connections = Set(
            closed.isEmpty
                ? []
                : UnixSocket.all.filter { $0.name.contains("/.X11-unix/X") && !$0.isListening }.map(\.peer))
        let living = Set(closed.flatMap(survivors)).filter {
            !connections.isDisjoint(with: OpenFiles(of: $0).sockets)
        }
        let left = windows.filter { _, window in
            closed.contains(window.application) && window.pid.map(living.contains) ?? false
        }
        return open.merging(left.map { ($0.key.xid, $0.value.application) }) { $1 }
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
