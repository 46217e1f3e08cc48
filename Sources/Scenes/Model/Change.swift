/// A change of the phase of a scene, a group or an application.
public struct Change: Hashable, Sendable, Codable {
    /// What has the phase.
    public enum Level: String, CaseIterable, Hashable, Sendable, Codable {
        /// All scenes with the same class name, the second string of `WM_CLASS`.
        case application
        /// The scenes of an application with the same instance name, the first string of `WM_CLASS`.
        case group
        /// One window, with its own dialogs.
        case scene
    }

    /// What happened to it.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// It was there when the watch began; `from` is nil.
        case initial
        /// It appeared; `from` is nil.
        case opened
        /// It went from one phase to another.
        case phase
        /// It is gone; `to` is nil.
        case closed
        /// A scene got another title, and kept its phase. Reported to those who ask for it only.
        case title
        /// Its desktop, process or role changed, and its phase did not. It is no line: see `ChangeBatch.refreshed`.
        case facts
    }

    /// How much of its monitor a scene takes.
    public enum Extent: String, CaseIterable, Hashable, Sendable, Codable {
        /// All of it. `_NET_WM_STATE_FULLSCREEN`.
        case fullscreen
        /// All that panels leave. `_NET_WM_STATE_MAXIMIZED_VERT` and `_HORZ`.
        case maximized
        /// As much as its user wants.
        case window
    }

    /// How many scenes are in each phase.
    public struct Counts: Hashable, Sendable, Codable {
        /// How many are active.
        public var active = 0
        /// How many are inactive.
        public var inactive = 0
        /// How many are in the background.
        public var background = 0

        /// So many of each.
        public init(active: Int = 0, inactive: Int = 0, background: Int = 0) {
            self.active = active
            self.inactive = inactive
            self.background = background
        }

        /// How many there are.
        public var all: Int { active + inactive + background }
    }

    /// What only a scene has.
    public struct SceneFacts: Hashable, Sendable, Codable {
        /// Its window.
        public var id: WindowID
        /// Its title as the window has set it; nil if it has none. `_NET_WM_NAME`, or else `WM_NAME`.
        public var title: String?
        /// Its process, if that is known and on this host. `_NET_WM_PID`, or what X-Resource tells.
        public var pid: Int32?
        /// The number of its desktop, -1 for all of them, nil where there are none. `_NET_WM_DESKTOP`.
        public var desktop: Int?
        /// The name of the program that its process executes; nil where that is not known, or where nobody asks for it.
        public var process: String?
        /// What it is for among the windows of its application, `browser` say; nil where the window does not say.
        /// `WM_WINDOW_ROLE`.
        public var role: String?
        /// The monitor that has most of it; nil unless places are read. RandR's name, or the number that XINERAMA gives it.
        public var monitor: String?
        /// The name of its desktop; nil unless places are read. `_NET_DESKTOP_NAMES`.
        public var desktopName: String?
        /// How much of its monitor it takes. `_NET_WM_STATE`.
        public var extent: Extent?

        /// The facts of a scene; a program makes them for its tests.
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

    /// What only a group or an application has.
    public struct Members: Hashable, Sendable, Codable {
        /// How many of its scenes are in each phase.
        public var counts: Counts
        /// The processes of its scenes, ascending; those that are known.
        public var pids: [Int32]
        /// The instance names of its scenes and of those that changed, ascending.
        public var groups: [String]
        /// The desktops that its scenes are on, as `SceneFacts.desktop` has them, ascending.
        public var desktops: [Int] = []
        /// The names of the programs that its processes execute, ascending; empty where nobody asks for them.
        public var processes: [String] = []

        /// The facts of a group or an application; a program makes them for its tests.
        public init(
            counts: Counts, pids: [Int32], groups: [String], desktops: [Int] = [], processes: [String] = []
        ) {
            self.counts = counts
            self.pids = pids
            self.groups = groups
            self.desktops = desktops
            self.processes = processes
        }

        /// Reads what a version without desktops and processes has written, too.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            counts = try values.decode(Counts.self, forKey: .counts)
            pids = try values.decode([Int32].self, forKey: .pids)
            groups = try values.decode([String].self, forKey: .groups)
            desktops = try values.decodeIfPresent([Int].self, forKey: .desktops) ?? []
            processes = try values.decodeIfPresent([String].self, forKey: .processes) ?? []
        }
    }

    /// A scene, a group or an application, with the facts of its level.
    public enum Subject: Hashable, Sendable, Codable {
        /// A scene, and what is known of it.
        case scene(SceneFacts)
        /// A group, and what its scenes add up to.
        case group(Members)
        /// An application, and what its scenes add up to.
        case application(Members)
    }

    /// What happened.
    public var kind: Kind
    /// The class name of `WM_CLASS`; where there is none, the name of the executable, or else `unknown`.
    public var application: String
    /// The instance name; nil for applications.
    public var group: String?
    /// What has the phase, with the facts that only its level has.
    public var subject: Subject
    /// The phase before; nil for what was not there.
    public var from: ScenePhase?
    /// The phase now; nil for what is gone.
    public var to: ScenePhase?
    /// Why it happened.
    public var cause: Cause
    /// How long it was in `from`; nil where there is no `from`.
    public var held: Duration?

    /// A change as a monitor tells it; a program makes one for its tests.
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

    /// Which of the three levels the phase is of.
    public var level: Level {
        switch subject {
        case .scene: .scene
        case .group: .group
        case .application: .application
        }
    }
}

/// Identifies a scene, a group or an application across its changes.
public struct SubjectID: Hashable, Sendable {
    /// The name of the application that it is, or belongs to.
    public var application: String
    /// The name of its group; nil for applications.
    public var group: String?
    /// Its window; nil for groups and applications.
    public var scene: WindowID?

    /// Names one; an application if nothing else is named.
    public init(application: String, group: String? = nil, scene: WindowID? = nil) {
        self.application = application
        self.group = group
        self.scene = scene
    }
}

extension Change {
    /// What has the phase.
    public var subjectID: SubjectID {
        SubjectID(application: application, group: group, scene: scene?.id)
    }

    /// The facts of the scene; nil for groups and applications.
    public var scene: SceneFacts? { if case .scene(let facts) = subject { facts } else { nil } }
}

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

/// A message about the watch itself: a new window manager, a lock, a silent server.
public enum Notice: Hashable, Sendable {
    /// What limits the phases of all scenes has changed.
    case session(SessionChange)
    /// Anything else, as a word for scripts and a sentence for people.
    case message(name: String, text: String)

    /// A notice of a program's own.
    public init(name: String, text: String) {
        self = .message(name: name, text: text)
    }

    /// A word for scripts: `window-manager`, `server`, `session` or `resumed`; the command line has `resync` and `hooks` as well.
    public var name: String {
        switch self {
        case .session: "session"
        case .message(let name, _): name
        }
    }

    /// The cause of the changes that a change of the session brings about; nil for anything else.
    public var cause: Cause? {
        if case .session(let change) = self { change.cause } else { nil }
    }

    /// A sentence for people, made when it is asked for.
    public var text: String {
        switch self {
        case .session(let change): change.text
        case .message(_, let text): text
        }
    }
}
