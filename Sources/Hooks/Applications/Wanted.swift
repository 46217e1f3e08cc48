/// What hooks want of an application: the strictest of all votes.
public struct Wanted: Hashable, Sendable {
    public internal(set) var builtIns: Set<BuiltIn> = []
    public internal(set) var cap: ProcessorCap?

    init() {}

    init(_ votes: [Job]) {
        for vote in votes { builtIns.formUnion(vote.hook.builtIns) }
        cap = votes.compactMap(\.hook.cap).min { $0.microseconds < $1.microseconds }
    }

    /// Returns what is wanted of these reactions alone.
    func only(_ builtIns: Set<BuiltIn>) -> Wanted {
        var wanted = self
        wanted.builtIns.formIntersection(builtIns)
        if !builtIns.contains(.cap) { wanted.cap = nil }
        return wanted
    }
}

/// What is done to an application, with the data that undoes it. All of it is on disk before it is in force.
struct Held: Hashable, Sendable {
    var standing = Standing.free
    /// The holds of all other reactions.
    var limits: [Hold] = []
    /// What the limits are set to.
    var applied = Wanted()

    var holds: [Hold] { standing.holds + limits }

    /// The reactions that are in force.
    var inForce: Set<BuiltIn> { applied.builtIns.union(standing.isInForce ? [.freeze] : []) }

    /// Returns the limits to set so that all wanted ones are; nil if they are. Each has a hold that undoes it.
    func change(to wanted: Wanted) -> (holds: [Hold], applied: Wanted)? {
        let new = wanted.only(limits.builtIns)
        if new == applied { return nil }
        return (limits.filter { new.only([$0.builtIn]) != applied.only([$0.builtIn]) }, new)
    }

    /// Forgets limits that were undone.
    mutating func forget(_ holds: [Hold]) {
        limits.removeAll(where: holds.contains)
        applied = applied.only(limits.builtIns)
    }
}

extension [Hold] {
    var builtIns: Set<BuiltIn> { Set(map(\.builtIn)) }
}
