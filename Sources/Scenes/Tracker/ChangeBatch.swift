/// One change or notice, as indices into the tables of its batch.
public struct Delta: Sendable {
    /// The level; nil for a notice.
    public internal(set) var level: Change.Level?
    /// The kind of the change.
    public internal(set) var kind = Change.Kind.phase
    /// The phase before; nil if the subject did not exist.
    public internal(set) var from: ScenePhase?
    /// The phase now; nil if the subject is gone.
    public internal(set) var to: ScenePhase?
    /// The cause of the change.
    public internal(set) var cause = Cause.resync
    /// The index of the scene, the place of the group or application, or the index of the notice.
    var subject: Int32
    /// Nanoseconds in `from`.
    var nanoseconds: Int64?
    /// The names under which the change is reported.
    var name = GroupName.unknown

    /// The time spent in `from`; nil without `from`.
    public var held: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The time spent in `from`, in whole milliseconds.
    public var heldMilliseconds: Int64? { nanoseconds.map { $0 / 1_000_000 } }

    /// This change, or two changes through inactive if it leads from active to background or back.
    var steps: [Delta] {
        guard from == .active && to == .background || from == .background && to == .active else {
            return [self]
        }
        var (first, second) = (self, self)
        first.to = .inactive
        second.from = .inactive
        second.nanoseconds = 0
        return [first, second]
    }
}

