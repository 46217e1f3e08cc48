/// The application of the scene with the focus, and the processes of the scenes of a desktop.
package struct ActiveApplication: Hashable, Sendable {
    package let name: String
    /// The processes of its scenes, ascending.
    package let pids: [Int32]
    /// The processes of the scenes of other applications, with the names of these.
    package let others: [Int32: Set<String>]
}

extension Rule {
    /// The application with the focus, under any policy; nil if no scene has it.
    package var activeApplication: ActiveApplication? {
        let windows = desktop.windows
        guard let slot = focusedScene.flatMap(windows.slot(of:)) else { return nil }
        let name = windows.groups[slot].application
        var pids: Set<Int32> = []
        var others: [Int32: Set<String>] = [:]
        for slot in windows.usedSlots {
            let window = windows.facts[slot]
            guard let pid = window.pid, desktop.isScene(window) else { continue }
            let owner = windows.groups[slot].application
            if owner == name { pids.insert(pid) } else { others[pid, default: []].insert(owner) }
        }
        return ActiveApplication(name: name, pids: pids.sorted(), others: others)
    }
}
