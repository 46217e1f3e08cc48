/// An event from a watcher: a change, or a notice about the watch itself.
public enum Event: Hashable, Sendable {
    /// A phase changed, or a scene, group or application appeared or disappeared.
    case change(Change)
    /// A notice about the watch itself.
    case notice(Notice)

    /// The change; nil for a notice.
    public var change: Change? { if case .change(let change) = self { change } else { nil } }
}
