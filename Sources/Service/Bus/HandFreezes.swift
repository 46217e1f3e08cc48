import Console
import Hooks

/// What the user has frozen by hand, and the calls that wait for that.
struct HandFreezes {
    /// By the class name of the application.
    private var frozen: [String: Hook] = [:]
    private var asking: [(call: VarlinkCall, application: String)] = []

    var hooks: [Hook] { Array(frozen.values) }
    var count: Int { frozen.count }

    /// Begins a freeze.
    ///
    /// - Returns: The hook that does it; nil where one does already.
    mutating func add(_ application: String, for call: VarlinkCall) -> Hook? {
        asking.append((call, application))
        if frozen[application] != nil { return nil }
        let hook = Hook.byHand(application)
        frozen[application] = hook
        return hook
    }

    /// Forgets what is no longer frozen: a freeze by hand lasts until the application is wanted anew. Answers the calls that
    /// have waited.
    ///
    /// - Parameters:
    ///   - isFrozen: Whether an application is frozen.
    ///   - status: The row of a hook; nil where the hook has not seen what is there.
    mutating func settle(_ isFrozen: (String) -> Bool, _ status: (Hook) -> HookStatus?) {
        var faults: [String: String] = [:]
        for (application, hook) in frozen where !isFrozen(application) {
            guard let row = status(hook), ![.waiting, .checking, .entering].contains(row.state) else {
                continue
            }
            // The reason of a failure begins with its verb.
            let verb = row.state == .failed ? "" : "is not frozen: "
            faults[application] =
                "\(application) \(verb)\(row.reason ?? "it has no window")".escapedForTerminal
            frozen[application] = nil
        }
        asking.removeAll { call, application in
            if let fault = faults[application] {
                call.fail(.refused(fault))
            } else if isFrozen(application) {
                call.reply(HooksInterface.Text(text: "\(application.escapedForTerminal) frozen"))
            } else {
                return false
            }
            return true
        }
    }
}
