/// How much a scene, a group or an application is in use.
///
/// The order is `background < inactive < active`, so that the phase of many scenes is their `max()`.
/// The raw value is the lower-case name that lines, hooks and arguments use.
///
/// The corresponding type is SwiftUI's `ScenePhase`.
public enum ScenePhase: String, CaseIterable, Comparable, Hashable, Sendable, Codable {
    /// Not visible in the user interface.
    case background
    /// In the foreground, but should pause its work.
    case inactive
    /// In the foreground and interactive.
    case active

    public static func < (left: ScenePhase, right: ScenePhase) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .background: 0
        case .inactive: 1
        case .active: 2
        }
    }
}
