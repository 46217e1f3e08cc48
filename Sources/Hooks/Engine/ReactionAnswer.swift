/// The answer to a question or to a request for reactions.
public struct ReactionAnswer: Hashable, Sendable {
    /// The exception that holds; nil if none does.
    public var exception: String?
    /// The processes of window managers and compositors.
    public var managers: [Int32] = []
    /// The holds of the reactions that are about to be performed.
    public var holds: [Hold] = []
    /// Descriptions of what was done or undone.
    public var done: [String] = []
    /// Descriptions of what was not done or undone.
    public var faults: [String] = []
    /// Remarks that are reported once.
    public var remarks: [String] = []

    public init() {}

    /// Returns the exception that holds. A failure of the question counts as an exception.
    func exception(or failure: String?) -> String? {
        exception ?? failure.map { "its state is unknown: \($0)" }
    }
}
