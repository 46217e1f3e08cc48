/// The rule's result for one window or scene. It has no references: there is one for every window at each evaluation.
package struct Evaluation: Hashable, Sendable {
    /// nil if there is no scene.
    package var phase: ScenePhase?
    /// The cause of hiding the scene; nil for a visible scene.
    package var hiding: Cause?
    /// Whether other windows cover the scene. `phase` ignores this until the occlusion delay has passed: see `covered`.
    package var isCovered = false

    /// The evaluation before the occlusion delay has passed: without the cover.
    var uncovered: Evaluation { Evaluation(phase: phase, hiding: hiding) }

    /// The evaluation after the occlusion delay has passed: with the cover.
    package var covered: Evaluation { isCovered ? Evaluation(phase: .background, hiding: .covered) : self }

    /// Adds a dialog. The phase of a scene is the greatest phase of its windows.
    mutating func include(_ dialog: Evaluation) {
        guard let phase, let other = dialog.phase else { return }
        // A dialog in the background does not uncover its scene.
        if other != .background { isCovered = dialog.isCovered && (isCovered || phase == .background) }
        self.phase = max(phase, other)
        if self.phase != .background { hiding = nil }
    }
}

/// The rule's result for one scene, and its names.
package struct Judgement: Hashable, Sendable {
    var evaluation: Evaluation
    package let group: GroupName

    static let none = Judgement(evaluation: Evaluation(), group: .unknown)

    var phase: ScenePhase? { evaluation.phase }
    var hiding: Cause? { evaluation.hiding }

    func staysHidden(in other: Judgement) -> Bool {
        phase == .background && other.phase == .background && group == other.group
    }

    /// Returns whether the scene is visible in both judgements, under the same names.
    func differsInFocusOnly(from other: Judgement) -> Bool {
        min(phase ?? .background, other.phase ?? .background) != .background
            && group == other.group
    }
}

extension Cause {
    /// Derives the cause of a change from the judgements before and after it.
    init(from old: Judgement, to new: Judgement) {
        if old.phase == nil {
            self = .open
        } else if new.phase == nil {
            self = .close
        } else if old.group != new.group {
            self = .regroup
        } else if let hiding = new.hiding {
            self = hiding
        } else if let hiding = old.hiding {
            self = hiding.end
        } else {
            self = new.phase == .active ? .focus : .blur
        }
    }

    /// The cause of showing a scene again that this cause hid.
    private var end: Cause {
        switch self {
        case .iconify: .deiconify
        case .unmap: .map
        case .covered: .uncovered
        default: self
        }
    }
}
