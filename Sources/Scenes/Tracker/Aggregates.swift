/// The applications and their groups, each at a place of its own for as long as it has scenes.
struct Aggregates: Sendable {
    /// Where the application and the group of a scene are.
    struct Place: Sendable {
        let application: Int
        let group: Int
    }

    private var all: [Aggregate] = []
    /// The names of the groups of the applications, ascending; of a group, its own.
    private var groupNames: [[String]] = []
    private var places: [Aggregate.Name: Int] = [:]
    private var free: [Int] = []

    subscript(place: Int) -> Aggregate { all[place] }
    subscript(name: Aggregate.Name) -> Aggregate? { places[name].map { all[$0] } }

    var hasActive: Bool { places.values.contains { all[$0].phase == .active } }

    /// The names of the groups of what is at a place, ascending.
    func groups(at place: Int) -> [String] { groupNames[place] }

    /// The place of a scene, made where there was none before.
    mutating func place(of scene: SceneReading) -> Place {
        let name = Aggregate.Name(application: scene.application, group: nil)
        let application = places[name] ?? make(name)
        let groupName = Aggregate.Name(application: scene.application, group: scene.group)
        if let group = places[groupName] { return Place(application: application, group: group) }
        let index = groupNames[application].firstIndex { $0 > scene.group }
        groupNames[application].insert(scene.group, at: index ?? groupNames[application].endIndex)
        return Place(application: application, group: make(groupName))
    }

    /// Replaces a scene at a place, adds it (`old` nil) or removes it (`new` nil).
    mutating func replace(_ old: SceneReading?, with new: SceneReading?, at place: Place) {
        all[place.application].replace(old, with: new)
        all[place.group].replace(old, with: new)
    }

    /// Takes over what has no phase.
    mutating func refresh(_ old: SceneReading, with new: SceneReading, at place: Place) {
        all[place.application].refresh(old, with: new)
        all[place.group].refresh(old, with: new)
    }

    /// Takes what a group and its application add up to as told; without scenes they are gone.
    mutating func tell(_ place: Place, at now: Duration) {
        all[place.application].tell(at: now)
        all[place.group].tell(at: now)
        if all[place.group].phase == nil { removeGroup(at: place) }
        if all[place.application].phase == nil { remove(place.application) }
    }

    private mutating func removeGroup(at place: Place) {
        guard places[all[place.group].name] == place.group else { return }
        let name = all[place.group].name.group
        groupNames[place.application].removeAll { $0 == name }
        remove(place.group)
    }

    private mutating func remove(_ place: Int) {
        guard places[all[place].name] == place else { return }
        places[all[place].name] = nil
        free.append(place)
    }

    private mutating func make(_ name: Aggregate.Name) -> Int {
        if let place = free.popLast() {
            all[place] = Aggregate(name)
            groupNames[place] = Self.ownNames(of: name)
            places[name] = place
        } else {
            places[name] = all.count
            all.append(Aggregate(name))
            groupNames.append(Self.ownNames(of: name))
        }
        return places[name] ?? 0
    }

    private static func ownNames(of name: Aggregate.Name) -> [String] { name.group.map { [$0] } ?? [] }
}
