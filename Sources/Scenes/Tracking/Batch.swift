extension Believed {
    /// Believes transitions that belong together and returns the lines that tell of them, in their order:
    /// first what falls, then what rises; in each, application by application, the scenes of a group,
    /// the group, then the application.
    mutating func believe(_ transitions: [Transition], kind: Change.Kind = .opened, at now: Duration)
        -> [Change]
    {
        let names = Set(transitions.map(\.application))
        let old = names.reduce(into: [:]) { $0[$1] = applications[$1] }
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
                    changes +=
                        aggregate(
                            part.key, group.key, from: before?.groups[group.key],
                            to: applications[part.key]?.groups[group.key], kind: kind,
                            oldPids: oldPids[part.key]?[group.key] ?? [], group.elements
                        ).map { $0.changes(isFall: isFall, at: now) } ?? []
                }
                changes +=
                    aggregate(
                        part.key, nil, from: before?.aggregate, to: applications[part.key]?.aggregate,
                        kind: kind,
                        oldPids: oldPids[part.key]?[nil] ?? [], part.elements
                    ).map { $0.changes(isFall: isFall, at: now) } ?? []
            }
        }
        return changes
    }

    /// What a group or an application adds up to now; nil if that is what it was.
    private func aggregate(
        _ name: String, _ group: String?, from: Aggregate?, to: Aggregate?, kind: Change.Kind,
        oldPids: [Int32], _ transitions: [Transition]
    ) -> Aggregation? {
        guard from?.phase != to?.phase else { return nil }
        return Aggregation(
            application: name, group: group, kind: kind, from: from, to: to,
            members: members(of: name, group: group), oldPids: oldPids, transitions: transitions)
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
