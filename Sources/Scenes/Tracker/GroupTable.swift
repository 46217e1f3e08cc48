/// An application or one of its groups.
struct Group: Sendable {
    let id: SubjectID
    /// The index of the application; for an application, its own index.
    let application: Int
    /// The phase that was last reported; nil before the first line and after `closed`.
    var reported: ScenePhase?
    /// When it entered that phase.
    var since: Int64 = 0
}

/// Applications and their groups. Each keeps its index while it has reported scenes. Lines are ordered by index.
struct GroupTable: Sendable {
    private var groups: [Group] = []
    private var indices: [SubjectID: Int] = [:]
    private var free: [Int] = []

    /// The number of indices, including free ones.
    var count: Int { groups.count }

    subscript(index: Int) -> Group { _read { yield groups[index] } }

    /// Returns the phase of a group or an application that was last reported; nil if it has no reported scenes.
    func phase(of id: SubjectID) -> ScenePhase? { indices[id].flatMap { self[$0].reported } }

    /// Returns the index of a group. Adds the group, and its application, if it has none.
    mutating func index(of name: GroupName) -> Int {
        let id = SubjectID(application: name.application, group: name.group)
        if let known = indices[id] { return known }
        let application = SubjectID(application: name.application)
        return add(id, of: indices[application] ?? add(application, of: nil))
    }

    private mutating func add(_ id: SubjectID, of application: Int?) -> Int {
        let index = free.popLast() ?? groups.count
        let group = Group(id: id, application: application ?? index)
        if index == groups.count { groups.append(group) } else { groups[index] = group }
        indices[id] = index
        return index
    }

    /// Records the reported phase of a group or an application; nil for its end, which frees its index.
    mutating func setReported(_ index: Int, _ phase: ScenePhase?, at now: Int64) {
        if groups[index].reported == phase { return }
        groups[index].reported = phase
        groups[index].since = now
        if phase != nil { return }
        indices[groups[index].id] = nil
        free.append(index)
    }
}
