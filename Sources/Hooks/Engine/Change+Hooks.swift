import PhaseWatch

extension Change {
    /// Whether it can bring about anything for a hook of its level.
    func isOf(_ hook: Hook) -> Bool {
        switch kind {
        case .title: hook.followsTitles
        case .facts: hook.followsFacts
        default: true
        }
    }

    /// Whether it leaves the phase as it is.
    var keepsPhase: Bool { kind == .title || kind == .facts }
}
