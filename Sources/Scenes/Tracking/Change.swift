/// A change of the phase of a scene, a group or an application.
public struct Change: Hashable, Sendable, Codable {
    /// What has the phase.
    public enum Level: String, CaseIterable, Hashable, Sendable, Codable {
        case application, group, scene
    }

    public enum Kind: String, Hashable, Sendable, Codable {
        /// It was there when the watch began; `from` is nil.
        case initial
        /// It appeared; `from` is nil.
        case opened
        case phase
        /// It is gone; `to` is nil.
        case closed
    }

    /// How many scenes are in each phase.
    public struct Counts: Hashable, Sendable, Codable {
        public var active = 0
        public var inactive = 0
        public var background = 0

        public init(active: Int = 0, inactive: Int = 0, background: Int = 0) {
            self.active = active
            self.inactive = inactive
            self.background = background
        }

        public var all: Int { active + inactive + background }
    }

    /// What only a scene has.
    public struct SceneFacts: Hashable, Sendable, Codable {
        public var id: WindowID
        public var title: String?
        public var pid: Int32?
        /// -1 for all desktops.
        public var desktop: Int?
    }

    /// What only a group or an application has.
    public struct Members: Hashable, Sendable, Codable {
        public var counts: Counts
        /// The processes of its scenes, ascending; those that are known.
        public var pids: [Int32]
        /// The instance names of its scenes and of those that changed, ascending.
        public var groups: [String]

        package init(counts: Counts, pids: [Int32], groups: [String]) {
            self.counts = counts
            self.pids = pids
            self.groups = groups
        }
    }

    /// What stands on the level that `level` tells.
    public enum Subject: Hashable, Sendable, Codable {
        case scene(SceneFacts)
        case group(Members)
        case application(Members)
    }

    public var kind: Kind
    public var application: String
    /// The instance name; nil for applications.
    public var group: String?
    public var subject: Subject
    public var from: ScenePhase?
    public var to: ScenePhase?
    public var cause: Cause
    /// How long it was in `from`; nil where there is no `from`.
    public var held: Duration?

    package init(
        kind: Kind, application: String, group: String?, subject: Subject, from: ScenePhase?, to: ScenePhase?,
        cause: Cause, held: Duration?
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

    public var level: Level {
        switch subject {
        case .scene: .scene
        case .group: .group
        case .application: .application
        }
    }
}
