import PhaseWatch

/// The holds of the reactions in force, by application. Several pairs may share a hold, which is undone with the last
/// of them.
struct Holdings: Sendable {
    private struct Held {
        var hold: Hold
        var holders: Set<Job.Key>
    }

    private var freezes: [String: [Hold]] = [:]
    private var others: [String: [Held]] = [:]

    var frozenApplications: Set<String> { Set(freezes.keys) }

    /// Returns the holds that freeze an application.
    func freeze(of application: String) -> [Hold] { freezes[application] ?? [] }

    /// Adds a freeze that is about to begin, or that could not be undone.
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

    /// Returns whether the holds of an application include everything that this hold freezes.
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

    /// Returns the holds of a pair except the freeze.
    func holds(of key: Job.Key) -> [Hold] {
        (others[key.subject.application] ?? []).filter { $0.holders.contains(key) }.map(\.hold)
    }

    /// Returns the holds on the streams of an application that pairs have muted.
    func mutes(of application: String) -> [Hold] {
        (others[application] ?? []).map(\.hold).filter { $0.muted != nil }
    }

    /// Returns the holds that no other pair shares, which are undone with this pair.
    func lastHolds(of key: Job.Key) -> [Hold] {
        (others[key.subject.application] ?? []).filter { $0.holders == [key] }.map(\.hold)
    }

    /// Adds the holds of a pair. If another pair has a hold on the same unit or stream, its undo data is kept.
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
    /// Returns whether both holds are on the same unit or the same stream.
    fileprivate func isSame(as other: Hold) -> Bool {
        switch (self, other) {
        case (.slowed(let unit, _), .slowed(let otherUnit, _)),
            (.capped(let unit, _), .capped(let otherUnit, _)):
            unit == otherUnit
        default: self == other
        }
    }
}
