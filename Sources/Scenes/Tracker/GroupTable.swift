/// An application or one of its groups.
struct Group: Sendable {
    let id: SubjectID
    /// The place of the application; for an application, its own place.
    let application: Int
    /// The phase that was last reported; nil before the first line and after `closed`.
    var reported: ScenePhase?
    /// When it entered that phase.
    var since: Int64 = 0
}

/// Applications and their groups. Each keeps its place while it has reported scenes. Lines are ordered by place.
struct GroupTable: Sendable {
    private var groups: [Group] = []
    private var places: [SubjectID: Int] = [:]
    private var free: [Int] = []

    /// The number of places, including free ones.
    var count: Int { groups.count }

    subscript(place: Int) -> Group { _read { yield groups[place] } }

    /// Returns the phase of a group or an application that was last reported; nil if it has no reported scenes.
    func phase(of id: SubjectID) -> ScenePhase? { places[id].flatMap { self[$0].reported } }

    /// Returns the place of a group. Adds the group, and its application, if it has no place.
    mutating func place(of name: GroupName) -> Int {
        let id = SubjectID(application: name.application, group: name.group)
        if let known = places[id] { return known }
        let application = SubjectID(application: name.application)
        return add(id, of: places[application] ?? add(application, of: nil))
    }

    private mutating func add(_ id: SubjectID, of application: Int?) -> Int {
        let place = free.popLast() ?? groups.count
        let group = Group(id: id, application: application ?? place)
        if place == groups.count { groups.append(group) } else { groups[place] = group }
        places[id] = place
        return place
    }

    /// Records the reported phase of a group or an application; nil for its end, which frees its place.
    mutating func setReported(_ place: Int, _ phase: ScenePhase?, at now: Int64) {
        if groups[place].reported == phase { return }
        (groups[place].reported, groups[place].since) = (phase, now)
        if phase != nil { return }
        places[groups[place].id] = nil
        free.append(place)
    }
}
