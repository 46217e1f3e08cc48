import Scenes

/// The applications that were told of because a pattern chose them.
///
/// One that is chosen by an instance name stays so when that instance goes, or the last change of it would not
/// be true for long.
public struct FollowedApplications: Sendable {
    private var names: Set<String> = []

    public init() {}

    /// Whether a change of an application is to be told.
    ///
    /// - Parameter isMatch: The pattern chooses it now.
    public mutating func takes(_ change: Change, isMatch: Bool) -> Bool {
        let isFollowed = names.contains(change.application)
        if change.kind == .closed {
            names.remove(change.application)
        } else if isMatch {
            names.insert(change.application)
        }
        return isMatch || isFollowed
    }
}
