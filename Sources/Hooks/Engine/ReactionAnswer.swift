/// The result of doing or undoing reactions.
public struct ReactionAnswer: Hashable, Sendable {
    /// Descriptions of what was done or undone.
    public var done: [String] = []
    /// Descriptions of what was not.
    public var faults: [String] = []
    /// Remarks that are reported once.
    public var remarks: [String] = []

    public init() {}
}
