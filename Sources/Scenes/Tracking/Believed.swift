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
        /// What there is in each group, also in those that have not been added up yet.
        var tallies: [String: Tally] = [:]
    }

    private(set) var scenes: [WindowID: Scene] = [:]
    private(set) var applications: [String: Application] = [:]

    var hasActiveScene: Bool { applications.values.contains { $0.aggregate.phase == .active } }

    /// Takes over what has no phase: titles and their like need not settle.
    mutating func refresh(_ reading: SceneReading) {
        guard let known = scenes[reading.id]?.reading, known != reading else { return }
        var fresh = reading
        fresh.core = known.core
        count(known, by: -1)
        count(fresh, by: 1)
        scenes[reading.id]?.reading = fresh
    }

    /// Replaces a scene, adds it (`from` nil) or removes it (`to` nil), without a look at the aggregates.
    mutating func replace(_ id: WindowID, with reading: SceneReading?, at now: Duration) {
        let known = scenes[id]
        if let known { count(known.reading, by: -1) }
        guard let reading else {
            scenes[id] = nil
            return
        }
        let isSamePhase = known?.reading.phase == reading.phase
        scenes[id] = Scene(reading: reading, since: isSamePhase ? known?.since ?? now : now)
        if applications[reading.application] == nil {
            let start = Aggregate(phase: .background, since: now)
            applications[reading.application] = Application(aggregate: start)
        }
        count(reading, by: 1)
    }

    private mutating func count(_ reading: SceneReading, by step: Int) {
        applications[reading.application]?.tallies[reading.group, default: Tally()].count(reading, by: step)
    }

    /// Adds up the scenes of one application again, and drops it when none is left.
    mutating func addUp(_ name: String, at now: Duration) {
        guard var application = applications[name] else { return }
        application.tallies = application.tallies.filter { $0.value.counts.all > 0 }
        let phases = application.tallies.compactMapValues(\.counts.greatest)
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
        var all = Tally()
        var groups: [String] = []
        for (name, tally) in applications[name]?.tallies ?? [:]
        where (group == nil || name == group) && tally.counts.all > 0 {
            all.add(tally)
            groups.append(name)
        }
        return Change.Members(counts: all.counts, pids: all.pids.keys.sorted(), groups: groups.sorted())
    }

    /// What an application or group would add up to without some of its scenes; nil if none were left.
    func phase(of name: String, without gone: Set<WindowID>) -> ScenePhase? {
        var counts = Change.Counts()
        for tally in applications[name]?.tallies.values ?? [:].values { counts.add(tally.counts) }
        for reading in gone.compactMap({ scenes[$0]?.reading }) where reading.application == name {
            counts.add(reading.phase, -1)
        }
        return counts.greatest
    }
}

/// How many scenes of a group are in which phase, and in which processes.
struct Tally: Sendable {
    private(set) var counts = Change.Counts()
    /// The processes, each with the number of its scenes.
    private(set) var pids: [Int32: Int] = [:]

    mutating func count(_ reading: SceneReading, by step: Int) {
        counts.add(reading.phase, step)
        guard let pid = reading.pid else { return }
        let count = pids[pid, default: 0] + step
        pids[pid] = count == 0 ? nil : count
    }

    mutating func add(_ other: Tally) {
        counts.add(other.counts)
        if pids.isEmpty {
            pids = other.pids
        } else {
            pids.merge(other.pids, uniquingKeysWith: +)
        }
    }
}

extension Change.Counts {
    /// The greatest phase that any scene has; nil if there are none.
    var greatest: ScenePhase? {
        active > 0 ? .active : inactive > 0 ? .inactive : background > 0 ? .background : nil
    }

    package mutating func add(_ phase: ScenePhase, _ count: Int = 1) {
        switch phase {
        case .active: active += count
        case .inactive: inactive += count
        case .background: background += count
        }
    }

    mutating func add(_ other: Change.Counts) {
        active += other.active
        inactive += other.inactive
        background += other.background
    }
}

extension Believed.Aggregate {
    mutating func move(to phase: ScenePhase, at now: Duration) {
        guard phase != self.phase else { return }
        self.phase = phase
        since = now
    }
}
