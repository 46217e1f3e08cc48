/// Which of the visible scenes count as active.
///
/// Scenes that are not visible are in the background under every policy.
public enum PhasePolicy: String, CaseIterable, Hashable, Sendable {
    /// The scene with the input focus is active, every other visible scene is inactive.
    case focus
    /// Every visible scene of the application that has the focus is active.
    case application
    /// Every visible scene is active, as on macOS.
    case visible
}
