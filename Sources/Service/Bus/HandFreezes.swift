import Console
import Hooks

/// The applications that the user has frozen by hand, and the calls that wait for that.
struct HandFreezes {
    /// By the class name of the application, with the time at which the freeze ends by itself.
    private var frozen: [String: (hook: Hook, end: Duration?)] = [:]
    private var asking: [(call: VarlinkCall, application: String)] = []

    var hooks: [Hook] { frozen.values.map(\.hook) }
    var count: Int { frozen.count }
    /// When the first freeze ends by itself.
    var next: Duration? { frozen.values.compactMap(\.end).min() }

    /// Returns the applications whose freeze ends by itself now.
    mutating func takeEnded(at now: Duration) -> [String] {
        let ended = frozen.filter { $1.end.map { $0 <= now } ?? false }.map(\.key)
        for application in ended { frozen[application]?.end = nil }
        return ended
    }

    /// Starts a freeze.
    ///
    /// - Returns: The hook that performs it; nil if a hook already does.
    mutating func add(_ application: String, until end: Duration?, for call: VarlinkCall) -> Hook? {
        asking.append((call, application))
        if frozen[application] != nil { return nil }
        let hook = Hook.byHand(application)
        frozen[application] = (hook, end)
        return hook
    }

    /// Forgets applications that are no longer frozen, because a freeze by hand ends when the application is wanted.
    /// Answers the waiting calls.
    ///
    /// - Parameters:
    ///   - isFrozen: Returns whether an application is frozen.
    ///   - status: Returns the row of a hook; nil if the hook has not received a snapshot yet.
    mutating func settle(_ isFrozen: (String) -> Bool, _ status: (Hook) -> HookStatus?) {
        var faults: [String: String] = [:]
        for (application, freeze) in frozen where !isFrozen(application) {
            guard let row = status(freeze.hook), ![.waiting, .checking, .entering].contains(row.state) else {
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
