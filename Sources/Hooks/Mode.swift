import PhaseWatch

/// When a hook on others reacts: while an application is in one of these phases.
public struct Mode: Hashable, Sendable {
    public var criteria: Criteria
    public var phases: Set<ScenePhase>

    public init(_ criteria: Criteria, while phases: Set<ScenePhase>) {
        (self.criteria, self.phases) = (criteria, phases)
    }

    func contains(_ change: Change) -> Bool {
        change.to.map(phases.contains) ?? false && criteria.matches(change)
    }
}

extension HookEngine {
    /// Whether a hook reacts to nothing since no application is in the phases of its mode.
    public func isOff(_ hook: Hook) -> Bool { hook.mode != nil && modes[hook.name, default: []].isEmpty }

    /// Takes note of applications that come into the phases of a mode, and leave them.
    ///
    /// - Parameter names: The hooks that may react; nil for all.
    mutating func followModes(by triggers: [HookTrigger], only names: Set<String>?) {
        guard hasModes else { return }
        for hook in hooks where names?.contains(hook.name) ?? true {
            guard let mode = hook.mode else { continue }
            for change in triggers.map(\.change) where change.level == .application {
                if mode.contains(change) {
                    modes[hook.name, default: []].insert(change.application)
                } else {
                    modes[hook.name]?.remove(change.application)
                }
            }
        }
        if resting != restingHooks { rest() }
    }

    /// The hooks that react to nothing now.
    var restingHooks: Set<String> { suspended.union(hooks.filter(isOff).map(\.name)) }
}
