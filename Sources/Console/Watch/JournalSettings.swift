import PhaseWatch

/// The journal settings of `xphase run` in a configuration.
public struct JournalSettings: Hashable, Sendable {
    /// Whether changes are recorded.
    public var isOn = false
    /// Whether titles of windows are recorded, too.
    public var titles = false
    /// The number of days for which a file is kept.
    public var days = 90
    /// The categories for reports; the first match counts.
    public var categories: [Category] = []

    public init() {}
}

/// A category of applications in a configuration, such as `work` or `games`.
public struct Category: Hashable, Sendable {
    public var name: String
    /// Patterns for the names of applications and of their groups; empty for any.
    public var application: [Pattern]
    /// Patterns for titles; empty for any.
    public var title: [Pattern]

    public init(name: String, application: [Pattern], title: [Pattern]) {
        (self.name, self.application, self.title) = (name, application, title)
    }

    /// - Parameter names: The names of the application and of its group.
    public func matches(_ names: [String], title: String?) -> Bool {
        (application.isEmpty || application.contains { names.contains(where: $0.matches) })
            && (self.title.isEmpty
                || title.map { title in self.title.contains { $0.matches(title) } } ?? false)
    }
}
