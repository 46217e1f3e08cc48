import Scenes

/// Unread changes, merged into one for each subject: from the phase that was read last to the present one. There are
/// never more unread changes than subjects.
struct MergingQueue: Sendable {
    let isStepwise: Bool
    /// In the order of the last changes.
    private(set) var unread: [Posted] = []

    mutating func add(_ posted: Posted) {
        var posted = posted
        if let index = unread.firstIndex(where: posted.hasSameSubject) {
            let old = unread.remove(at: index)
            posted.isRetitled = posted.isRetitled || old.isRetitled
            let to = posted.change.to
            if old.change.from == to, !posted.isRetitled || to == nil { return }
            posted.change = old.change.followed(by: posted.change)
        }
        unread.append(posted)
    }

    /// Returns the first step of the change that has waited longest; its other steps stay at their place.
    mutating func next() -> Change? {
        guard var step = unread.first?.change else { return nil }
        let phase = step.firstStep(isStepwise: isStepwise)
        if phase == step.to {
            unread.removeFirst()
        } else {
            (unread[0].change.from, unread[0].change.held, unread[0].isRetitled) = (phase, .zero, false)
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
