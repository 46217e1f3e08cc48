import PhaseWatch

/// What undoes the reactions in force, by application. Several pairs may hold one thing; it is undone with the last of them.
struct Holdings: Sendable {
    private struct Held {
        var hold: Hold
        var holders: Set<Job.Key>
    }

    private var freezes: [String: [Hold]] = [:]
    private var others: [String: [Held]] = [:]

    var frozenApplications: Set<String> { Set(freezes.keys) }

    /// All that is held, by application.
    var all: [String: [Hold]] { freezes.merging(others.mapValues { $0.map(\.hold) }) { $0 + $1 } }

    /// What stops an application.
    func freeze(of application: String) -> [Hold] { freezes[application] ?? [] }

    /// Takes a freeze into account that is about to be done, or could not be undone.
    mutating func addFreeze(_ hold: Hold, of application: String) {
        var holds = freezes[application] ?? []
        if case .stopped(let new) = hold, let index = holds.firstIndex(where: { !$0.stopped.isEmpty }) {
            let former = holds[index].stopped
            holds[index] = .stopped(former + new.filter { !former.contains($0) })
        } else if !holds.contains(hold) {
            holds.append(hold)
        }
        freezes[application] = holds
    }

    /// Whether all of a freeze is taken into account.
    func freezes(_ hold: Hold, of application: String) -> Bool {
        let holds = freeze(of: application)
        if case .stopped(let processes) = hold {
            return Set(processes).isSubset(of: holds.flatMap(\.stopped))
        }
        return holds.contains(hold)
    }

    mutating func takeFreeze(of application: String) -> [Hold] {
        freezes.removeValue(forKey: application) ?? []
    }

    /// What a pair holds beside the freeze.
    func holds(of key: Job.Key) -> [Hold] {
        (others[key.subject.application] ?? []).filter { $0.holders.contains(key) }.map(\.hold)
    }

    /// The streams of an application that pairs have muted.
    func mutes(of application: String) -> [Hold] {
        (others[application] ?? []).map(\.hold).filter { $0.muted != nil }
    }

    /// What is to be undone with a pair: no other one holds it.
    func lastHolds(of key: Job.Key) -> [Hold] {
        (others[key.subject.application] ?? []).filter { $0.holders == [key] }.map(\.hold)
    }

    /// Where another pair holds the same, what that has found before it counts.
    mutating func add(_ holds: [Hold], of key: Job.Key) {
        var held = others[key.subject.application] ?? []
        for hold in holds {
            if let index = held.firstIndex(where: { $0.hold.isSame(as: hold) }) {
                held[index].holders.insert(key)
            } else {
                held.append(Held(hold: hold, holders: [key]))
            }
        }
        others[key.subject.application] = held.isEmpty ? nil : held
    }

    mutating func release(_ key: Job.Key, where isMeant: (Hold) -> Bool = { _ in true }) {
        guard var held = others[key.subject.application] else { return }
        for index in held.indices where isMeant(held[index].hold) { held[index].holders.remove(key) }
        held.removeAll { $0.holders.isEmpty }
        others[key.subject.application] = held.isEmpty ? nil : held
    }
}

extension Hold {
    /// Whether both are about one unit, or one stream.
    fileprivate func isSame(as other: Hold) -> Bool {
        switch (self, other) {
        case (.slowed(let unit, _), .slowed(let otherUnit, _)),
            (.capped(let unit, _), .capped(let otherUnit, _)):
            unit == otherUnit
        default: self == other
        }
    }
}