/// The changes and notices of one update, in order: scenes before their group, groups before their application.
///
/// Reading an element creates an `Event` with strings; `deltas` avoids this. The batch shares the tables of the
/// watcher. Release it before the next update, which otherwise has to copy them.
public struct ChangeBatch: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
    /// The elements, without strings.
    public private(set) var deltas: [Delta] = []
    private var notices: [Notice] = []
    private var scenes: [Scene] = []
    private var texts: [SceneText] = []
    private var groups: [Group] = []
    /// nil while the batch contains only notices.
    private var names: GroupNames?
    private var refreshedScenes: [Int32] = []

    /// Creates a batch of existing events: custom notices, or changes for tests.
    public init(_ events: [Event] = []) {
        for event in events {
            switch event {
            case .notice(let notice): add(notice)
            case .change(let change): add(change)
            }
        }
    }

    public init(arrayLiteral events: Event...) {
        self.init(events)
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { deltas.count }

    /// Returns an element, with its strings.
    public subscript(position: Int) -> Event { event(deltas[position]) }

    /// Returns the element of a delta, with its strings.
    public func event(_ delta: Delta) -> Event {
        change(delta).map { .change($0) } ?? .notice(notices[Int(delta.subject)])
    }

    /// Returns the change of a delta, with its strings; nil for a notice.
    public func change(_ delta: Delta) -> Change? {
        guard let subject = subject(of: delta) else { return nil }
        return Change(
            kind: delta.kind, application: application(of: delta), group: group(of: delta), subject: subject,
            from: delta.from, to: delta.to, cause: delta.cause, held: delta.held)
    }

    /// Returns the notice of a delta; nil for a change.
    public func notice(_ delta: Delta) -> Notice? { delta.level == nil ? notices[Int(delta.subject)] : nil }

    /// Returns the name of the application of a delta.
    public func application(of delta: Delta) -> String { names?.application(of: delta.name) ?? "" }

    /// Returns the name of the group of a delta; nil for applications.
    public func group(of delta: Delta) -> String? {
        delta.level == .application ? nil : names?.group(of: delta.name)
    }

    /// Returns the scene, group or application of a delta; nil for a notice.
    public func subject(of delta: Delta) -> Change.Subject? {
        switch delta.level {
        case .scene: .scene(sceneFacts(of: delta.subject))
        case .group: .group(members(of: delta.subject))
        case .application: .application(members(of: delta.subject))
        case nil: nil
        }
    }

    /// Returns the window of a scene; nil for any other delta.
    public func sceneID(of delta: Delta) -> WindowID? {
        delta.level == .scene ? scenes[Int(delta.subject)].window : nil
    }

    /// Returns when a scene was last active, in nanoseconds as in the tracker; 0 for never.
    package func lastActive(_ scene: Delta) -> Int64 { scenes[Int(scene.subject)].lastActive }

    /// Returns the facts of a scene; nil for any other delta.
    public func scene(of delta: Delta) -> Change.SceneFacts? {
        delta.level == .scene ? sceneFacts(of: delta.subject) : nil
    }

    /// Returns the number of scenes in each phase, for a group or an application.
    public func counts(of delta: Delta) -> Change.Counts { groups[Int(delta.subject)].counts }

    /// Returns the processes of a group or an application, ascending.
    public func pids(of delta: Delta) -> [Int32] { pids(of: groups[Int(delta.subject)]) }

    /// Returns the processes of a group. A closed group keeps the processes that were last reported.
    private func pids(of group: borrowing Group) -> [Int32] {
        group.counts.all == 0 ? group.pids.reported : group.pids.items
    }

    /// The facts of scenes with a new process, desktop or role. No line reports them.
    package var refreshedFacts: [Change.SceneFacts] { refreshedScenes.map { sceneFacts(of: $0) } }

    /// Whether any scene has new facts. Costs less than testing `refreshed`.
    public var hasRefreshed: Bool { !refreshedScenes.isEmpty }

    /// The scenes with a new process, desktop or role, each followed by its group and its application, as changes of
    /// the kind `facts`. They are not elements of the batch, and no line reports them.
    public var refreshed: [Change] {
        refreshedScenes.flatMap { index -> [Change] in
            let scene = scenes[Int(index)]
            // The closing line of a scene reports its last facts.
            guard let phase = scene.reportedPhase else { return [] }
            let application = groups[Int(scene.place)].application
            let subjects: [(Change.Level, Int32, ScenePhase?)] = [
                (.scene, index, phase), (.group, scene.place, groups[Int(scene.place)].reported),
                (.application, application, groups[Int(application)].reported),
            ]
            return subjects.compactMap { level, subject, phase in
                change(
                    Delta(
                        level: level, kind: .facts, from: phase, to: phase, cause: .desktop, subject: subject,
                        name: scene.reported.group))
            }
        }
    }

    /// `refreshed` as a separate batch, for callers that want lines for it.
    public var facts: ChangeBatch { ChangeBatch(refreshed.map(Event.change)) }

    private func sceneFacts(of index: Int32) -> Change.SceneFacts {
        let facts = scenes[Int(index)].facts
        let text = texts[Int(index)]
        return Change.SceneFacts(
            id: scenes[Int(index)].window, title: text.title, pid: facts.pid == 0 ? nil : facts.pid,
            desktop: facts.desktop, process: facts.process, role: text.role, monitor: text.monitor,
            desktopName: text.desktopName, extent: text.extent)
    }

    private func members(of place: Int32) -> Change.Members {
        let (index, isGone) = (Int(place), groups[Int(place)].counts.all == 0)
        return Change.Members(
            counts: groups[index].counts, pids: pids(of: groups[index]),
            groups: groups[index].groupNames,
            desktops: isGone ? groups[index].desktops.reported : groups[index].desktops.items,
            processes: isGone ? groups[index].processes.reported : groups[index].processes.items)
    }

    /// Adds the deltas of a tracker. The columns of its table replace those that were added before.
    @inline(never)
    mutating func append(
        _ more: [Delta], refreshed: [Int32] = [], _ table: SceneTable,
        _ names: GroupNames
    ) {
        if deltas.isEmpty { deltas = more } else { deltas += more }
        refreshedScenes = refreshed
        (scenes, texts, groups) = (table.scenes, table.texts, table.groups.groups)
        self.names = names
    }

    /// Adds an existing change, with its own row in the tables.
    private mutating func add(_ change: Change) {
        var known = names ?? GroupNames()
        // With two owners, each new name would copy all names.
        names = nil
        let name = known.intern(
            application: change.application, group: change.group ?? change.application)
        names = known
        let subject = change.level == .scene ? scenes.count : groups.count
        switch change.subject {
        case .scene(let facts):
            let immediate = ImmediateFacts(
                pid: facts.pid ?? 0, desktop: facts.desktop, process: facts.process)
            scenes.append(Scene(window: facts.id, slot: -1, facts: immediate))
            texts.append(
                SceneText(
                    title: facts.title, role: facts.role, monitor: facts.monitor,
                    desktopName: facts.desktopName, extent: facts.extent ?? .window))
        case .group(let members), .application(let members):
            groups.append(Group(members, name: name, place: Int32(subject)))
        }
        deltas.append(
            Delta(
                level: change.level, kind: change.kind, from: change.from, to: change.to, cause: change.cause,
                subject: Int32(subject), nanoseconds: change.held.map(\.nanoseconds), name: name))
    }

    package mutating func add(_ notice: Notice) {
        deltas.append(Delta(level: nil, subject: Int32(notices.count)))
        notices.append(notice)
    }
}
