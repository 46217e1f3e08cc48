import Scenes

/// Unread changes, merged into one for each subject: from the phase that was last read to the present one. There are
/// never more unread changes than subjects.
struct LatestChanges: Sendable {
    /// This process may have the name of an application.
    private struct Thing: Hashable {
        var subject: SubjectID
        var isOwn: Bool
    }

    private let isStepwise: Bool
    private struct Waiting {
        var number: Int
        var change: Change
        /// Whether a change of title is among the changes that were merged.
        var isRetitled: Bool
    }

    private var waiting: [Thing: Waiting] = [:]
    /// In the order of the last changes. A place is outdated if `waiting` has another number for its subject.
    private var places: ArraySlice<(thing: Thing, number: Int)> = []
    private var lastNumber = 0
    /// The remaining steps of the change that was read last.
    private var steps: ArraySlice<Change> = []

    init(isStepwise: Bool) {
        self.isStepwise = isStepwise
    }

    /// - Parameter isOwn: Whether it is a change of this process or one of its groups.
    mutating func add(_ change: Change, isOwn: Bool = false) {
        let thing = Thing(subject: change.subjectID, isOwn: isOwn)
        let isRetitled = change.kind == .title || waiting[thing]?.isRetitled == true
        let latest = waiting[thing].map { $0.change.followed(by: change, isRetitled: isRetitled) } ?? change
        guard let latest else {
            waiting[thing] = nil
            return
        }
        lastNumber += 1
        waiting[thing] = Waiting(number: lastNumber, change: latest, isRetitled: isRetitled)
        places.append((thing, lastNumber))
        dropOldPlaces()
    }

    mutating func next() -> Change? {
        if let step = steps.popFirst() { return step }
        while let place = places.popFirst() {
            guard let entry = waiting[place.thing], entry.number == place.number else { continue }
            waiting[place.thing] = nil
            steps = entry.change.steps(isStepwise: isStepwise)[...]
            return steps.popFirst()
        }
        return nil
    }

    /// The number of changes kept.
    var count: Int { waiting.count + steps.count }

    private mutating func dropOldPlaces() {
        guard places.count > 2 * waiting.count + 16 else { return }
        places = places.filter { waiting[$0.thing]?.number == $0.number }[...]
    }
}

extension Change {
    /// Returns this change merged with a later one; nil if they cancel each other out.
    ///
    /// - Parameter isRetitled: Whether the title has changed, in either change or in one that was merged before.
    fileprivate func followed(by later: Change, isRetitled: Bool) -> Change? {
        guard from != later.to || isRetitled && from != nil else { return nil }
        var both = later
        both.from = from
        both.held = held
        both.kind = later.to == nil ? .closed : from == nil ? kind : from == later.to ? .title : .phase
        // A change of title is not the cause of a phase, nor is a phase that was left again the cause of a title.
        if both.kind == .title { both.cause = .title } else if later.kind == .title { both.cause = cause }
        return both
    }
}

extension ScenePhase? {
    /// Returns the phases on the way from one phase to another.
    ///
    /// - Parameters:
    ///   - old: The phase before; nil if the subject did not exist.
    ///   - new: The phase after, which is the last one returned; nil if the subject is gone.
    ///   - isStepwise: Whether to pass through inactive between active and background.
    ///   - ends: Whether a subject that is gone passes through the background first, so that cleanup written for the
    ///     background runs at the end, too.
    static func steps(
        from old: ScenePhase?, to new: ScenePhase?, isStepwise: Bool, ends: Bool
    ) -> [ScenePhase?] {
        guard let old, old != new else { return [new] }
        guard let new else {
            guard ends, old != .background else { return [nil] }
            return steps(from: old, to: .background, isStepwise: isStepwise, ends: ends) + [nil]
        }
        return isStepwise && old != .inactive && new != .inactive ? [.inactive, new] : [new]
    }
}

extension Change {
    /// Returns the steps in which the change is reported.
    func steps(isStepwise: Bool) -> [Change] {
        if kind == .title { return [self] }
        var last = self
        return ScenePhase?.steps(
            from: from, to: to, isStepwise: isStepwise, ends: level == .application && cause != .regroup
        ).enumerated().map { index, phase in
            var step = self
            step.to = phase
            if index > 0 {
                (step.from, step.held) = (last.to, .zero)
            }
            step.kind = phase == nil ? .closed : from == nil ? kind : .phase
            last = step
            return step
        }
    }
}
