import Scenes

extension PhaseMonitor {
    /// A scene with its present phase.
    public struct Scene: Hashable, Sendable, Identifiable {
        /// The name of its application.
        public var application: String
        /// The name of its group.
        public var group: String
        /// Its window, and the facts that only a scene has.
        public var facts: Change.SceneFacts
        /// The phase that was last reported.
        public var phase: ScenePhase

        /// The window.
        public var id: WindowID { facts.id }

        /// Creates a scene, for tests.
        public init(
            application: String, group: String, facts: Change.SceneFacts, phase: ScenePhase = .background
        ) {
            (self.application, self.group, self.facts, self.phase) = (application, group, facts, phase)
        }

        /// The scene that a change reports, or has reported last; nil for a change of a group or an application.
        init?(_ change: Change) {
            guard let facts = change.scene, let phase = change.to ?? change.from else { return nil }
            (application, group) = (change.application, change.group ?? "")
            (self.facts, self.phase) = (facts, phase)
        }
    }
}

/// The last reported state of everything on the display.
struct Snapshot: Sendable {
    /// Changes of the kind `initial`: scenes before their group, groups before their application.
    private(set) var present: [Change] = []
    /// In the order of their windows.
    private var scenes: [PhaseMonitor.Scene] = []
    /// The instance names of each application.
    private var instances: [String: [String]] = [:]

    /// Returns the scenes of everything that a subject names, in order.
    func scenes(of selection: Selection) -> [PhaseMonitor.Scene] {
        scenes.filter { selection.includes($0, of: instances[$0.application] ?? []) }
    }

    /// Takes changes that were reported together, and everything that exists after them.
    mutating func update(_ changes: [Change], _ present: [Change]) {
        let shown = Set(changes.compactMap { $0.scene?.id })
        let titles = Dictionary(scenes.map { ($0.id, $0.facts.title) }) { $1 }
        self.present = present.map { change in
            // A title that is not stable yet is not reported.
            var change = change
            if var facts = change.scene, !shown.contains(facts.id), let title = titles[facts.id] {
                facts.title = title
                change.subject = .scene(facts)
            }
            return change
        }
        scenes = self.present.compactMap { PhaseMonitor.Scene($0) }.sorted { $0.id < $1.id }
        instances = Dictionary(grouping: present.filter { $0.level == .application }, by: \.application)
            .mapValues { $0.flatMap(\.instances) }
    }
}
