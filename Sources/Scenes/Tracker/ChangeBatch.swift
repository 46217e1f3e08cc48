/// One line to tell, as numbers of the tables it came from.
public struct Delta: Sendable {
    /// nil for a notice.
    public internal(set) var level: Change.Level?
    /// What happened.
    public internal(set) var kind = Change.Kind.phase
    /// The phase before; nil for what was not there.
    public internal(set) var from: ScenePhase?
    /// The phase now; nil for what is gone.
    public internal(set) var to: ScenePhase?
    /// Why it happened.
    public internal(set) var cause = Cause.resync
    /// The index of the scene, the place of the group or application, or the index of the notice.
    var subject: Int32
    /// Nanoseconds in `from`.
    var nanoseconds: Int64?
    /// The names that it is told under.
    var name = GroupName.unknown

    /// How long it was in `from`; nil where there is no `from`.
    public var held: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// This one as it is, or by way of inactive where it leads from active to background or back.
    var steps: [Delta] {
        guard from == .active && to == .background || from == .background && to == .active else { return [self] }
        var (first, second) = (self, self)
        first.to = .inactive
        second.from = .inactive
        second.nanoseconds = 0
        return [first, second]
    }
}

/// What became certain at one time, in its order: scenes before their group, groups before their application.
///
/// An `Event` with its strings is made for each element that is asked for. Who needs little of it asks the deltas. It shares
/// the tables of the watcher, so let it go before the next update, or that has to copy them.
public struct ChangeBatch: RandomAccessCollection, Sendable {
    /// The elements as numbers.
    public internal(set) var deltas: [Delta] = []
    var notices: [Notice] = []
    var table = SceneTable()
    var names: GroupNames?

    /// A batch with nothing in it but notices.
    public init(notices: [Notice] = []) {
        for notice in notices { add(notice) }
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many elements there are.
    public var endIndex: Int { deltas.count }

    /// An element with its strings.
    public subscript(position: Int) -> Event {
        let delta = deltas[position]
        return change(delta).map { .change($0) } ?? .notice(notices[Int(delta.subject)])
    }

    /// A change with its strings; nil for a notice.
    public func change(_ delta: Delta) -> Change? {
        guard let level = delta.level else { return nil }
        let subject: Change.Subject =
            switch level {
            case .scene: .scene(sceneFacts(of: delta))
            case .group: .group(members(of: delta))
            case .application: .application(members(of: delta))
            }
        return Change(
            kind: delta.kind, application: application(of: delta), group: group(of: delta), subject: subject,
            from: delta.from, to: delta.to, cause: delta.cause, held: delta.held)
    }

    /// The notice that a delta without a level stands for.
    public func notice(_ delta: Delta) -> Notice? { delta.level == nil ? notices[Int(delta.subject)] : nil }

    /// The name of the application.
    public func application(of delta: Delta) -> String { names?.application(of: delta.name) ?? "" }

    /// The name of the group; nil for applications.
    public func group(of delta: Delta) -> String? {
        delta.level == .application ? nil : names?.group(of: delta.name)
    }

    /// What only a scene has.
    public func sceneFacts(of delta: Delta) -> Change.SceneFacts {
        let scene = table[delta.subject]
        return Change.SceneFacts(
            id: scene.window, title: table.title(of: delta.subject), pid: scene.pid == 0 ? nil : scene.pid,
            desktop: scene.desktop.map { $0 == WindowFacts.allDesktops ? -1 : Int($0) })
    }

    /// What only a group or an application has.
    public func members(of delta: Delta) -> Change.Members {
        let group = table.groups[delta.subject]
        return Change.Members(
            counts: group.counts, pids: group.counts.all == 0 ? group.toldPids : group.pids, groups: group.groupNames)
    }

    mutating func append(_ more: [Delta], _ table: SceneTable, _ names: GroupNames) {
        if deltas.isEmpty { deltas = more } else { deltas += more }
        self.table = table
        self.names = names
    }

    mutating func add(_ notice: Notice) {
        deltas.append(Delta(level: nil, subject: Int32(notices.count)))
        notices.append(notice)
    }
}
