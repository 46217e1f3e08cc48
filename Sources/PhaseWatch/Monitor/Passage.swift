import Scenes

/// The phases on the way from one to another.
enum Passage {
    /// - Parameters:
    ///   - old: Where it begins; nil for what was not there.
    ///   - new: Where it ends, which is the last one returned; nil for what is gone.
    ///   - isStepwise: By way of inactive between active and background.
    ///   - ends: By way of the background to where it is gone, so that cleanup written for that runs at the end too.
    static func phases(
        from old: ScenePhase?, to new: ScenePhase?, isStepwise: Bool, ends: Bool
    ) -> [ScenePhase?] {
        guard let old, old != new else { return [new] }
        guard let new else {
            guard ends, old != .background else { return [nil] }
            return phases(from: old, to: .background, isStepwise: isStepwise, ends: ends) + [nil]
        }
        return isStepwise && old != .inactive && new != .inactive ? [.inactive, new] : [new]
    }
}

extension Change {
    /// The change as it is told, one step after the other.
    func passage(isStepwise: Bool) -> [Change] {
        var last = self
        return Passage.phases(
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
