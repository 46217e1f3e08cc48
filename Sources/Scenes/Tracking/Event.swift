/// One thing that a watcher tells: a change, or a notice about the watch itself.
package enum Event: Hashable, Sendable {
    case change(Change)
    case notice(Notice)

    /// nil for a notice.
    package var change: Change? {
        if case .change(let change) = self { change } else { nil }
    }
}

/// Something that a reader of changes needs to know to believe them.
package struct Notice: Hashable, Sendable {
    /// A word for scripts: `window-manager`, `resync`.
    package var name: String
    /// A sentence for people.
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
