import PhaseWatch

/// A pair whose `enter` ran and whose `leave` is owed.
public struct PairEntry: Codable, Hashable, Sendable {
    public var hook: String
    /// The program of `leave` and its arguments; at least one word.
    public var leave: [String]
    public var timeoutMilliseconds: Int
    /// What `enter` ran for.
    public var change: Change
    /// The processes that `enter` was told of.
    public var processes: [ProcessIdentity]
    /// The boot in which they ran; in another one, their numbers mean nothing.
    public var bootID: String

    public init(
        hook: String, leave: [String], timeoutMilliseconds: Int, change: Change,
        processes: [ProcessIdentity], bootID: String
    ) {
        self.hook = hook
        self.leave = leave
        self.timeoutMilliseconds = timeoutMilliseconds
        self.change = change
        self.processes = processes
        self.bootID = bootID
    }
}
