/// Pending changes that settle together because one user action caused them.
struct Action {
    var scenes: [Int32] = []
    var due: Int64 = 0
    private var firstSign = Int64.max
    private var lastChange = Int64.min
    private var isFocusOnly = false
    private var rises = false
    private var isSilent = true

    mutating func add(_ scene: Int32, in table: SceneTable) {
        guard let change = table[scene].pending else { return }
        scenes.append(scene)
        firstSign = min(firstSign, change.firstSign)
        lastChange = max(lastChange, change.changed)
        isFocusOnly = isFocusOnly || change.isFocusOnly
        rises = rises || change.read.phase == .active
        isSilent = isSilent && table[scene].reported.staysHidden(in: change.read)
    }

    mutating func add(_ other: Action) {
        scenes += other.scenes
        firstSign = min(firstSign, other.firstSign)
        lastChange = max(lastChange, other.lastChange)
        isFocusOnly = isFocusOnly || other.isFocusOnly
        rises = rises || other.rises
        isSilent = isSilent && other.isSilent
    }

    mutating func setDue(_ delays: Delays, awaitsFocus: Bool, isUnfinished: Bool) {
        let latest = firstSign + delays.latest
        // The focus was lost, and no window has taken it yet.
        let isBlur = isFocusOnly && !rises
        // While a window is being restored, it may be hidden for several reasons in turn, of which the first one
        // counts: openbox moves an iconified window in from below the screen.
        let waits = isSilent || isUnfinished || (awaitsFocus && isBlur)
        due = waits ? latest : min(lastChange + delays.settle, latest)
    }
}

extension Settler {
    /// Groups the pending changes into actions and determines when each is due.
    ///
    /// All scenes that gain or lose the focus form one action, so a rising window waits for the one that it replaces.
    /// All scenes of one application form one action, so the application does not leave its phase for a moment.
    func actions(in table: SceneTable, _ windows: WindowTable, awaitsFocus: Bool) -> [Action] {
        var conclusive = Action()
        var focus: [Int32] = []
        var others: [Int32] = []
        for scene in pending {
            if table[scene].pending?.isConclusive == true {
                conclusive.add(scene, in: table)
            } else if couplesFocus && table.movesFocus(scene) {
                focus.append(scene)
            } else {
                others.append(scene)
            }
        }
        var actions = conclusive.scenes.isEmpty ? [] : [conclusive]
        var clusters = Clusters(table, windows.names)
        if let due = dueAsFocusMove(focus, in: table) {
            var move = Action()
            for scene in focus { move.add(scene, in: table) }
            move.due = due
            actions.append(move)
        } else {
            clusters.add(focus)
        }
        for scene in others { clusters.add([scene]) }
        let rest = clusters.actions.filter { !$0.scenes.isEmpty }.map { action in
            var action = action
            let isUnfinished = action.scenes.contains { table.opensUnfinished($0, windows) }
            action.setDue(delays, awaitsFocus: awaitsFocus, isUnfinished: isUnfinished)
            return action
        }
        return actions + batched(rest)
    }

    /// Merges actions that are due at nearly the same time. One action of the user may cause several, a few
    /// milliseconds apart, and their changes can be ordered only together.
    private func batched(_ actions: [Action]) -> [Action] {
        var batches: [Action] = []
        var first: Int64 = 0
        for action in actions.sorted(by: { $0.due < $1.due }) {
            if let last = batches.last, action.due <= first + delays.batch {
                batches[batches.count - 1].add(action)
                batches[batches.count - 1].due = max(last.due, action.due)
            } else {
                first = action.due
                batches.append(action)
            }
        }
        return batches
    }
}

/// Merges the actions of related applications.
private struct Clusters {
    /// The actions. An action that was merged into another one is empty.
    private(set) var actions: [Action] = []
    /// For each application that a change leaves or enters, the index of its action when it was last looked up.
    private var indices: [GroupName: Int] = [:]
    /// The index of the action that each action was merged into; its own index if it was not merged.
    private var moves: [Int] = []
    private let table: SceneTable
    private let names: GroupNames

    init(_ table: SceneTable, _ names: GroupNames) {
        self.table = table
        self.names = names
    }

    /// Adds changes that belong together. Merges the actions of all their applications.
    mutating func add(_ scenes: [Int32]) {
        if scenes.isEmpty { return }
        let applications = scenes.flatMap { table.applications(of: $0, names) }
        var index: Int?
        for name in applications {
            guard let known = indices[name].map(place) else { continue }
            if let index, index != known {
                actions[index].add(actions[known])
                actions[known] = Action()
                moves[known] = index
            } else {
                index = known
            }
        }
        let target = index ?? actions.count
        if target == actions.count {
            actions.append(Action())
            moves.append(target)
        }
        for name in applications { indices[name] = target }
        for scene in scenes { actions[target].add(scene, in: table) }
    }

    private func place(of index: Int) -> Int {
        var place = index
        while moves[place] != place { place = moves[place] }
        return place
    }
}

extension SceneTable {
    fileprivate func movesFocus(_ scene: Int32) -> Bool {
        self[scene].reported.phase == .active || self[scene].pending?.read.phase == .active
    }

    /// Returns whether a scene opens in a temporary state. For up to 0.4 s, the class of a LibreOffice window is
    /// Soffice, until LibreOffice knows the contents. In GNOME Shell's overview, a window is listed up to 0.4 s before
    /// it is mapped, with the state Normal; a window that starts iconic does not have this state.
    fileprivate func opensUnfinished(_ scene: Int32, _ windows: WindowTable) -> Bool {
        guard self[scene].reported.phase == nil, let read = self[scene].pending?.read, read.phase != nil
        else {
            return false
        }
        return windows.names.application(of: read.group) == "Soffice"
            || read.hiding == .unmapped && windows.facts[Int(self[scene].slot)].state == .normal
    }

    /// Returns the reported and the current application of a scene.
    fileprivate func applications(of scene: Int32, _ names: GroupNames) -> [GroupName] {
        [self[scene].reported, self[scene].read].filter { $0.phase != nil }.map {
            names.applicationName(of: $0.group)
        }
    }
}
