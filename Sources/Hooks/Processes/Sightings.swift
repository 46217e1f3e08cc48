import Loop
import PhaseWatch

/// When each window was first seen and which process it names, so that hooks are not told of a process that
/// is younger: one that has got the number since, or one that the window has no part in.
struct Sightings {
    private struct Sighting {
        let moment: Duration
        var pid: Int32?
        var isClosed = false
    }

    /// How many closed windows are remembered, for hooks whose turn comes later.
    private static let mostClosed = 1024

    private var sightings: [WindowID: Sighting] = [:]
    private var closed: [WindowID] = []

    /// To be called with every change, before it is reacted to.
    mutating func note(_ change: Change, at now: Duration = Clock.sinceBoot()) {
        guard case .scene(let facts) = change.subject else { return }
        var sighting = sightings[facts.id] ?? Sighting(moment: now)
        sighting.pid = facts.pid
        // With that cause it lives on under other names.
        let isClosed = change.kind == .closed && change.cause != .regroup
        if sighting.isClosed { closed.removeAll { $0 == facts.id } }
        sighting.isClosed = isClosed
        sightings[facts.id] = sighting
        guard isClosed else { return }
        closed.append(facts.id)
        if closed.count > Self.mostClosed { sightings[closed.removeFirst()] = nil }
    }

    /// The processes that a change may tell of.
    func processes(of change: Change) -> HookVariables.Processes {
        let pids: [Int32] =
            switch change.subject {
            case .scene(let facts): [facts.pid].compactMap(\.self)
            case .group(let members), .application(let members): members.pids
            }
        return HookVariables.Processes(
            of: pids.compactMap { pid in
                ProcessFacts(pid: pid).flatMap { facts in
                    moment(of: pid).map { facts.mayBeTold(windowSeen: $0) } ?? false ? facts : nil
                }
            })
    }

    /// When the first of the windows that name it was seen; of closed ones only where there is no other.
    private func moment(of pid: Int32) -> Duration? {
        let naming = sightings.values.filter { $0.pid == pid }
        return naming.filter { !$0.isClosed }.map(\.moment).min() ?? naming.map(\.moment).min()
    }
}
