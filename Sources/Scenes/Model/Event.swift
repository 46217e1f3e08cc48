/// One thing that a watcher tells: a change, or a notice about the watch itself.
public enum Event: Hashable, Sendable {
    /// A phase changed, or what has one came or went.
    case change(Change)
    /// Something about the watch itself.
    case notice(Notice)

    /// nil for a notice.
    public var change: Change? {
        if case .change(let change) = self { change } else { nil }
    }
}

/// Something that a reader of changes needs to know to believe them.
public struct Notice: Hashable, Sendable {
    /// A word for scripts: `window-manager`; the command line has `resync` and `hooks` as well.
    public var name: String
    /// A sentence for people.
    public var text: String

    /// A notice of a program's own.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
