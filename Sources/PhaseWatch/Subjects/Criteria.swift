import Scenes

/// Criteria that select applications, groups and scenes. One match in each list is enough; an empty list matches
/// everything.
package struct Criteria: Hashable, Sendable {
    /// Patterns for the class name, then the instance names.
    package var application: [Pattern] = []
    /// Scenes by their windows, besides those of `application`.
    package var scenes: Set<UInt32> = []
    /// Patterns for the instance names alone.
    package var instance: [Pattern] = []
    /// Patterns for the names of the programs that processes execute; needs `PhaseWatcher.Details.processes`.
    package var process: [Pattern] = []
    /// Patterns for titles, which only scenes have; needs `PhaseWatcher.Details.titles`.
    package var title: [Pattern] = []
    /// Patterns for `WM_WINDOW_ROLE`, which only scenes have.
    package var role: [Pattern] = []
    /// Patterns for the names of monitors, which only scenes have; needs `PhaseWatcher.Details.locations`.
    package var monitor: [Pattern] = []
    /// Patterns for the names of desktops, for scenes only; needs `PhaseWatcher.Details.locations`.
    package var desktopName: [Pattern] = []
    /// How much of their monitor scenes occupy.
    package var extent: Set<Change.Extent> = []
    /// The numbers of desktops, from 0. A scene on all desktops matches every number; -1 matches only such scenes.
    package var desktop: Set<Int> = []
    /// Patterns for the class name, then the instance names, of subjects to exclude.
    package var exclude: [Pattern] = []

    package init() {}

    /// Whether a subject can start or stop matching while its names stay the same.
    package var followsFacts: Bool {
        !details.isEmpty || !role.isEmpty || !desktop.isEmpty || !extent.isEmpty
    }

    /// The details that the criteria need besides phases.
    package var details: PhaseWatcher.Details {
        [
            title.isEmpty ? [] : .titles, process.isEmpty ? [] : .processes,
            monitor.isEmpty && desktopName.isEmpty ? [] : .locations,
        ]
    }

    /// Returns whether the subject of a change matches, whatever the change is. A group or an application has the
    /// desktops and the processes of its scenes.
    package func matches(_ change: Change) -> Bool {
        if let scene = change.subjectID.scene, scenes.contains(scene.xid) { return true }
        if !scenes.isEmpty && application.isEmpty { return false }
        guard matches(change.application, change.instances, among: change.instances) else { return false }
        return switch change.subject {
        case .scene(let facts): matches(facts)
        case .group(let members), .application(let members):
            process.choose(members.processes) && isOn(members.desktops)
                && title.isEmpty && role.isEmpty && monitor.isEmpty && desktopName.isEmpty && extent.isEmpty
        }
    }

    /// - Parameter all: The instance names that stand for the application, too.
    func matches(_ application: String, _ instances: [String], among all: [String]) -> Bool {
        self.application.choose([application] + all) && instance.choose(instances)
            && !exclude.contains { pattern in ([application] + all).contains(where: pattern.matches) }
    }

    func matches(_ facts: Change.SceneFacts) -> Bool {
        process.choose([facts.process]) && title.choose([facts.title]) && role.choose([facts.role])
            && monitor.choose([facts.monitor]) && desktopName.choose([facts.desktopName])
            && (extent.isEmpty || facts.extent.map(extent.contains) ?? false) && isOn([facts.desktop])
    }

    private func isOn(_ numbers: [Int?]) -> Bool {
        desktop.isEmpty || numbers.contains { $0 == -1 || $0.map(desktop.contains) ?? false }
    }
}

extension [Pattern] {
    fileprivate func choose(_ texts: [String?]) -> Bool {
        isEmpty || contains { pattern in texts.contains { $0.map(pattern.matches) ?? false } }
    }
}

extension Change {
    var instances: [String] { members?.groups ?? group.map { [$0] } ?? [] }
}

/// Subjects that were reported because they matched. They are reported until they close, even if they no longer match, such
/// as an application whose matching instance has closed. Otherwise the last line about them would no longer be true.
package struct FollowedSubjects: Sendable {
    private var followed: Set<SubjectID> = []

    package init() {}

    /// Returns whether to report a change of a subject that matches now or not. Call it for all changes, in order. A brief
    /// subject is forgotten once it no longer matches.
    package mutating func takes(_ change: Change, isMatch: Bool, isBrief: Bool = false) -> Bool {
        let isFollowed = followed.contains(change.subjectID)
        let isKept = change.kind != .closed && (isMatch || isFollowed && !isBrief)
        if isKept { followed.insert(change.subjectID) } else { followed.remove(change.subjectID) }
        return isMatch || isFollowed
    }
}
