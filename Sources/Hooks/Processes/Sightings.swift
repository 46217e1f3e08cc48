import PhaseWatch
import Scenes

/// When the windows of each process were first seen, so that hooks are not told of another process that has got
/// its number since.
struct Sightings {
    private struct Sighting {
        var moment: Duration
        var scenes: Set<WindowID>
    }

    private var sightings: [Int32: Sighting] = [:]

    /// To be called with every change, before it is reacted to.
    mutating func note(_ change: Change, at now: Duration = Boot.elapsed()) {
        guard case .scene(let facts) = change.subject, let pid = facts.pid, change.kind != .closed else {
            return
        }
        sightings[pid, default: Sighting(moment: now, scenes: [])].scenes.insert(facts.id)
    }

    /// To be called with every change, after it was reacted to.
    mutating func forget(_ change: Change) {
        guard case .scene(let facts) = change.subject, let pid = facts.pid, change.kind == .closed else {
            return
        }
        sightings[pid]?.scenes.remove(facts.id)
        if sightings[pid]?.scenes.isEmpty ?? false { sightings[pid] = nil }
    }

    /// The processes that a change may tell of.
    func processes(of change: Change, at now: Duration = Boot.elapsed()) -> HookVariables.Processes {
        let pids: [Int32] =
            switch change.subject {
            case .scene(let facts): [facts.pid].compactMap(\.self)
            case .group(let members), .application(let members): members.pids
            }
        return HookVariables.Processes(
            of: pids.compactMap { pid in
                ProcessFacts(pid: pid).flatMap {
                    $0.mayBeTold(windowSeen: sightings[pid]?.moment ?? now) ? $0 : nil
                }
            })
    }
}
