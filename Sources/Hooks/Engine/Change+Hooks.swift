import PhaseWatch

extension Change {
    /// Returns whether the change can affect a hook of its level.
    func isOf(_ hook: Hook) -> Bool {
        switch kind {
        case .title: hook.followsTitles
        case .facts: hook.followsFacts
        default: true
        }
    }

    /// Whether the change keeps the phase.
    var keepsPhase: Bool { kind == .title || kind == .facts }
}
