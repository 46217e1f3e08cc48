/// A change of the phase of a scene, a group or an application.
public struct Change: Hashable, Sendable {
    /// What a change is about.
    public enum Level: String, CaseIterable, Hashable, Sendable, Codable {
        /// All scenes with the same class name, the second string of `WM_CLASS`.
        case application
        /// The scenes of an application with the same instance name, the first string of `WM_CLASS`.
        case group
        /// One window with its dialogs.
        case scene
    }

    /// The kind of a change.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The subject existed when the watch began; `from` is nil.
        case initial
        /// The subject appeared; `from` is nil.
        case opened
        /// The subject changed from one phase to another.
        case phase
        /// The subject is gone; `to` is nil.
        case closed
        /// The title of a scene changed, but not its phase. Reported only on request.
        case title
        /// A fact such as the desktop, process or role changed, but not the phase. Lines do not report it.
        case facts
    }

    /// How much of its monitor a scene occupies.
    public enum Extent: String, CaseIterable, Hashable, Sendable, Codable {
        /// All of it. `_NET_WM_STATE_FULLSCREEN`.
        case fullscreen
        /// The work area. `_NET_WM_STATE_MAXIMIZED_VERT` and `_HORZ`.
        case maximized
        /// Any other size.
        case window
        /// One area together with other windows, of which one is in front.
        case tab
    }

    /// The number of scenes in each phase.
    public struct Counts: Hashable, Sendable {
        /// The number of active scenes.
        public var active = 0
        /// The number of inactive scenes.
        public var inactive = 0
        /// The number of scenes in the background.
        public var background = 0

        /// Creates counts for the three phases.
        public init(active: Int = 0, inactive: Int = 0, background: Int = 0) {
            self.active = active
            self.inactive = inactive
            self.background = background
        }

        /// The number of scenes in all phases.
        public var all: Int { active + inactive + background }
    }

    /// The facts that only a scene has.
    public struct SceneFacts: Hashable, Sendable {
        /// The window of the scene.
        public var id: WindowID
        /// The title that the window has set; nil if it has none. `_NET_WM_NAME`, or else `WM_NAME`.
        public var title: String?
        /// The process, if it is known and on this host: the one that X-Resource reports, or else `_NET_WM_PID`.
        public var pid: Int32?
        /// The desktop number; -1 for all desktops, nil if it is not set. `_NET_WM_DESKTOP`.
        public var desktop: Int?
        /// The name of the executable of the process; nil if it is unknown or not requested.
        public var process: String?
        /// The purpose of the window within its application, such as `browser`; nil if it is not set. `WM_WINDOW_ROLE`.
        public var role: String?
        /// The name in RandR of the monitor with its largest part; nil before RandR 1.5, and unless locations are read.
        public var monitor: String?
        /// The name of the desktop; nil unless locations are read. `_NET_DESKTOP_NAMES`.
        public var desktopName: String?
        /// How much of its monitor the scene occupies. `_NET_WM_STATE`.
        public var extent: Extent?

        /// Creates the facts of a scene, for tests.
        public init(
            id: WindowID, title: String? = nil, pid: Int32? = nil, desktop: Int? = nil,
            process: String? = nil, role: String? = nil, monitor: String? = nil, desktopName: String? = nil,
            extent: Extent? = .window
        ) {
            self.id = id
            self.title = title
            self.pid = pid
            self.desktop = desktop
            self.process = process
            self.role = role
            self.monitor = monitor
            self.desktopName = desktopName
            self.extent = extent
        }
    }

    /// The facts that only a group or an application has.
    public struct Members: Hashable, Sendable {
        /// The number of its scenes in each phase.
        public var counts: Counts
        /// The known processes of its scenes, ascending.
        public var pids: [Int32]
        /// The instance names of its scenes and of the scenes that changed, ascending.
        public var groups: [String]
        /// The desktops of its scenes, ascending, numbered as in `SceneFacts.desktop`.
        public var desktops: [Int] = []
        /// The names of the executables of its processes, ascending; empty if they are not requested.
        public var processes: [String] = []

        /// Creates the facts of a group or an application, for tests.
        public init(
            counts: Counts, pids: [Int32], groups: [String], desktops: [Int] = [], processes: [String] = []
        ) {
            self.counts = counts
            self.pids = pids
            self.groups = groups
            self.desktops = desktops
            self.processes = processes
        }
    }

    /// A scene, a group or an application, with the facts of its level.
    ///
    /// It is indirect, since its facts have many references, and changes are copied often.
    public indirect enum Subject: Hashable, Sendable {
        /// A scene with its facts.
        case scene(SceneFacts)
        /// A group with the totals of its scenes.
        case group(Members)
        /// An application with the totals of its scenes.
        case application(Members)
    }

    /// The kind of the change.
    public var kind: Kind
    /// The class name in `WM_CLASS`; without one, the name of the executable, or else `unknown`.
    public var application: String
    /// The instance name; nil for applications.
    public var group: String?
    /// The scene, group or application, with the facts of its level.
    public var subject: Subject
    /// The phase before; nil if the subject did not exist.
    public var from: ScenePhase?
    /// The phase now; nil if the subject is gone.
    public var to: ScenePhase?
    /// The cause of the change.
    public var cause: Cause
    /// The time spent in `from`; nil without `from`.
    public var held: Duration?

    /// Creates a change, for tests.
    public init(
        kind: Kind, application: String, group: String? = nil, subject: Subject, from: ScenePhase? = nil,
        to: ScenePhase? = nil, cause: Cause, held: Duration? = nil
    ) {
        self.kind = kind
        self.application = application
        self.group = group
        self.subject = subject
        self.from = from
        self.to = to
        self.cause = cause
        self.held = held
    }

    /// The level of the subject.
    public var level: Level {
        switch subject {
        case .scene: .scene
        case .group: .group
        case .application: .application
        }
    }

    /// The identity of the subject.
    public var subjectID: SubjectID { SubjectID(application: application, group: group, scene: scene?.id) }

    /// The totals of the group or application; nil for scenes.
    public var members: Members? {
        switch subject {
        case .scene: nil
        case .group(let members), .application(let members): members
        }
    }

    /// The facts of the scene; nil for groups and applications.
    public var scene: SceneFacts? { if case .scene(let facts) = subject { facts } else { nil } }
}
