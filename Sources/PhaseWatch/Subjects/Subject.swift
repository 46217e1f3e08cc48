import Glibc
import Scenes

extension PhaseMonitor {
    /// What a phase is asked of.
    ///
    /// Patterns are globs, or regular expressions between slashes, as `Pattern` has them. A subject that names
    /// several things has the greatest of their phases.
    public enum Subject: Hashable, Sendable {
        /// The applications whose class name, or one of whose instance names, a pattern matches.
        ///
        /// The corresponding property is `WM_CLASS`.
        case application(String)
        /// The groups whose instance name a pattern matches, in the applications that another one matches.
        ///
        /// The corresponding property is `WM_CLASS`.
        case group(String, of: String = "*")
        /// The scene of the window with an X resource id, as `gdk_x11_surface_get_xid` returns it.
        ///
        /// A dialog of the same application belongs to the scene of the window that it is for, and has none of
        /// its own.
        case scene(UInt32)
        /// The scenes whose title a pattern matches, from when that begins until it ends.
        ///
        /// A title counts when it has held still for 250 ms, and once a second if it never does. Changes of these
        /// titles are reported, too, as `Change.Kind.title`; the last one has the title that does not match.
        ///
        /// The corresponding properties are `_NET_WM_NAME` and `WM_NAME`. They are read where `Options.details` says so; a
        /// monitor without them ends the program when it is asked for this subject.
        case title(String)
        /// Everything on the display, on all three levels.
        case all
        /// The windows of this process, taken together as an application.
        ///
        /// They are those whose `_NET_WM_PID` is its id and whose `WM_CLIENT_MACHINE` names this host, as toolkits set them,
        /// and those that lack one of the two and come over a connection of this process, which X-Resource tells.
        case ownProcess
    }
}

/// Which changes are about a subject.
struct Selection: Sendable {
    private enum Rule {
        case application(Pattern)
        case group(Pattern, of: Pattern)
        case scene(UInt32)
        case title(Pattern)
        case all
        case ownProcess
    }

    private let rule: Rule
    private let reportsTitles: Bool
    private var followed = FollowedSubjects()

    /// - Parameter reportsTitles: Changes of titles are reported, whatever the subject is.
    init(_ subject: PhaseMonitor.Subject, reportsTitles: Bool = false) {
        if case .title = subject { self.reportsTitles = true } else { self.reportsTitles = reportsTitles }
        rule =
            switch subject {
            case .application(let glob): .application(Pattern(glob))
            case .group(let glob, let application):
                .group(Pattern(glob), of: Pattern(application))
            case .scene(let xid): .scene(xid)
            case .title(let title): .title(Pattern(title))
            case .all: .all
            case .ownProcess: .ownProcess
            }
    }

    /// Whether it selects by title, which may change.
    var isOfTitle: Bool { if case .title = rule { true } else { false } }

    var isOwnProcess: Bool { if case .ownProcess = rule { true } else { false } }

    /// Whether a change is about what the subject names now.
    func matches(_ change: Change) -> Bool {
        switch (rule, change.subject) {
        case (.all, _): true
        case (.application(let pattern), .application): pattern.matches(change)
        case (.group(let pattern, let application), .group):
            pattern.matches(change.group ?? "") && application.matches(change.application)
        case (.scene(let xid), .scene(let facts)): facts.id.xid == xid
        case (.title(let pattern), .scene(let facts)): facts.title.map(pattern.matches) ?? false
        default: false
        }
    }

    /// The level of the phases whose greatest is the subject's.
    var level: Change.Level {
        switch rule {
        case .application, .all, .ownProcess: .application
        case .group: .group
        case .scene, .title: .scene
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
        case .title(let pattern): text.title.map(pattern.matches) ?? false
        case .ownProcess: window.pid == getpid()
        }
    }

    /// Whether a change is to be reported. Must be asked for all changes in order.
    mutating func takes(_ change: Change) -> Bool {
        if change.kind == .title && !reportsTitles { return false }
        let isMatch = matches(change)
        switch rule {
        case .application: return followed.takes(change, isMatch: isMatch)
        case .title: return followed.takesWhileMatching(change, isMatch: isMatch)
        default: return isMatch
        }
    }
}
