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
        /// The scenes whose role matches a pattern, in the applications that match another pattern: a group by purpose,
        /// such as the settings windows.
        ///
        /// The corresponding property is `WM_WINDOW_ROLE`. Some programs set a different one for each window, and many
        /// set none. A window that gets its role late is among the changes of this subject from its next change on.
        case role(String, of: String = "*")
        /// Everything on the display, on all three levels.
        case all
        /// The windows of this process, combined as an application.
        ///
        /// They are the windows whose `_NET_WM_PID` is the process ID and whose `WM_CLIENT_MACHINE` names this host, as
        /// toolkits set them. A window that lacks one of the two counts if X-Resource reports that it belongs to a
        /// connection of this process.
        case ownProcess
        /// The windows of this process whose instance name matches a pattern, without those of another run of the
        /// program.
        case ownGroup(String)
        /// Everything that any of these subjects names.
        case any([Subject])

        /// The subjects without unions.
        fileprivate var parts: [Subject] {
            if case .any(let subjects) = self { subjects.flatMap(\.parts) } else { [self] }
        }
    }
}

/// Selects the changes and the scenes of a subject.
struct Selection: Sendable {
    static var ownProcess: Int32 { getpid() }

    private var parts: [Part]

    /// - Parameter reportsTitles: Whether changes of titles are reported, whatever the subject is.
    init(_ subject: PhaseMonitor.Subject, reportsTitles: Bool = false) {
        parts = subject.parts.compactMap { Part($0, reportsTitles: reportsTitles) }
    }

    /// Whether the subject names titles.
    var isOfTitles: Bool { parts.contains { if case .title = $0.rule { true } else { false } } }

    /// Returns whether the subject includes the present subject of a change.
    ///
    /// - Parameter isOwn: Whether it is a change of this process or one of its groups.
    func matches(_ change: Change, isOwn: Bool = false) -> Bool {
        parts.contains { $0.matches(change, isOwn: isOwn) }
    }

    /// Returns whether a scene belongs to what the subject names.
    ///
    /// - Parameter groups: The instance names of its application.
    func matchesScene(_ scene: Change, groups: Set<String>) -> Bool {
        Window(scene).map { matches($0, groups: groups) } ?? false
    }

    /// Returns whether the subject names a window.
    ///
    /// - Parameter groups: The instance names of its application.
    func matches(_ window: Window, groups: Set<String>) -> Bool {
        parts.contains { $0.matches(window, groups: groups) }
    }

    /// Returns whether to report a change. Call it for all changes, in order.
    ///
    /// - Parameter isOwn: Whether it is a change of this process or one of its groups.
    mutating func takes(_ change: Change, isOwn: Bool = false) -> Bool {
        var isTaken = false
        for index in parts.indices where parts[index].takes(change, isOwn: isOwn) { isTaken = true }
        return isTaken
    }
}

extension Selection {
    /// The facts of a window by which subjects select it.
    struct Window {
        var application, group: String
        var xid: UInt32
        var title, role: String?
        var pid: Int32?

        init(_ facts: WindowFacts, _ text: WindowText) {
            (application, group, xid) = (text.application, text.group, facts.id.xid)
            (title, role, pid) = (text.title, text.role, facts.pid)
        }

        /// Returns nil for a change of a group or an application.
        init?(_ scene: Change) {
            guard let facts = scene.scene else { return nil }
            (application, group, xid) = (scene.application, scene.group ?? "", facts.id.xid)
            (title, role, pid) = (facts.title, facts.role, facts.pid)
        }
    }

    /// A subject that is not a union.
    struct Part: Sendable {
        fileprivate enum Rule {
            case application(Pattern)
            case group(Pattern, of: Pattern)
            case scene(UInt32)
            case title(Pattern)
            case role(Pattern, of: Pattern)
            case all
            case ownProcess
            case ownGroup(Pattern)
        }

        fileprivate let rule: Rule
        private let reportsTitles: Bool
        private var followed = FollowedSubjects()

        /// Returns nil for a union.
        fileprivate init?(_ subject: PhaseMonitor.Subject, reportsTitles: Bool) {
            self.reportsTitles = reportsTitles
            switch subject {
            case .application(let glob): rule = .application(Pattern(glob))
            case .group(let glob, let application): rule = .group(Pattern(glob), of: Pattern(application))
            case .scene(let xid): rule = .scene(xid)
            case .title(let title): rule = .title(Pattern(title))
            case .role(let role, let application): rule = .role(Pattern(role), of: Pattern(application))
            case .all: rule = .all
            case .ownProcess: rule = .ownProcess
            case .ownGroup(let glob): rule = .ownGroup(Pattern(glob))
            case .any: return nil
            }
        }

        /// Not inlined: it would stand in three places, and take 8 KB in each.
        @inline(never)
        fileprivate func matches(_ change: Change, isOwn: Bool) -> Bool {
            switch (rule, change.subject) {
            case (.ownProcess, .application): isOwn
            case (.ownGroup(let pattern), .group): isOwn && pattern.matches(change.group ?? "")
            case _ where isOwn: false
            case (.all, _): true
            case (.application(let pattern), .application): pattern.matches(change)
            case (.group(let pattern, let application), .group):
                pattern.matches(change.group ?? "") && application.matches(change.application)
            case (.scene, .scene), (.title, .scene), (.role, .scene):
                Window(change).map { matches($0, groups: []) } ?? false
            default: false
            }
        }

        /// - Parameter groups: The instance names of the application.
        fileprivate func matches(_ window: Window, groups: Set<String>) -> Bool {
            switch rule {
            case .all: true
            case .application(let pattern):
                pattern.matches(window.application) || groups.contains(where: pattern.matches)
            case .group(let pattern, let application):
                pattern.matches(window.group) && application.matches(window.application)
            case .scene(let wanted): wanted == window.xid
            case .title(let pattern): window.title.map(pattern.matches) ?? false
            case .role(let pattern, let application):
                window.role.map(pattern.matches) ?? false && application.matches(window.application)
            case .ownProcess: window.pid == ownProcess
            case .ownGroup(let pattern): window.pid == ownProcess && pattern.matches(window.group)
            }
        }

        fileprivate mutating func takes(_ change: Change, isOwn: Bool) -> Bool {
            let isMatch = matches(change, isOwn: isOwn)
            // Not followed: this process may have the name of an application.
            if isOwn { return isMatch }
            switch rule {
            case .title: return followed.takesWhileMatching(change, isMatch: isMatch)
            case _ where change.kind == .title && !reportsTitles: return false
            case .application: return followed.takes(change, isMatch: isMatch)
            case .role: return followed.takesWhileMatching(change, isMatch: isMatch)
            default: return isMatch
            }
        }
    }
}
