import Glibc
import Scenes

extension PhaseMonitor {
    /// The applications, groups or scenes whose phase is requested.
    ///
    /// Patterns are globs of fnmatch(3), which must match the whole text, or extended regular expressions of regex(7)
    /// between slashes, which may match any part of it: `*chrom*` or `/^mozilla|chrom/`. Matching ignores case. A subject
    /// that names several things has the greatest of their phases.
    public enum Subject: Hashable, Sendable {
        /// The applications whose class name, or one of whose instance names, matches a pattern; see `WM_CLASS`.
        case application(String)
        /// The groups whose instance name matches a pattern, in the applications that match another one; see
        /// `WM_CLASS`.
        case group(String, of: String = "*")
        /// The scene of the window with an X resource ID, as returned by `gdk_x11_surface_get_xid`. A dialog belongs to
        /// the scene of the window of the same application that it is transient for.
        case scene(UInt32)
        /// The scenes whose present title matches a pattern; see `_NET_WM_NAME`.
        ///
        /// A title counts when it has been stable for 250 ms, and once a second if it never is. Its changes are reported,
        /// too, as `Change.Kind.title`; the last one has the title that no longer matches. `MonitorFailure.titlesNotRead` is
        /// thrown if `Options.details` do not request titles.
        case title(String)
        /// The scenes whose role matches a pattern, in the applications that match another one.
        ///
        /// Some programs set a different `WM_WINDOW_ROLE` for each window, and many set none. A window that gets its
        /// role late is among the changes of this subject from its next change on.
        case role(String, of: String = "*")
        /// Everything on the display, on all three levels.
        case all
        /// The scenes of this process: those of its connections, as X-Resource reports. If the server reports none, those
        /// whose `_NET_WM_PID` is the process ID and whose `WM_CLIENT_MACHINE` names this host, as toolkits set them.
        case ownProcess
        /// The scenes of this process whose instance name matches a pattern, without those of another run of the program.
        case ownGroup(String)
        /// Everything that any of these subjects names.
        case any([Subject])
    }
}

/// Selects the changes and the scenes of a subject.
struct Selection: Sendable {
    /// A subject that is not a union.
    private struct Part: Sendable {
        /// nil for all levels.
        var level: Change.Level?
        var criteria = Criteria()
        var window: UInt32?
        /// Whether it names windows of this process only.
        var isOwn = false
        var followed = FollowedSubjects()

        /// Returns whether the window and the process of a scene are those that it names.
        func names(_ scene: Change.SceneFacts?) -> Bool {
            (window == nil || window == scene?.id.xid) && (!isOwn || scene?.pid == getpid())
        }

        mutating func takes(_ change: Change, _ reportsTitles: Bool) -> Bool {
            let isMatch =
                (level == nil || level == change.level) && names(change.scene) && criteria.matches(change)
            if change.kind == .title && criteria.title.isEmpty && !reportsTitles { return false }
            return followed.takes(change, isMatch: isMatch, isBrief: criteria.followsFacts)
        }
    }

    private var parts: [Part] = []
    private let reportsTitles: Bool

    /// - Parameter reportsTitles: Whether changes of titles are reported, whatever the subject is.
    init(_ subject: PhaseMonitor.Subject, reportsTitles: Bool = false) {
        self.reportsTitles = reportsTitles
        add(subject)
    }

    private mutating func add(_ subject: PhaseMonitor.Subject) {
        var part = Part()
        switch subject {
        case .application(let name): (part.level, part.criteria.application) = (.application, [Pattern(name)])
        case .group(let name, let application):
            (part.level, part.criteria.instance) = (.group, [Pattern(name)])
            part.criteria.application = [Pattern(application)]
        case .scene(let window): (part.level, part.window) = (.scene, window)
        case .title(let title): (part.level, part.criteria.title) = (.scene, [Pattern(title)])
        case .role(let role, let application):
            (part.level, part.criteria.role) = (.scene, [Pattern(role)])
            part.criteria.application = [Pattern(application)]
        case .all: break
        case .ownProcess: (part.level, part.isOwn) = (.scene, true)
        case .ownGroup(let name):
            (part.level, part.isOwn, part.criteria.instance) = (.scene, true, [Pattern(name)])
        case .any(let subjects):
            for subject in subjects { add(subject) }
            return
        }
        parts.append(part)
    }

    /// Whether the subject names titles.
    var isOfTitles: Bool { parts.contains { !$0.criteria.title.isEmpty } }

    /// Returns whether a scene, of an application with these instance names, belongs to what the subject names.
    func includes(_ scene: PhaseMonitor.Scene, of instances: [String]) -> Bool {
        parts.contains { part in
            part.names(scene.facts)
                && part.criteria.matches(scene.application, [scene.group], among: instances)
                && part.criteria.matches(scene.facts)
        }
    }

    /// Returns whether to report a change. Call it for all changes, in order.
    mutating func takes(_ change: Change) -> Bool {
        var isTaken = false
        for index in parts.indices where parts[index].takes(change, reportsTitles) { isTaken = true }
        return isTaken
    }
}
