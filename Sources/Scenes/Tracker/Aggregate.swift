/// What the scenes of an application or of one of its groups add up to, and what was told of that last.
struct Aggregate: Sendable {
    struct Name: Hashable, Sendable {
        let application: String
        /// nil for the application itself.
        let group: String?
    }

    let name: Name
    /// What was told last; nil before the first time.
    private(set) var phase: ScenePhase?
    /// When it came into that phase.
    private(set) var since = Duration.zero
    /// Its processes when it was told last, ascending.
    private(set) var toldPids: [Int32] = []

    private(set) var counts = Change.Counts()
    /// Its processes, ascending.
    private(set) var pids: [Int32] = []
    /// How many scenes each process has.
    private var scenesOfProcess: [Int32: Int] = [:]

    init(_ name: Name) {
        self.name = name
    }

    /// Whether it adds up to something else than what was told.
    var isNew: Bool { counts.greatest != phase }

    /// Replaces one of its scenes, adds it (`old` nil) or removes it (`new` nil).
    mutating func replace(_ old: SceneReading?, with new: SceneReading?) {
        if let phase = old?.phase { counts.add(phase, -1) }
        if let phase = new?.phase { counts.add(phase) }
        guard old?.pid != new?.pid else { return }
        if let pid = old?.pid { remove(pid) }
        if let pid = new?.pid { add(pid) }
    }

    /// Takes over what has no phase.
    mutating func refresh(_ old: SceneReading, with new: SceneReading) {
        replace(old, with: new)
        toldPids = pids
    }

    /// Takes what it adds up to now as told.
    mutating func tell(at now: Duration) {
        toldPids = pids
        let greatest = counts.greatest
        guard greatest != phase else { return }
        phase = greatest
        since = now
    }

    private mutating func add(_ pid: Int32) {
        let count = scenesOfProcess[pid, default: 0]
        scenesOfProcess[pid] = count + 1
        if count == 0 { pids.insert(pid, at: pids.firstIndex { $0 > pid } ?? pids.endIndex) }
    }

    private mutating func remove(_ pid: Int32) {
        let count = scenesOfProcess[pid, default: 0]
        scenesOfProcess[pid] = count > 1 ? count - 1 : nil
        if count == 1 { pids.removeAll { $0 == pid } }
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
}
