/// The resources that an application did not use while reactions held it.
public struct Saving: Hashable, Sendable {
    public var application: String
    /// The reactions, as a configuration names them.
    public var reactions: [String] = []
    /// The time for which the reactions held the application.
    public var held = Duration.zero
    /// The saved processor time, an estimate.
    public var processor = Duration.zero
    /// The number of saved wake-ups, an estimate.
    public var wakeUps = 0
    /// The reclaimed memory, in bytes.
    public var memory = 0

    public init(_ application: String) { self.application = application }
}
