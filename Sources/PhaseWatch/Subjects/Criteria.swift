import Scenes

/// Criteria that select applications, groups and scenes. One match in each list is enough; an empty list matches
/// everything.
public struct Criteria: Hashable, Sendable {
    /// Patterns for the class name, then the instance names.
    public var application: [Pattern] = []
    /// Patterns for the instance names alone.
    public var instance: [Pattern] = []
    /// Patterns for the names of the programs that processes execute; needs `PhaseWatcher.Details.processes`.
    public var process: [Pattern] = []
    /// Patterns for titles, which only scenes have; needs `PhaseWatcher.Details.titles`.
    public var title: [Pattern] = []
    /// Patterns for `WM_WINDOW_ROLE`, which only scenes have.
    public var role: [Pattern] = []
    /// Patterns for the names of monitors, which only scenes have; needs `PhaseWatcher.Details.places`.
    public var monitor: [Pattern] = []
    /// Patterns for the names of desktops, for scenes only; needs `PhaseWatcher.Details.places`.
    public var desktopName: [Pattern] = []
    /// How much of their monitor scenes occupy.
    public var extent: Set<Change.Extent> = []
    /// The numbers of desktops, from 0. A scene on all desktops matches every number; -1 matches only such scenes.
    public var desktop: Set<Int> = []
    /// Patterns for the class name, then the instance names, of subjects to exclude.
    public var exclude: [Pattern] = []

    /// Creates criteria that match everything.
    public init() {}

    /// Whether the criteria match everything.
    public var isEmpty: Bool { self == Criteria() }

    /// Whether a subject can start or stop matching while its names stay the same, for example by its title, role,
    /// desktop or process.
    public var followsFacts: Bool {
        !details.isEmpty || !role.isEmpty || !desktop.isEmpty || !extent.isEmpty
    }

    /// The details that the criteria need besides phases.
    public var details: PhaseWatcher.Details {
        [
            title.isEmpty ? [] : .titles, process.isEmpty ? [] : .processes,
            monitor.isEmpty && desktopName.isEmpty ? [] : .places,
        ]
    }

    /// Returns whether the subject of a change matches, whatever the change is. A group or an application has the
    /// desktops and the processes of its scenes.
    public func matches(_ change: Change) -> Bool {
        Self.chooses(application) { $0.matches(change) }
            && Self.chooses(instance) { $0.matchesInstance(of: change) }
            && matches(change.subject)
            && !exclude.contains { $0.matches(change) }
    }

    private func matches(_ subject: Change.Subject) -> Bool {
        switch subject {
        case .scene(let facts):
            Self.chooses(process) { facts.process.map($0.matches) ?? false }
                && Self.chooses(title) { facts.title.map($0.matches) ?? false }
                && Self.chooses(role) { facts.role.map($0.matches) ?? false }
                && Self.chooses(monitor) { facts.monitor.map($0.matches) ?? false }
                && Self.chooses(desktopName) { facts.desktopName.map($0.matches) ?? false }
                && (extent.isEmpty || facts.extent.map(extent.contains) ?? false)
                && (desktop.isEmpty || facts.desktop.map(isOn) ?? false)
        case .group(let members), .application(let members):
            Self.chooses(process) { members.processes.contains(where: $0.matches) }
                && title.isEmpty && role.isEmpty && monitor.isEmpty && desktopName.isEmpty && extent.isEmpty
                && (desktop.isEmpty || members.desktops.contains(where: isOn))
        }
    }

    private func isOn(_ number: Int) -> Bool { number == -1 || desktop.contains(number) }

    private static func chooses(_ patterns: [Pattern], _ isMatch: (Pattern) -> Bool) -> Bool {
        patterns.isEmpty || patterns.contains(where: isMatch)
    }
}

/// Subjects that were reported because they matched.
///
/// They are reported until they close, even if they no longer match, such as an application whose matching instance has
/// closed. Otherwise the last line about them would no longer be true.
public struct FollowedSubjects: Sendable {
    private var followed: Set<SubjectID> = []

    public init() {}

    /// Returns whether to report a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isMatch: Whether the subject matches now.
    public mutating func takes(_ change: Change, isMatch: Bool) -> Bool {
        let subject = change.subjectID
        let isFollowed = followed.contains(subject)
        if change.kind == .closed {
            if isFollowed { followed.remove(subject) }
        } else if isMatch && !isFollowed {
            followed.insert(subject)
        }
        return isMatch || isFollowed
    }

    /// Like `takes`, but forgets a subject that no longer matches after this change.
    mutating func takesWhileMatching(_ change: Change, isMatch: Bool) -> Bool {
        let isReported = takes(change, isMatch: isMatch)
        if !isMatch { followed.remove(change.subjectID) }
        return isReported
    }
}
