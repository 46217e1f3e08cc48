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
        /// Its process, if that is known and on this host. `_NET_WM_PID`.
        public var pid: Int32?
        /// The number of its desktop, -1 for all of them, nil where there are none. `_NET_WM_DESKTOP`.
        public var desktop: Int?

        /// The facts of a scene; a program makes them for its tests.
        public init(id: WindowID, title: String? = nil, pid: Int32? = nil, desktop: Int? = nil) {
            self.id = id
            self.title = title
            self.pid = pid
            self.desktop = desktop
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

        /// The facts of a group or an application; a program makes them for its tests.
        public init(counts: Counts, pids: [Int32], groups: [String]) {
            self.counts = counts
            self.pids = pids
            self.groups = groups
        }
    }

    /// What stands on the level that `level` tells.
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
    /// A word for scripts: `window-manager`, `server`, `session` or `resumed`; the command line has `resync` and `hooks` as well.
    public var name: String
    /// A sentence for people.
    public var text: String

    /// A notice of a program's own.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
