import Scenes

/// The last reported state of everything on the display, updated with each change.
struct Snapshot: Sendable {
    struct Application: Sendable {
        var phase: ScenePhase?
        var groups: Set<String> = []
    }

    /// As changes of the kind `initial`.
    private var scenes: [WindowID: Change] = [:]
    private(set) var applications: [String: Application] = [:]
    private(set) var own: OwnScenes
    /// The cached result of `found()`; nil until it is requested.
    private var everything: [Change]?

    init(pid: Int32) {
        own = OwnScenes(pid: pid)
    }

    /// Applies changes that were reported together, and new facts of scenes that are not reported as changes.
    ///
    /// - Returns: The change of this process; nil if there is none.
    mutating func update(_ batch: ChangeBatch, at now: Duration) -> Change? {
        if batch.isEmpty && !batch.hasRefreshed { return nil }
        everything = nil
        for delta in batch.deltas { apply(delta, of: batch) }
        for facts in batch.refreshedFacts { refresh(facts) }
        return own.update(after: batch, at: now)
    }

    /// Makes strings only for new subjects: known ones keep their names.
    private mutating func apply(_ delta: Delta, of batch: ChangeBatch) {
        switch delta.level {
        case .scene:
            guard let facts = batch.scene(of: delta) else { return }
            if let phase = delta.to, delta.from != nil, let index = scenes.index(forKey: facts.id) {
                scenes.values[index].to = phase
                scenes.values[index].subject = .scene(facts)
            } else {
                scenes[facts.id] = delta.to.flatMap { batch.change(delta)?.asFound($0) }
            }
            own.set(facts.id, pid: delta.to == nil ? nil : facts.pid, scenes[facts.id])
        case .group:
            if delta.from != nil && delta.to != nil { return }
            let group = batch.group(of: delta) ?? ""
            set(group, of: batch.application(of: delta), isThere: delta.to != nil)
        case .application:
            let application = batch.application(of: delta)
            applications[application, default: Application()].phase = delta.to
            if delta.to == nil { applications[application] = nil }
        case nil: break
        }
    }

    private mutating func set(_ group: String, of application: String, isThere: Bool) {
        if isThere {
            applications[application, default: Application()].groups.insert(group)
        } else {
            applications[application]?.groups.remove(group)
        }
    }

    private mutating func refresh(_ facts: Change.SceneFacts) {
        guard let known = scenes[facts.id]?.scene else { return }
        var facts = facts
        // A title is only updated by a reported change.
        facts.title = known.title
        scenes[facts.id]?.subject = .scene(facts)
        own.set(facts.id, pid: facts.pid, scenes[facts.id])
    }

    /// Returns the present state of a subject as changes of the kind `initial`.
    mutating func changes(of selection: Selection) -> [Change] {
        if selection.isOwnProcess { return own.present.map { [$0] } ?? [] }
        let all = everything ?? found()
        everything = all
        return all.filter(selection.matches)
    }

    /// Returns the scenes of everything that a subject names, in the order of their windows.
    func scenes(of selection: Selection) -> [Change] {
        scenes.filter { belongs($0.value, to: selection) }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns whether a window is a scene of what a subject names.
    func isScene(_ id: WindowID, of selection: Selection) -> Bool {
        scenes[id].map { belongs($0, to: selection) } ?? false
    }

    private func belongs(_ scene: Change, to selection: Selection) -> Bool {
        selection.matchesScene(scene, groups: applications[scene.application]?.groups ?? [])
    }

    /// Returns the greatest phase of everything that a subject names; nil if nothing matches.
    mutating func phase(of selection: Selection) -> ScenePhase? {
        selection.isOwnProcess ? own.phase : changes(of: selection).compactMap(\.to).max()
    }

    /// Returns scenes in the order of their windows, each group after its scenes, each application after its groups.
    /// Groups are in the order of their first windows.
    private func found() -> [Change] {
        var sections: [[Change]] = []
        var places: [String: Int] = [:]
        for change in scenes.sorted(by: { $0.key < $1.key }).map(\.value) {
            let place = places[change.application] ?? sections.count
            if place == sections.count { sections.append([]) }
            places[change.application] = place
            sections[place].append(change)
        }
        return sections.flatMap { section in
            var groups: [[Change]] = []
            for scene in section {
                let index = groups.firstIndex { $0[0].group == scene.group } ?? groups.count
                if index == groups.count { groups.append([]) }
                groups[index].append(scene)
            }
            let lines = groups.flatMap { $0 + [Change(found: $0, of: $0[0].group)] }
            return lines + [Change(found: section, of: nil)]
        }
    }
}

extension Change {
    fileprivate func asFound(_ phase: ScenePhase) -> Change {
        var change = self
        (change.kind, change.from, change.to, change.cause, change.held) = (.initial, nil, phase, .start, nil)
        return change
    }

    /// Combines scenes into a change of their group, or of their application if `group` is nil.
    fileprivate init(found scenes: [Change], of group: String?) {
        let members = Members(of: scenes)
        self.init(
            kind: .initial, application: scenes[0].application, group: group,
            subject: group == nil ? .application(members) : .group(members), to: members.counts.greatest,
            cause: .start)
    }
}

extension Change.Members {
    /// Combines the facts of scenes.
    init(of scenes: some Sequence<Change>) {
        self.init(counts: .init(), pids: [], groups: Set(scenes.compactMap(\.group)).sorted())
        var (pids, desktops, processes): (Set<Int32>, Set<Int>, Set<String>) = ([], [], [])
        for scene in scenes {
            if let phase = scene.to { counts.add(phase) }
            guard let facts = scene.scene else { continue }
            if let pid = facts.pid { pids.insert(pid) }
            if let desktop = facts.desktop { desktops.insert(desktop) }
            if let process = facts.process { processes.insert(process) }
        }
        (self.pids, self.desktops, self.processes) = (pids.sorted(), desktops.sorted(), processes.sorted())
    }
}
