import PhaseWatch

/// Whether `xphase run` keeps changes in the journal, and how, as a configuration says it.
public struct JournalSettings: Hashable, Sendable {
    /// Changes are kept.
    public var isOn = false
    /// Titles of windows are kept, too.
    public var titles = false
    /// For how many days a file is kept.
    public var days = 90
    /// For reports; the first that matches counts.
    public var categories: [Category] = []

    public init() {}
}

/// What somebody does with some applications, as a configuration says it: `work` or `games`.
public struct Category: Hashable, Sendable {
    public var name: String
    /// For names of applications and of their groups; none for any.
    public var application: [Pattern]
    /// For titles; none for any.
    public var title: [Pattern]

    public init(name: String, application: [Pattern], title: [Pattern]) {
        (self.name, self.application, self.title) = (name, application, title)
    }

    /// - Parameter names: Of the application and of its group.
    public func matches(_ names: [String], title: String?) -> Bool {
        (application.isEmpty || application.contains { names.contains(where: $0.matches) })
            && (self.title.isEmpty
                || title.map { title in self.title.contains { $0.matches(title) } } ?? false)
    }
}
