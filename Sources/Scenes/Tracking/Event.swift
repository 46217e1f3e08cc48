/// One thing that a watcher tells: a change, or a notice about the watch itself.
public enum Event: Hashable, Sendable {
    case change(Change)
    case notice(Notice)

    /// nil for a notice.
    public var change: Change? {
        if case .change(let change) = self { change } else { nil }
    }
}

/// Something that a reader of changes needs to know to believe them.
public struct Notice: Hashable, Sendable {
    /// A word for scripts: `window-manager`, `resync`.
    public var name: String
    /// A sentence for people.
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
