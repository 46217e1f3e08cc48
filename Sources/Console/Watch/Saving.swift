/// What an application did not use while reactions held it.
public struct Saving: Hashable, Sendable {
    public var application: String
    /// The reactions, as a configuration names them.
    public var reactions: [String] = []
    /// How long they held it.
    public var held = Duration.zero
    /// Processor time: an estimate.
    public var processor = Duration.zero
    /// How often it was not woken: an estimate.
    public var wakeUps = 0
    /// The bytes that it gave back.
    public var memory = 0

    public init(_ application: String) { self.application = application }
}
