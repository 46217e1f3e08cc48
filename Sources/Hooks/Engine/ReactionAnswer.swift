/// What was done or undone for one reaction, or was not.
public struct ReactionWords: Hashable, Sendable {
    public var builtIn: BuiltIn
    /// They begin with a verb or a participle.
    public var words: String

    public init(_ builtIn: BuiltIn, _ words: String) { (self.builtIn, self.words) = (builtIn, words) }
}

/// The result of doing or undoing other reactions.
public struct ReactionAnswer: Hashable, Sendable {
    /// Descriptions of what was done or undone.
    public var done: [ReactionWords] = []
    /// Descriptions of what was not.
    public var faults: [ReactionWords] = []
    /// Remarks that are reported once.
    public var remarks: [String] = []

    public init() {}
}
