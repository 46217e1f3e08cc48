import Scenes

/// What was reported last of everything on the display, kept current change by change.
struct Snapshot: Sendable {
    struct Application: Sendable {
        var phase: ScenePhase?
        var groups: Set<String> = []
    }

    /// As changes of the kind `initial`.
    private var scenes: [WindowID: Change] = [:]
    private(set) var applications: [String: Application] = [:]
    private(set) var own: OwnScenes
    /// Everything there is; nil until it is asked for.
    private var everything: [Change]?

    init(pid: Int32) {
        own = OwnScenes(pid: pid)
    }

    /// Takes in changes that were reported at one time, and facts of scenes that no line tells.
    ///
    /// - Returns: The change of this process; nil if there is none.
    mutating func update(_ batch: ChangeBatch, at now: Duration) -> Change? {
        if batch.isEmpty && !batch.hasRefreshed { return nil }
        everything = nil
        for delta in batch.deltas { apply(delta, of: batch) }
        for facts in batch.refreshedFacts { refresh(facts) }
        return own.update(after: batch, at: now)
    }

    /// Makes strings only of what comes: what stays keeps its names.
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
        // A title is one of those that a change tells.
        facts.title = known.title
        scenes[facts.id]?.subject = .scene(facts)
        own.set(facts.id, pid: facts.pid, scenes[facts.id])
    }

    /// What there is of a subject, as it is reported at the start.
    mutating func changes(of selection: Selection) -> [Change] {
        if selection.isOwnProcess { return own.present.map { [$0] } ?? [] }
        let all = everything ?? found()
        everything = all
        return all.filter(selection.matches)
    }

    /// The greatest phase of what a subject names; nil if there is nothing.
    mutating func phase(of selection: Selection) -> ScenePhase? {
        selection.isOwnProcess ? own.phase : changes(of: selection).compactMap(\.to).max()
    }

    /// Scenes in the order of their windows, each group behind its scenes, each application behind its groups, which are in
    /// the order of their first windows.
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

    /// What some scenes add up to.
    fileprivate init(found scenes: [Change], of group: String?) {
        let members = Members(of: scenes)
        self.init(
            kind: .initial, application: scenes[0].application, group: group,
            subject: group == nil ? .application(members) : .group(members), to: members.counts.greatest,
            cause: .start)
    }
}

extension Change.Members {
    /// What some scenes add up to.
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
