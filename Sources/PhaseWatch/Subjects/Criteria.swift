import Scenes

/// What chooses among applications, groups and scenes. Of each of its lists one is enough; an empty one chooses all.
public struct Criteria: Hashable, Sendable {
    /// For the class name, then the instance names.
    public var application: [Pattern] = []
    /// For the instance names alone.
    public var instance: [Pattern] = []
    /// For the names of the programs that processes execute; needs `PhaseWatcher.Details.processes`.
    public var process: [Pattern] = []
    /// For titles, which only scenes have; needs `PhaseWatcher.Details.titles`.
    public var title: [Pattern] = []
    /// For WM_WINDOW_ROLE, which only scenes have.
    public var role: [Pattern] = []
    /// For the names of monitors, which only scenes have; needs `PhaseWatcher.Details.places`.
    public var monitor: [Pattern] = []
    /// For the names of desktops, of scenes alone; needs `PhaseWatcher.Details.places`.
    public var desktopName: [Pattern] = []
    /// How much of their monitor scenes take.
    public var extent: Set<Change.Extent> = []
    /// The numbers of desktops, the first of which is 0. What is on all of them is on each, and -1 stands for that alone.
    public var desktop: Set<Int> = []
    /// For the class name, then the instance names, of what is not chosen.
    public var exclude: [Pattern] = []

    /// Chooses everything.
    public init() {}

    /// Whether it chooses everything.
    public var isEmpty: Bool { self == Criteria() }

    /// Whether a subject that keeps its names can begin or cease to match: by its title, role, desktop or
    /// process.
    public var followsFacts: Bool {
        !details.isEmpty || !role.isEmpty || !desktop.isEmpty || !extent.isEmpty
    }

    /// What must be read for it beside phases.
    public var details: PhaseWatcher.Details {
        [
            title.isEmpty ? [] : .titles, process.isEmpty ? [] : .processes,
            monitor.isEmpty && desktopName.isEmpty ? [] : .places,
        ]
    }

    /// Whether it chooses what a change is about, whatever happened to that. A group or an application is on the desktops
    /// of its scenes, and has their processes.
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

/// The subjects that were reported because they matched.
///
/// They are reported until they close, even if they match no longer, as an application whose matching instance has gone:
/// otherwise the last line about them would not stay true.
public struct FollowedSubjects: Sendable {
    private var followed: Set<SubjectID> = []

    public init() {}

    /// Whether a change is to be reported.
    ///
    /// - Parameters:
    ///   - change: What changed.
    ///   - isMatch: It is chosen now.
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

    /// As `takes`, but forgets a subject that does not match any longer after this change.
    mutating func takesWhileMatching(_ change: Change, isMatch: Bool) -> Bool {
        let isReported = takes(change, isMatch: isMatch)
        if !isMatch { followed.remove(change.subjectID) }
        return isReported
    }
}
