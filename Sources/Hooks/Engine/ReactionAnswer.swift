/// What came of a question, or of a request for reactions.
public struct ReactionAnswer: Hashable, Codable, Sendable {
    /// The exception that holds; nil if none does.
    public var exception: String?
    /// The processes of window managers and compositors.
    public var managers: [Int32] = []
    /// What undoes what is about to be done.
    public var holds: [Hold] = []
    /// What was done or undone.
    public var done: [String] = []
    /// The bytes that were given back.
    public var reclaimed: Int?
    /// What was not.
    public var faults: [String] = []
    /// What is worth telling once.
    public var remarks: [String] = []

    public init() {}

    /// What keeps the application from being frozen.
    func exception(or failure: String?) -> String? {
        exception ?? failure.map { "what it does is unknown: \($0)" }
    }
}
