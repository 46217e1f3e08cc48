extension Believed {
    /// A transition, and where the aggregates are that it counts in.
    struct Step: Sendable {
        let transition: Transition
        let place: Aggregates.Place
    }

    /// Believes transitions that belong together and returns the lines that tell of them, in their order:
    /// first what falls, then what rises; in each, application by application, the scenes of a group,
    /// the group, then the application.
    mutating func believe(_ transitions: [Transition], kind: Change.Kind = .opened, at now: Duration)
        -> [Event]
    {
        var falls: [Step] = []
        var rises: [Step] = []
        for transition in transitions {
            let reading = transition.to == nil ? nil : transition.reading
            guard let place = replace(transition.reading.id, with: reading, at: now) else { continue }
            let step = Step(transition: transition, place: place)
            if transition.isFall { falls.append(step) } else { rises.append(step) }
        }
        var changes: [Event] = []
        changes.reserveCapacity(3 * transitions.count)
        add(falls, areFalls: true, kind, at: now, to: &changes)
        add(rises, areFalls: false, kind, at: now, to: &changes)
        for step in falls { tell(step.place, at: now) }
        for step in rises { tell(step.place, at: now) }
        return changes
    }

    private func add(
        _ section: [Step], areFalls: Bool, _ kind: Change.Kind, at now: Duration, to changes: inout [Event]
    ) {
        for part in section.grouped(by: { $0.place.application }) {
            for steps in part.grouped(by: { $0.place.group }) {
                for step in steps { changes.append(.change(Change(step.transition, kind: kind))) }
                let aggregate = aggregates[steps[0].place.group]
                guard aggregate.isNew else { continue }
                Aggregation(
                    kind: kind, aggregate: aggregate, groups: aggregate.name.group.map { [$0] } ?? [],
                    steps: steps
                ).tell(isFall: areFalls, at: now, in: &changes)
            }
            let place = part[0].place.application
            guard aggregates[place].isNew else { continue }
            Aggregation(
                kind: kind, aggregate: aggregates[place], groups: aggregates.groups(at: place), steps: part
            ).tell(isFall: areFalls, at: now, in: &changes)
        }
    }
}

extension Change {
    fileprivate init(_ transition: Transition, kind: Kind) {
        let reading = transition.reading
        self.init(
            kind: transition.from == nil ? kind : transition.to == nil ? .closed : .phase,
            application: reading.application,
            group: reading.group,
            subject: .scene(
                SceneFacts(
                    id: reading.id, title: reading.title, pid: reading.pid, desktop: reading.desktop)),
            from: transition.from,
            to: transition.to,
            cause: transition.cause,
            held: transition.held
        )
    }
}

extension Array {
    /// The elements of each key, the keys in the order of their first element.
    fileprivate func grouped(by key: (Element) -> Int) -> [[Element]] {
        guard count > 1 else { return isEmpty ? [] : [self] }
        var indices: [Int: Int] = [:]
        var groups: [[Element]] = []
        for element in self {
            let key = key(element)
            if let index = indices[key] {
                groups[index].append(element)
            } else {
                indices[key] = groups.count
                groups.append([element])
            }
        }
        return groups
    }
}
