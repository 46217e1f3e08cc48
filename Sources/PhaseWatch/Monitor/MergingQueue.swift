import Scenes

/// Unread changes, merged into one for each subject: from the phase that was read last to the present one. There are
/// never more unread changes than subjects.
struct MergingQueue: Sendable {
    private struct Unread {
        /// The place in the order of the last changes.
        var number: Int
        var change: Change
        /// Whether a change of title is among the changes that were merged: it is reported even if the phase is the
        /// same again.
        var isRetitled: Bool
    }

    let isStepwise: Bool
    private var unread: [Posted.Key: Unread] = [:]
    private var lastNumber = 0

    init(isStepwise: Bool) {
        self.isStepwise = isStepwise
    }

    var count: Int { unread.count }

    mutating func add(_ posted: Posted) {
        let (key, change) = (posted.key, posted.change)
        let old = unread.removeValue(forKey: key)
        let isRetitled = change.kind == .title || old?.isRetitled == true
        if let old, old.change.from == change.to, !isRetitled || change.to == nil { return }
        lastNumber += 1
        unread[key] = Unread(
            number: lastNumber, change: old?.change.followed(by: change) ?? change, isRetitled: isRetitled)
    }

    /// Returns the first step of the change that has waited longest; its other steps stay at their place.
    mutating func next() -> Change? {
        guard let (key, first) = unread.min(by: { $0.value.number < $1.value.number }) else { return nil }
        unread[key] = nil
        var step = first.change
        let phase = step.firstStep(isStepwise: isStepwise)
        if phase != step.to {
            var rest = step
            (rest.from, rest.held) = (phase, .zero)
            unread[key] = Unread(number: first.number, change: rest, isRetitled: false)
            (step.to, step.kind) = (phase, .phase)
        }
        return step
    }
}

extension Change {
    /// Returns this change merged with a later one of the same subject.
    fileprivate func followed(by later: Change) -> Change {
        var both = later
        (both.from, both.held) = (from, held)
        both.kind = later.to == nil ? .closed : from == nil ? kind : from == later.to ? .title : .phase
        // A change of title is not the cause of a phase, nor is a phase that was left again the cause of a title.
        if both.kind == .title { both.cause = .title } else if later.kind == .title { both.cause = cause }
        return both
    }

    /// Returns the first phase on the way from the old phase to the new one.
    ///
    /// An application that is gone passes through the background, so that cleanup written for the background runs at
    /// the end, too. One that continues under another name has not ended.
    fileprivate func firstStep(isStepwise: Bool) -> ScenePhase? {
        guard let from, from != to else { return to }
        if to == nil, level != .application || cause == .regroup { return nil }
        let end = to ?? .background
        if from == end { return to }
        return isStepwise && from != .inactive && end != .inactive ? .inactive : end
    }
}
