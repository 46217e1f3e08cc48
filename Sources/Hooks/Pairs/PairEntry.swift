import Scenes

/// A pair whose `enter` ran and whose `leave` is owed.
package struct PairEntry: Codable, Hashable, Sendable {
    package var hook: String
    /// The program of `leave` and its arguments; at least one word.
    package var leave: [String]
    package var timeoutMilliseconds: Int
    /// What `enter` ran for.
    package var change: Change
    /// The processes that `enter` was told of.
    package var processes: [ProcessIdentity]
    /// The boot in which they ran; in another one, their numbers mean nothing.
    package var bootID: String

    package init(
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
