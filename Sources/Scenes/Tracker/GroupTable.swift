/// An application or one of its groups: the totals of its scenes, and the totals that were last reported.
struct Group: Sendable {
    /// For an application, the pair (application, application).
    let name: GroupName
    /// The place of the application; for an application, its own place.
    let application: Int32
    /// The names of the groups of an application, ascending.
    var groupNames: [String] = []
    private(set) var counts = Change.Counts()
    /// The values of its scenes, now and when last reported.
    private(set) var pids = CountedValues<Int32>()
    private(set) var desktops = CountedValues<Int>()
    private(set) var processes = CountedValues<String>()
    /// The phase that was last reported; nil before the first line and after `closed`.
    private(set) var reported: ScenePhase?
    /// When it entered that phase.
    private(set) var since: Int64 = 0

    init(name: GroupName, application: Int32) {
        self.name = name
        self.application = application
    }

    /// Creates a group that a change describes, outside any table.
    init(_ members: Change.Members, name: GroupName, place: Int32) {
        self.init(name: name, application: place)
        (groupNames, counts) = (members.groups, members.counts)
        (pids, desktops) = (CountedValues(members.pids), CountedValues(members.desktops))
        processes = CountedValues(members.processes)
    }

    /// Replaces the phase of one of the scenes, adds a scene (`old` is nil) or removes one (`new` is nil).
    mutating func replace(_ old: ScenePhase?, with new: ScenePhase?, _ facts: borrowing ImmediateFacts) {
        if let old { counts.add(old, -1) } else if new != nil { add(facts, 1) }
        if let new { counts.add(new) } else if old != nil { add(facts, -1) }
    }

    /// Replaces the facts of one of the scenes.
    mutating func replace(_ old: ImmediateFacts, with new: ImmediateFacts) {
        add(old, -1)
        add(new, 1)
        markFactsReported()
    }

    /// Marks the current totals as reported.
    mutating func markReported(at now: Int64) {
        // The last lines of a group still report its previous values.
        if counts.all > 0 { markFactsReported() }
        let greatest = counts.greatest
        guard greatest != reported else { return }
        reported = greatest
        since = now
    }

    private mutating func markFactsReported() {
        pids.markReported()
        desktops.markReported()
        processes.markReported()
    }

    private mutating func add(_ facts: borrowing ImmediateFacts, _ count: Int32) {
        if facts.pid != 0 { pids.add(facts.pid, count) }
        if let desktop = facts.desktop { desktops.add(desktop, count) }
        if let process = facts.process { processes.add(process, count) }
    }
}

/// The distinct values of some scenes, ascending, each with its number of scenes.
struct CountedValues<Item: Comparable & Sendable>: Sendable {
    private(set) var items: [Item] = []
    private var counts: [Int32] = []
    /// The items that were last reported.
    private(set) var reported: [Item] = []
    private var isNew = false

    init(_ items: [Item] = []) {
        self.items = items
        counts = items.map { _ in 1 }
        reported = items
    }

    mutating func add(_ item: Item, _ count: Int32) {
        let index = items.firstIndex { $0 >= item } ?? items.endIndex
        if index == items.count || items[index] != item {
            guard count > 0 else { return }
            items.put(item, at: index)
            counts.put(count, at: index)
            isNew = true
            return
        }
        counts[index] += count
        guard counts[index] == 0 else { return }
        items.remove(at: index)
        counts.remove(at: index)
        isNew = true
    }

    mutating func markReported() {
        guard isNew else { return }
        reported = items
        isNew = false
    }
}

/// Applications and their groups. Each keeps its place while it has scenes. Lines are ordered by place.
struct GroupTable: Sendable {
    private(set) var groups: [Group] = []
    /// The place of each group, by the number of its pair of names; -1 for none.
    private var groupPlaces: [Int32] = []
    /// The place of each application, by the number of the pair that represents it; -1 for none.
    private var applicationPlaces: [Int32] = []
    private var free: [Int32] = []
    /// The groups and applications whose end was reported. They keep their places until their last line is written.
    private var ended: [Int32] = []

    subscript(place: Int32) -> Group {
        _read { yield groups[Int(place)] }
        _modify { yield &groups[Int(place)] }
    }

    /// The names that have a place.
    var names: [GroupName] {
        (groupPlaces + applicationPlaces).filter { $0 >= 0 }.map { groups[Int($0)].name }
    }

    /// Returns the place of an application; nil if it has no scenes.
    func place(ofApplication applicationName: GroupName) -> Int32? {
        let index = Int(applicationName.index)
        guard index < applicationPlaces.count, applicationPlaces[index] >= 0 else { return nil }
        return applicationPlaces[index]
    }

    /// Returns the phase of an application that was last reported.
    func phase(ofApplication applicationName: GroupName) -> ScenePhase? {
        place(ofApplication: applicationName).flatMap { self[$0].reported }
    }

    /// Returns the place of a group. Adds the group if it has no place.
    mutating func place(of name: GroupName, in names: GroupNames) -> Int32 {
        let index = Int(name.index)
        if index < groupPlaces.count, groupPlaces[index] >= 0 { return groupPlaces[index] }
        let applicationName = names.applicationName(of: name)
        let application = place(ofApplication: applicationName) ?? addApplication(applicationName)
        let place = add(Group(name: name, application: application))
        Self.set(&groupPlaces, index, place)
        let group = names.group(of: name)
        let position = self[application].groupNames.firstIndex { $0 > group }
        self[application].groupNames.put(group, at: position ?? self[application].groupNames.endIndex)
        self[place].groupNames = [group]
        return place
    }

    private mutating func addApplication(_ applicationName: GroupName) -> Int32 {
        let place = free.last ?? Int32(groups.count)
        _ = add(Group(name: applicationName, application: place))
        Self.set(&applicationPlaces, Int(applicationName.index), place)
        return place
    }

    private mutating func add(_ group: Group) -> Int32 {
        guard let place = free.popLast() else {
            groups.append(group)
            return Int32(groups.count - 1)
        }
        groups[Int(place)] = group
        return place
    }

    /// Marks the totals of a group and its application as reported.
    mutating func markReported(_ place: Int32, at now: Int64) {
        let application = self[place].application
        self[application].markReported(at: now)
        self[place].markReported(at: now)
        if self[place].reported == nil { ended.append(place) }
        if self[application].reported == nil { ended.append(application) }
    }

    /// Frees the places of groups and applications whose end was reported.
    mutating func freeEnded() {
        if ended.isEmpty { return }
        for place in ended where self[place].counts.all == 0 {
            let (index, application) = (Int(self[place].name.index), self[place].application)
            if application == place {
                guard applicationPlaces[index] == place else { continue }
                applicationPlaces[index] = -1
            } else {
                guard groupPlaces[index] == place else { continue }
                groupPlaces[index] = -1
                let name = self[place].groupNames.first
                self[application].groupNames.removeAll { $0 == name }
            }
            free.append(place)
        }
        ended = []
    }

    private static func set(_ places: inout [Int32], _ index: Int, _ place: Int32) {
        while places.count <= index { places.append(-1) }
        places[index] = place
    }
}

extension Array {
    /// Inserts an element. Appends at the end, which costs a third as much.
    fileprivate mutating func put(_ element: Element, at index: Int) {
        if index == count { append(element) } else { insert(element, at: index) }
    }
}

extension Change.Counts {
    /// The greatest phase of the scenes; nil if there are none.
    package var greatest: ScenePhase? {
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
