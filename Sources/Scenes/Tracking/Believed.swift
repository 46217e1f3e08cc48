/// What is believed of the display: its scenes, and what they add up to.
struct Believed: Sendable {
    struct Scene: Sendable {
        var reading: SceneReading
        /// When it came into its phase.
        var since: Duration
    }

    struct Application: Sendable {
        var whole = Aggregate()
        private(set) var groups: [String: Aggregate] = [:]
        /// The names of the groups, ascending.
        private(set) var groupNames: [String] = []

        fileprivate mutating func replace(_ old: SceneReading?, with new: SceneReading?) {
            whole.replace(old, with: new)
            if let old, let new, old.group == new.group {
                groups[old.group]?.replace(old, with: new)
                return
            }
            if let old { groups[old.group]?.replace(old, with: nil) }
            guard let new else { return }
            if groups[new.group] == nil { groupNames.insert(ascending: new.group) }
            groups[new.group, default: Aggregate()].replace(nil, with: new)
        }

        fileprivate mutating func refresh(_ old: SceneReading, with new: SceneReading) {
            whole.refresh(old, with: new)
            groups[old.group]?.refresh(old, with: new)
        }

        fileprivate mutating func tell(group: String, at now: Duration) {
            whole.tell(at: now)
            groups[group]?.tell(at: now)
            guard groups[group]?.phase == nil else { return }
            groups[group] = nil
            groupNames.removeAll { $0 == group }
        }
    }

    private(set) var scenes: [WindowID: Scene] = [:]
    private(set) var applications: [String: Application] = [:]

    var hasActiveScene: Bool { applications.values.contains { $0.whole.phase == .active } }

    /// Takes over what has no phase: titles and their like need not settle.
    mutating func refresh(_ reading: SceneReading) {
        guard let known = scenes[reading.id]?.reading else { return }
        var fresh = reading
        fresh.core = known.core
        guard known != fresh else { return }
        scenes[reading.id]?.reading = fresh
        if known.pid != fresh.pid { applications[known.application]?.refresh(known, with: fresh) }
    }

    /// Replaces a scene, adds it (`from` nil) or removes it (`to` nil). What this adds up to is not told yet.
    mutating func replace(_ id: WindowID, with reading: SceneReading?, at now: Duration) {
        let known = scenes[id]
        if let reading {
            let isSamePhase = known?.reading.phase == reading.phase
            scenes[id] = Scene(reading: reading, since: isSamePhase ? known?.since ?? now : now)
        } else {
            scenes[id] = nil
        }
        if let old = known?.reading, let reading, old.application == reading.application {
            applications[old.application]?.replace(old, with: reading)
            return
        }
        if let old = known?.reading { applications[old.application]?.replace(old, with: nil) }
        if let reading {
            applications[reading.application, default: Application()].replace(nil, with: reading)
        }
    }

    /// Takes what a group and its application add up to as told; without scenes they are gone.
    mutating func tell(_ name: String, _ group: String, at now: Duration) {
        applications[name]?.tell(group: group, at: now)
        if applications[name]?.groups.isEmpty == true { applications[name] = nil }
    }

    /// What an application would add up to without some of its scenes; nil if none were left.
    func phase(of name: String, without gone: Set<WindowID>) -> ScenePhase? {
        var counts = applications[name]?.whole.counts ?? Change.Counts()
        for reading in gone.compactMap({ scenes[$0]?.reading }) where reading.application == name {
            counts.add(reading.phase, -1)
        }
        return counts.greatest
    }
}

extension [String] {
    fileprivate mutating func insert(ascending name: String) {
        insert(name, at: firstIndex { $0 > name } ?? endIndex)
    }
}
