/// One change or notice, as indices into the tables of its batch.
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
    /// The names that it is reported under.
    var name = GroupName.unknown

    /// How long it was in `from`; nil where there is no `from`.
    public var held: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The same in whole milliseconds.
    public var heldMilliseconds: Int64? { nanoseconds.map { $0 / 1_000_000 } }

    /// This change, or two through inactive if it leads from active to background or back.
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

/// What became certain at one time, in its order: scenes before their group, groups before their application.
///
/// To read an element makes an `Event` with strings; `deltas` avoids that. The batch shares the tables of the watcher:
/// release it before the next update, which has to copy them otherwise.
public struct ChangeBatch: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
    /// The elements as numbers.
    public private(set) var deltas: [Delta] = []
    private var notices: [Notice] = []
    private var scenes: [Scene] = []
    private var texts: [SceneText] = []
    private var groups: [Group] = []
    /// nil while there is no delta but of notices.
    private var names: GroupNames?
    private var refreshedScenes: [Int32] = []

    /// A batch of events that were made before: notices of a program's own, or changes for its tests.
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

    /// 0.
    public var startIndex: Int { 0 }
    /// How many elements there are.
    public var endIndex: Int { deltas.count }

    /// An element with its strings.
    public subscript(position: Int) -> Event { event(deltas[position]) }

    /// The element of a delta, with its strings.
    public func event(_ delta: Delta) -> Event {
        change(delta).map { .change($0) } ?? .notice(notices[Int(delta.subject)])
    }

    /// A change with its strings; nil for a notice.
    public func change(_ delta: Delta) -> Change? {
        guard let subject = subject(of: delta) else { return nil }
        return Change(
            kind: delta.kind, application: application(of: delta), group: group(of: delta), subject: subject,
            from: delta.from, to: delta.to, cause: delta.cause, held: delta.held)
    }

    /// The notice that a delta without a level stands for.
    public func notice(_ delta: Delta) -> Notice? { delta.level == nil ? notices[Int(delta.subject)] : nil }

    /// The name of the application that a delta is about.
    public func application(of delta: Delta) -> String { names?.application(of: delta.name) ?? "" }

    /// The name of the group; nil for applications.
    public func group(of delta: Delta) -> String? {
        delta.level == .application ? nil : names?.group(of: delta.name)
    }

    /// The scene, group or application of a delta; nil for a notice.
    public func subject(of delta: Delta) -> Change.Subject? {
        switch delta.level {
        case .scene: .scene(sceneFacts(of: delta.subject))
        case .group: .group(members(of: delta.subject))
        case .application: .application(members(of: delta.subject))
        case nil: nil
        }
    }

    /// The window of a scene; nil for anything else.
    public func sceneID(of delta: Delta) -> WindowID? {
        delta.level == .scene ? scenes[Int(delta.subject)].window : nil
    }

    /// When a scene was active last, in the nanoseconds of the tracker; 0 for never.
    package func lastActive(_ scene: Delta) -> Int64 { scenes[Int(scene.subject)].lastActive }

    /// What only a scene has; nil for anything else.
    public func scene(of delta: Delta) -> Change.SceneFacts? {
        delta.level == .scene ? sceneFacts(of: delta.subject) : nil
    }

    /// How many scenes of a group or an application are in each phase.
    public func counts(of delta: Delta) -> Change.Counts { groups[Int(delta.subject)].counts }

    /// The processes of a group or an application, ascending.
    public func pids(of delta: Delta) -> [Int32] { pids(of: groups[Int(delta.subject)]) }

    /// A closed group keeps the processes that were last reported.
    private func pids(of group: borrowing Group) -> [Int32] {
        group.counts.all == 0 ? group.pids.reported : group.pids.items
    }

    /// The facts of scenes whose process, desktop or role is new. No line tells that.
    package var refreshedFacts: [Change.SceneFacts] { refreshedScenes.map { sceneFacts(of: $0) } }

    /// Whether `refreshed` is empty, which costs less to know.
    public var hasRefreshed: Bool { !refreshedScenes.isEmpty }

    /// The scenes whose process, desktop or role is new, and behind each its group and its application, as changes of the kind
    /// `facts`. They are no elements of the batch, and no line tells them.
    public var refreshed: [Change] {
        refreshedScenes.flatMap { index -> [Change] in
            let scene = scenes[Int(index)]
            // One that has just closed tells its last facts by that.
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

    /// `refreshed` as a batch of its own, for who wants a line of it.
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

    /// Adds what a tracker has to tell. The columns of its table replace those that were added before.
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

    /// Adds a change that was made before, with a row of its own in the tables.
    private mutating func add(_ change: Change) {
        var known = names ?? GroupNames()
        // With two owners, each new name would copy all of them.
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
