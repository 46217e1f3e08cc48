/// An application or one of its groups.
struct Group: Sendable {
    /// For an application, the pair (application, application).
    let name: GroupName
    /// The place of the application; for an application, its own place.
    let application: Int32
    /// The phase that was last reported; nil before the first line and after `closed`.
    var reported: ScenePhase?
    /// When it entered that phase.
    var since: Int64 = 0
}

/// Applications and their groups. Each keeps its place while it has reported scenes. Lines are ordered by place.
struct GroupTable: Sendable {
    private(set) var groups: [Group] = []
    private var groupPlaces: [GroupName: Int32] = [:]
    private var applicationPlaces: [GroupName: Int32] = [:]
    private var free: [Int32] = []
    /// The places of groups and applications whose end was reported. Their last lines still name them.
    private var ended: [Int32] = []

    subscript(place: Int32) -> Group { groups[Int(place)] }

    /// The names that have a place.
    var names: [GroupName] { Array(groupPlaces.keys) + Array(applicationPlaces.keys) }

    /// Returns the phase of an application that was last reported.
    func phase(ofApplication applicationName: GroupName) -> ScenePhase? {
        applicationPlaces[applicationName].flatMap { self[$0].reported }
    }

    /// Returns the place of a group. Adds the group if it has no place.
    mutating func place(of name: GroupName, in names: GroupNames) -> Int32 {
        if let known = groupPlaces[name] { return known }
        let applicationName = names.applicationName(of: name)
        let application = applicationPlaces[applicationName] ?? add(applicationName, of: nil)
        applicationPlaces[applicationName] = application
        let place = add(name, of: application)
        groupPlaces[name] = place
        return place
    }

    private mutating func add(_ name: GroupName, of application: Int32?) -> Int32 {
        let place = free.popLast() ?? Int32(groups.count)
        let group = Group(name: name, application: application ?? place)
        if Int(place) == groups.count { groups.append(group) } else { groups[Int(place)] = group }
        return place
    }

    /// Records the reported phase of a group or an application; nil for its end.
    mutating func setReported(_ place: Int32, _ phase: ScenePhase?, at now: Int64) {
        if groups[Int(place)].reported == phase { return }
        (groups[Int(place)].reported, groups[Int(place)].since) = (phase, now)
        if phase == nil { ended.append(place) }
    }

    /// Frees the places of groups and applications whose end was reported.
    mutating func freeEnded() {
        for place in ended where self[place].reported == nil {
            if self[place].application == place {
                applicationPlaces[self[place].name] = nil
            } else {
                groupPlaces[self[place].name] = nil
            }
            free.append(place)
        }
        ended = []
    }
}
