import Console
import Hooks

/// What the user has frozen by hand, and the connections that wait for that.
struct HandFreezes {
    /// By the class name of the application.
    private var frozen: [String: Hook] = [:]
    private var asking: [Int32: String] = [:]

    var hooks: [Hook] { Array(frozen.values) }
    var count: Int { frozen.count }

    /// Begins a freeze.
    ///
    /// - Returns: The hook that does it; nil where one does already.
    mutating func add(_ application: String, for connection: Int32) -> Hook? {
        asking[connection] = application
        if frozen[application] != nil { return nil }
        let hook = Hook.byHand(application)
        frozen[application] = hook
        return hook
    }

    /// Forgets what is no longer frozen: a freeze by hand lasts until the application is wanted anew.
    ///
    /// - Parameters:
    ///   - isFrozen: Whether an application is frozen.
    ///   - status: The row of a hook; nil where the hook has not seen what is there.
    /// - Returns: The answers for the connections that wait for them.
    mutating func settle(
        _ isFrozen: (String) -> Bool, _ status: (Hook) -> HookStatus?
    ) -> [(connection: Int32, answer: ControlAnswer)] {
        var answers: [String: ControlAnswer] = [:]
        for (application, hook) in frozen {
            if isFrozen(application) {
                answers[application] = ControlAnswer(texts: ["\(application.escapedForTerminal) frozen"])
            } else if let row = status(hook), ![.waiting, .checking, .entering].contains(row.state) {
                // The reason of a failure begins with its verb.
                let verb = row.state == .failed ? "" : "is not frozen: "
                answers[application] = ControlAnswer(
                    fault: "\(application) \(verb)\(row.reason ?? "it has no window")".escapedForTerminal)
                frozen[application] = nil
            }
        }
        let done = asking.compactMap { connection, name in answers[name].map { (connection, $0) } }
        for (connection, _) in done { asking[connection] = nil }
        return done
    }
}
