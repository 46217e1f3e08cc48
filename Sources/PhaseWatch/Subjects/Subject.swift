import Glibc
import Scenes

extension PhaseMonitor {
    /// What a phase is asked of.
    ///
    /// Globs are those of fnmatch(3), upper and lower case alike: `*`, `?` and `[abc]`. A subject that names
    /// several things has the greatest of their phases.
    public enum Subject: Hashable, Sendable {
        /// The applications whose class name, or one of whose instance names, a glob matches.
        ///
        /// The corresponding property is `WM_CLASS`.
        case application(String)
        /// The groups whose instance name a glob matches, in the applications that another one matches.
        ///
        /// The corresponding property is `WM_CLASS`.
        case group(String, of: String = "*")
        /// The scene of the window with an X resource id, as `gdk_x11_surface_get_xid` returns it.
        ///
        /// A dialog of the same application belongs to the scene of the window that it is for, and has none of
        /// its own.
        case scene(UInt32)
        /// Everything on the display, on all three levels.
        case all
        /// The windows of this process, taken together as an application.
        ///
        /// They are those whose `_NET_WM_PID` is its id and whose `WM_CLIENT_MACHINE` names this host, as
        /// toolkits set them.
        case ownProcess
    }
}

/// Which changes are about a subject.
struct Selection: Sendable {
    private enum Rule {
        case application(ApplicationPattern)
        case group(ApplicationPattern, of: ApplicationPattern)
        case scene(UInt32)
        case all
        case ownProcess
    }

    private let rule: Rule
    private var followed = FollowedApplications()

    init(_ subject: PhaseMonitor.Subject) {
        rule =
            switch subject {
            case .application(let glob): .application(ApplicationPattern(glob))
            case .group(let glob, let application):
                .group(ApplicationPattern(glob), of: ApplicationPattern(application))
            case .scene(let xid): .scene(xid)
            case .all: .all
            case .ownProcess: .ownProcess
            }
    }

    var isOwnProcess: Bool { if case .ownProcess = rule { true } else { false } }

    /// Whether a change is about what the subject names now.
    func matches(_ change: Change) -> Bool {
        switch (rule, change.subject) {
        case (.all, _): true
        case (.application(let pattern), .application): pattern.matches(change)
        case (.group(let pattern, let application), .group):
            pattern.matches(change.group ?? "") && application.matches(change.application)
        case (.scene(let xid), .scene(let facts)): facts.id.xid == xid
        default: false
        }
    }

    /// On which level the phases are whose greatest is that of the subject.
    var level: Change.Level {
        switch rule {
        case .application, .all, .ownProcess: .application
        case .group: .group
        case .scene: .scene
        }
    }

    /// Whether the subject names an application, by itself or by one of its groups.
    func matches(_ application: String, groups: some Sequence<String>) -> Bool {
        switch rule {
        case .all: true
        case .application(let pattern):
            pattern.matches(application) || groups.contains(where: pattern.matches)
        default: false
        }
    }

    /// Whether a window belongs to what the subject names.
    func matches(_ window: WindowFacts, _ text: WindowText) -> Bool {
        switch rule {
        case .all: true
        case .application(let pattern): pattern.matches(text.application) || pattern.matches(text.group)
        case .group(let pattern, let application):
            pattern.matches(text.group) && application.matches(text.application)
        case .scene(let xid): window.id.xid == xid
        case .ownProcess: window.pid == getpid()
        }
    }

    /// Whether a change is to be told, after those that were asked about before.
    mutating func takes(_ change: Change) -> Bool {
        let isMatch = matches(change)
        guard case .application = rule, change.level == .application else { return isMatch }
        return followed.takes(change, isMatch: isMatch)
    }
}
