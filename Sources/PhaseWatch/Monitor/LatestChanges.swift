import Scenes

/// Changes that wait for whoever reads them: of each thing only one, from where it was last read to where it is
/// now, so that they are never more than the things there were.
struct LatestChanges: Sendable {
    /// What has a phase.
    private struct Thing: Hashable {
        var application: String
        var group: String?
        var scene: WindowID?

        init(_ change: Change) {
            application = change.application
            group = change.group
            if case .scene(let facts) = change.subject { scene = facts.id }
        }
    }

    private struct Place {
        var thing: Thing
        var number: Int
    }

    private let isStepwise: Bool
    private var waiting: [Thing: (number: Int, change: Change)] = [:]
    /// In the order of the last change of each; a place whose number is not that of its thing is an old one.
    private var places: ArraySlice<Place> = []
    private var lastNumber = 0
    /// What is left of the change that was read last.
    private var steps: ArraySlice<Change> = []

    init(isStepwise: Bool) {
        self.isStepwise = isStepwise
    }

    mutating func add(_ change: Change) {
        let thing = Thing(change)
        guard let latest = waiting[thing].map({ $0.change.followed(by: change) }) ?? change else {
            waiting[thing] = nil
            return
        }
        lastNumber += 1
        waiting[thing] = (lastNumber, latest)
        places.append(Place(thing: thing, number: lastNumber))
        dropOldPlaces()
    }

    mutating func next() -> Change? {
        if let step = steps.popFirst() { return step }
        while let place = places.popFirst() {
            guard let entry = waiting[place.thing], entry.number == place.number else { continue }
            waiting[place.thing] = nil
            steps = entry.change.passage(isStepwise: isStepwise)[...]
            return steps.popFirst()
        }
        return nil
    }

    /// How many changes are kept.
    var count: Int { waiting.count + steps.count }

    private mutating func dropOldPlaces() {
        guard places.count > 2 * waiting.count + 16 else { return }
        places = places.filter { waiting[$0.thing]?.number == $0.number }[...]
    }
}

extension Change {
    /// This change and a later one as one; nil if nothing has changed then.
    fileprivate func followed(by later: Change) -> Change? {
        guard from != later.to else { return nil }
        var both = later
        both.from = from
        both.held = held
        both.kind = later.to == nil ? .closed : from == nil ? kind : .phase
        return both
    }
}
