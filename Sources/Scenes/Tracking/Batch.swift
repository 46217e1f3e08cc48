extension Believed {
    /// Believes transitions that belong together and returns the lines that tell of them, in their order:
    /// first what falls, then what rises; in each, application by application, the scenes of a group,
    /// the group, then the application.
    mutating func believe(_ transitions: [Transition], kind: Change.Kind = .opened, at now: Duration)
        -> [Change]
    {
        for transition in transitions { replace(transition.id, with: transition.to, at: now) }
        var changes: [Change] = []
        for isFall in [true, false] {
            let section = transitions.filter { $0.isFall == isFall }
            for part in section.grouped(by: \.application) {
                guard let application = applications[part.key] else { continue }
                for (group, steps) in part.elements.grouped(by: \.group) {
                    for step in steps { changes.append(Change(step, kind: kind)) }
                    guard let aggregate = application.groups[group] else { continue }
                    Aggregation(
                        application: part.key, group: group, kind: kind, aggregate: aggregate,
                        groups: [group],
                        transitions: steps
                    ).tell(isFall: isFall, at: now, in: &changes)
                }
                Aggregation(
                    application: part.key, group: nil, kind: kind, aggregate: application.whole,
                    groups: application.groupNames, transitions: part.elements
                ).tell(isFall: isFall, at: now, in: &changes)
            }
        }
        for transition in transitions { tell(transition.application, transition.group, at: now) }
        return changes
    }
}

extension Change {
    fileprivate init(_ transition: Transition, kind: Kind) {
        let facts = transition.to ?? transition.from
        self.init(
            kind: transition.from == nil ? kind : transition.to == nil ? .closed : .phase,
            application: transition.application,
            group: transition.group,
            subject: .scene(
                SceneFacts(
                    id: transition.id, title: facts?.title, pid: facts?.pid, desktop: facts?.desktop)),
            from: transition.from?.phase,
            to: transition.to?.phase,
            cause: transition.cause,
            held: transition.held
        )
    }
}

extension Array {
    /// The elements of each key, the keys in the order of their first element.
    fileprivate func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        guard count > 1 else { return map { (key($0), self) } }
        var indices: [Key: Int] = [:]
        var groups: [(key: Key, elements: [Element])] = []
        for element in self {
            let key = key(element)
            if let index = indices[key] {
                groups[index].elements.append(element)
            } else {
                indices[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}
