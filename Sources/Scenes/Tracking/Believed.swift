/// What is believed of the display: its scenes, and what they add up to.
struct Believed: Sendable {
    struct Scene: Sendable {
        var reading: SceneReading
        /// When it came into its phase.
        var since: Duration
    }

    struct Aggregate: Sendable {
        var phase: ScenePhase
        var since: Duration
    }

    struct Application: Sendable {
        var aggregate: Aggregate
        var groups: [String: Aggregate] = [:]
        var members: Set<WindowID> = []
    }

    private(set) var scenes: [WindowID: Scene] = [:]
    private(set) var applications: [String: Application] = [:]

    var hasActiveScene: Bool { applications.values.contains { $0.aggregate.phase == .active } }

    /// Takes over what has no phase: titles and their like need not settle.
    mutating func refresh(_ reading: SceneReading) {
        guard let known = scenes[reading.id]?.reading, known != reading else { return }
        var fresh = reading
        fresh.core = known.core
        scenes[reading.id]?.reading = fresh
    }

    /// Replaces a scene, adds it (`from` nil) or removes it (`to` nil), without a look at the aggregates.
    mutating func replace(_ id: WindowID, with reading: SceneReading?, at now: Duration) {
        let known = scenes[id]
        if let known, known.reading.application != reading?.application {
            applications[known.reading.application]?.members.remove(id)
        }
        guard let reading else {
            scenes[id] = nil
            return
        }
        let isSamePhase = known?.reading.phase == reading.phase
        scenes[id] = Scene(reading: reading, since: isSamePhase ? known?.since ?? now : now)
        applications[
            reading.application, default: Application(aggregate: Aggregate(phase: .background, since: now))
        ].members.insert(id)
    }

    /// Adds up the scenes of one application again, and drops it when none is left.
    mutating func addUp(_ name: String, at now: Duration) {
        guard var application = applications[name] else { return }
        var phases: [String: ScenePhase] = [:]
        for reading in application.members.compactMap({ scenes[$0]?.reading }) {
            phases[reading.group] = max(phases[reading.group] ?? .background, reading.phase)
        }
        guard let phase = phases.values.max() else {
            applications[name] = nil
            return
        }
        application.aggregate.move(to: phase, at: now)
        application.groups = application.groups.filter { phases[$0.key] != nil }
        for (group, phase) in phases {
            application.groups[group, default: Aggregate(phase: phase, since: now)].move(to: phase, at: now)
        }
        applications[name] = application
    }

    /// What the lines about a group, or with `group` nil about an application, tell of its scenes.
    func members(of name: String, group: String? = nil) -> Change.Members {
        var counts = Change.Counts()
        var pids: Set<Int32> = []
        var groups: Set<String> = []
        for reading in applications[name]?.members.compactMap({ scenes[$0]?.reading }) ?? []
        where group == nil || reading.group == group {
            counts.add(reading.phase)
            groups.insert(reading.group)
            if let pid = reading.pid { pids.insert(pid) }
        }
        return Change.Members(counts: counts, pids: pids.sorted(), groups: groups.sorted())
    }

    /// What an application or group would add up to without some of its scenes; nil if none were left.
    func phase(of name: String, without gone: Set<WindowID>) -> ScenePhase? {
        applications[name]?.members.subtracting(gone).compactMap { scenes[$0]?.reading.phase }.max()
    }
}

extension Believed.Aggregate {
    mutating func move(to phase: ScenePhase, at now: Duration) {
        guard phase != self.phase else { return }
        self.phase = phase
        since = now
    }
}
