import Glibc
import Scenes

extension PhaseMonitor {
    /// The applications, groups or scenes whose phase is requested.
    ///
    /// Patterns are globs, or regular expressions between slashes; see `Pattern`. A subject that names several things
    /// has the greatest of their phases.
    public enum Subject: Hashable, Sendable {
        /// The applications whose class name, or one of whose instance names, matches a pattern.
        ///
        /// The corresponding property is `WM_CLASS`.
        case application(String)
        /// The groups whose instance name matches a pattern, in the applications that match another pattern.
        ///
        /// The corresponding property is `WM_CLASS`.
        case group(String, of: String = "*")
        /// The scene of the window with an X resource ID, as returned by `gdk_x11_surface_get_xid`.
        ///
        /// A dialog belongs to the scene of the window of the same application that it is transient for. It is not a
        /// scene itself.
        case scene(UInt32)
        /// The scenes whose present title matches a pattern.
        ///
        /// A title counts when it has been stable for 250 ms, and once a second if it never is. Changes of these titles
        /// are reported, too, as `Change.Kind.title`; the last one has the title that no longer matches.
        ///
        /// The corresponding properties are `_NET_WM_NAME` and `WM_NAME`. They are read only if `Options.details`
        /// requests titles. Requesting this subject from a monitor that does not read titles is a fatal error.
        case title(String)
        /// Everything on the display, on all three levels.
        case all
        /// The windows of this process, combined as an application.
        ///
        /// They are the windows whose `_NET_WM_PID` is the process ID and whose `WM_CLIENT_MACHINE` names this host, as
        /// toolkits set them. A window that lacks one of the two counts if X-Resource reports that it belongs to a
        /// connection of this process.
        case ownProcess
    }
}

/// Selects the changes of a subject.
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

    /// - Parameter reportsTitles: Whether changes of titles are reported, whatever the subject is.
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

    /// Returns whether the subject of this selection includes the present subject of a change.
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

    /// The level of the changes whose greatest phase is the phase of the subject.
    var level: Change.Level {
        switch rule {
        case .application, .all, .ownProcess: .application
        case .group: .group
        case .scene, .title: .scene
        }
    }

    /// Returns whether the subject names an application, by its own name or by one of its groups.
    func matches(_ application: String, groups: some Sequence<String>) -> Bool {
        switch rule {
        case .all: true
        case .application(let pattern):
            pattern.matches(application) || groups.contains(where: pattern.matches)
        default: false
        }
    }

    /// Returns whether a scene belongs to what the subject names.
    ///
    /// - Parameter groups: The instance names of its application.
    func matchesScene(_ scene: Change, groups: Set<String>) -> Bool {
        guard let facts = scene.scene else { return false }
        let names = (scene.application, scene.group ?? "")
        return matches(names, groups: groups, xid: facts.id.xid, title: facts.title, pid: facts.pid)
    }

    /// Returns whether the subject names a window.
    func matches(_ window: WindowFacts, _ text: WindowText) -> Bool {
        let names = (text.application, text.group)
        return matches(names, groups: [text.group], xid: window.id.xid, title: text.title, pid: window.pid)
    }

    private func matches(
        _ names: (application: String, group: String), groups: Set<String>, xid: UInt32, title: String?,
        pid: Int32?
    ) -> Bool {
        switch rule {
        case .all: true
        case .application: matches(names.application, groups: groups)
        case .group(let pattern, let application):
            pattern.matches(names.group) && application.matches(names.application)
        case .scene(let wanted): wanted == xid
        case .title(let pattern): title.map(pattern.matches) ?? false
        case .ownProcess: pid == getpid()
        }
    }

    /// Returns whether to report a change. Call it for all changes, in order.
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
