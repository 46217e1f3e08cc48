import Scenes

/// Unread changes, merged into one for each subject: from the phase that was read last to the present one. There are
/// never more unread changes than subjects.
struct MergingQueue: Sendable {
    private struct Unread {
        var change: Change
        /// Whether a change of title was merged into it: it is reported even if the phase is the same again.
        var isRetitled: Bool
    }

    let isStepwise: Bool
    /// By the numbers of the last changes, which are their order.
    private var unread: [Int: Unread] = [:]
    private var numbers: [SubjectID: Int] = [:]
    /// No unread change has a lower number.
    private var first = 0
    /// The number of the next change.
    private var end = 0

    init(isStepwise: Bool) { self.isStepwise = isStepwise }

    var isEmpty: Bool { unread.isEmpty }

    mutating func add(_ change: Change) {
        var new = Unread(change: change, isRetitled: change.kind == .title)
        if let old = numbers.removeValue(forKey: change.subjectID).flatMap({ unread.removeValue(forKey: $0) })
        {
            new.isRetitled = new.isRetitled || old.isRetitled
            if old.change.from == change.to, !new.isRetitled || change.to == nil { return }
            new.change = old.change.followed(by: change)
        }
        (unread[end], numbers[change.subjectID]) = (new, end)
        end += 1
    }

    /// Returns the first step of the change that has waited longest; its other steps stay at their position.
    mutating func next() -> Change? {
        while first < end, unread[first] == nil { first += 1 }
        guard var rest = unread.removeValue(forKey: first) else { return nil }
        var step = rest.change
        let phase = step.firstStep(isStepwise: isStepwise)
        if phase == step.to {
            numbers[step.subjectID] = nil
        } else {
            (rest.change.from, rest.change.held, rest.isRetitled) = (phase, .zero, false)
            unread[first] = rest
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

    /// Returns the first phase on the way from the old phase to the new one. An application that is gone passes through the
    /// background, so that cleanup written for it runs at the end, too. One that continues under another name has not ended.
    fileprivate func firstStep(isStepwise: Bool) -> ScenePhase? {
        guard let from, from != to else { return to }
        if to == nil, level != .application || cause == .regroup { return nil }
        let end = to ?? .background
        if from == end { return to }
        return isStepwise && from != .inactive && end != .inactive ? .inactive : end
    }
}
