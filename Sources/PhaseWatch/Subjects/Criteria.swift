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
    /// The numbers of desktops, the first of which is 0. What is on all of them is on each, and -1 stands for that alone.
    public var desktop: Set<Int> = []
    /// For the class name, then the instance names, of what is not chosen.
    public var exclude: [Pattern] = []

    /// Chooses everything.
    public init() {}

    /// Whether it chooses everything.
    public var isEmpty: Bool { self == Criteria() }

    /// Whether it may begin or cease to choose what is still there under the same names: that may get another title, go to
    /// another desktop, or become another process.
    public var followsFacts: Bool { !title.isEmpty || !desktop.isEmpty || !process.isEmpty }

    /// What must be read for it beside phases.
    public var details: PhaseWatcher.Details {
        [title.isEmpty ? [] : .titles, process.isEmpty ? [] : .processes]
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
                && (desktop.isEmpty || facts.desktop.map(isOn) ?? false)
        case .group(let members), .application(let members):
            Self.chooses(process) { members.processes.contains(where: $0.matches) } && title.isEmpty
                && (desktop.isEmpty || members.desktops.contains(where: isOn))
        }
    }

    private func isOn(_ number: Int) -> Bool { number == -1 || desktop.contains(number) }

    private static func chooses(_ patterns: [Pattern], _ isMatch: (Pattern) -> Bool) -> Bool {
        patterns.isEmpty || patterns.contains(where: isMatch)
    }
}

/// What was told of because it was chosen.
///
/// It stays so when it would not be chosen any longer, an instance that named its application having gone, say, or the
/// last change of it would not be true for long.
public struct FollowedSubjects: Sendable {
    private var followed: Set<SubjectID> = []

    public init() {}

    /// Whether a change is to be told.
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

    /// The same, and one that is not chosen any longer is let go after this change.
    mutating func swap(_ change: Change, isMatch: Bool) -> Bool {
        let isTold = takes(change, isMatch: isMatch)
        if !isMatch { followed.remove(change.subjectID) }
        return isTold
    }
}
