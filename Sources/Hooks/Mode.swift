import PhaseWatch

/// The condition of a hook on other applications, which reacts while an application is in one of these phases.
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
    /// Returns whether a hook does not react because no application is in the phases of its mode.
    public func isOff(_ hook: Hook) -> Bool { hook.mode != nil && modes[hook.name, default: []].isEmpty }

    /// Records the applications that enter and leave the phases of modes.
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

    /// The names of the hooks that are suspended, or whose mode is off.
    var restingHooks: Set<String> { suspended.union(hooks.filter(isOff).map(\.name)) }
}
