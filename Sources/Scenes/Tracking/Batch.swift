extension Believed {
    /// Believes transitions that belong together and returns the lines that tell of them, in their order:
    /// first what falls, then what rises; in each, application by application, the scenes of a group,
    /// the group, then the application.
    mutating func believe(_ transitions: [Transition], kind: Change.Kind = .opened, at now: Duration)
        -> [Change]
    {
        let names = Set(transitions.map(\.application))
        let old = applications.filter { names.contains($0.key) }
        let oldPids = pids(of: transitions)
        for transition in transitions { replace(transition.id, with: transition.to, at: now) }
        for name in names { addUp(name, at: now) }

        var changes: [Change] = []
        for isFall in [true, false] {
            let section = transitions.filter { $0.isFall == isFall }
            for part in section.grouped(by: \.application) {
                let before = old[part.key]
                for group in part.elements.grouped(by: \.group) {
                    changes += group.elements.map { Change($0, kind: kind) }
                    changes += Aggregation(
                        application: part.key, group: group.key, kind: kind,
                        from: before?.groups[group.key],
                        to: applications[part.key]?.groups[group.key],
                        members: members(of: part.key, group: group.key),
                        oldPids: oldPids[part.key]?[group.key] ?? [], transitions: group.elements
                    ).changes(isFall: isFall, at: now)
                }
                changes += Aggregation(
                    application: part.key, group: nil, kind: kind,
                    from: before?.aggregate,
                    to: applications[part.key]?.aggregate,
                    members: members(of: part.key), oldPids: oldPids[part.key]?[nil] ?? [],
                    transitions: part.elements
                ).changes(isFall: isFall, at: now)
            }
        }
        return changes
    }
}

extension Believed {
    /// The processes of applications, and of their groups, before some transitions are believed; those of the
    /// application under nil.
    private func pids(of transitions: [Transition]) -> [String: [String?: [Int32]]] {
        var pids: [String: [String?: [Int32]]] = [:]
        for transition in transitions where transition.to == nil {
            let (name, group) = (transition.application, transition.group)
            if pids[name]?[group] == nil {
                pids[name, default: [:]][group] = members(of: name, group: group).pids
            }
            if pids[name]?[nil] == nil { pids[name, default: [:]][nil] = members(of: name).pids }
        }
        return pids
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

extension Sequence {
    /// The elements of each key, the keys in the order of their first element.
    fileprivate func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
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
