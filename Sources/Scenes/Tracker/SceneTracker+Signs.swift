/// What says, before it has settled, that an application in the background may be wanted.
extension SceneTracker {
    /// The applications in the background of which a window was read as visible since the last call.
    package mutating func takeSigns() -> Set<String> {
        defer { signs = [] }
        return signs
    }

    /// Notes them among the scenes that are read differently, or among all of them if the session gives the phases back.
    mutating func noteSigns(_ names: GroupNames) {
        let cap = session.read.cap
        for scene in cap > table.cap ? Array(table.indices) : changed {
            guard let phase = table[scene].read.phase, min(phase, cap) > .background,
                (table[scene].toldPhase ?? .background) == .background
            else { continue }
            signs.insert(names.application(of: table[scene].read.group))
        }
    }
}
