/// A notice about the watch itself: a new window manager, a lock, an unresponsive server.
public enum Notice: Hashable, Sendable {
    /// A limit on the phases of all scenes changed.
    case session(SessionChange)
    /// Any other notice: a word for scripts and a sentence for people.
    case message(name: String, text: String)

    /// Creates a custom notice.
    package init(name: String, text: String) {
        self = .message(name: name, text: text)
    }

    /// A word for scripts: `window-manager`, `server`, `session`, `monitors` or `resumed`; the command line adds
    /// `resync` and `hooks`.
    public var name: String {
        switch self {
        case .session: "session"
        case .message(let name, _): name
        }
    }

    /// A sentence for people, formatted on access.
    public var text: String {
        switch self {
        case .session(let change): change.text
        case .message(_, let text): text
        }
    }
}
