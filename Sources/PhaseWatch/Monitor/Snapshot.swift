import Scenes

/// The last reported state of everything on the display, updated with each change.
struct Snapshot: Sendable {
    /// The result of an update.
    struct Update: Sendable {
        /// The changes of this process and its groups.
        var own: [Change] = []
        /// The scenes that appeared, changed or went, and those of applications whose groups changed.
        var scenes: Set<WindowID> = []
    }

    /// As changes of the kind `initial`.
    private(set) var scenes: [WindowID: Change] = [:]
    /// The instance names of each application.
    private var groups: [String: Set<String>] = [:]
    private var own = OwnScenes()
    /// The cached result of `found()`; nil until it is requested.
    private var everything: [Change]?

    /// Applies changes that were reported together, and new facts of scenes that are not reported as changes.
    mutating func update(_ changes: [Change], at now: Duration) -> Update {
        everything = nil
        var update = Update()
        var regrouped: Set<String> = []
        for change in changes { apply(change, &update, &regrouped) }
        // A pattern for the names of groups selects all scenes of an application.
        if !regrouped.isEmpty {
            update.scenes.formUnion(
                scenes.lazy.filter { regrouped.contains($0.value.application) }.map(\.key))
        }
        update.own = own.update(after: changes, at: now)
        return update
    }

    /// - Parameter regrouped: Receives the applications that gain or lose a group.
    private mutating func apply(_ change: Change, _ update: inout Update, _ regrouped: inout Set<String>) {
        switch change.subject {
        case .scene(var facts):
            // A title is only updated by a reported change.
            if change.kind == .facts { facts.title = scenes[facts.id]?.scene?.title }
            scenes[facts.id] = change.to.map { change.asFound($0, facts) }
            own.set(facts.id, scenes[facts.id])
            update.scenes.insert(facts.id)
        case .group:
            guard change.from == nil || change.to == nil, let group = change.group else { return }
            if change.to == nil {
                groups[change.application]?.remove(group)
            } else {
                groups[change.application, default: []].insert(group)
            }
            regrouped.insert(change.application)
        case .application: if change.to == nil { groups[change.application] = nil }
        }
    }

    /// Returns the present state of a subject as changes of the kind `initial`.
    mutating func changes(of selection: Selection) -> [Change] {
        let all = everything ?? found()
        everything = all
        return all.filter { selection.matches($0) }
    }

    /// Returns the present state of this process and its groups, as far as a subject names them.
    func ownChanges(of selection: Selection) -> [Change] {
        own.present.filter { selection.matches($0, isOwn: true) }
    }

    /// Returns the scenes of everything that a subject names, in the order of their windows.
    func scenes(of selection: Selection) -> [Change] {
        scenes.keys.sorted().compactMap { scene($0, of: selection) }
    }

    /// Returns a scene; nil if it is gone, or not one of what a subject names.
    func scene(_ id: WindowID, of selection: Selection) -> Change? {
        scenes[id].flatMap { scene in
            selection.matchesScene(scene, groups: groups[scene.application] ?? []) ? scene : nil
        }
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
    fileprivate func asFound(_ phase: ScenePhase, _ facts: SceneFacts) -> Change {
        var change = self
        change.subject = .scene(facts)
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
        self.init(
            of: scenes.compactMap(\.scene), phases: scenes.compactMap(\.to),
            groups: scenes.compactMap(\.group))
    }
}
