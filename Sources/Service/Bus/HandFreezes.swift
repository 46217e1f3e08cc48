import Console
import Hooks

/// The applications that the user has frozen by hand, and the calls that wait for that.
struct HandFreezes {
    private struct Freeze {
        let hook: Hook
        /// How long the application stays frozen at most; nil for no limit.
        let time: Duration?
        /// When the freeze ends by itself; nil before the application is frozen.
        var end: Duration?
    }

    /// By the class name of the application.
    private var frozen: [String: Freeze] = [:]
    private var asking: [(call: VarlinkCall, application: String)] = []

    var hooks: [Hook] { frozen.values.map(\.hook) }
    var count: Int { frozen.count }
    /// When the first freeze ends by itself.
    var next: Duration? { frozen.values.compactMap(\.end).min() }

    /// Forgets the freezes that end by themselves now.
    ///
    /// - Returns: Whether there were any.
    mutating func end(at now: Duration) -> Bool {
        let count = count
        frozen = frozen.filter { $1.end.map { $0 > now } ?? true }
        return self.count < count
    }

    /// Starts a freeze.
    ///
    /// - Returns: The hook that performs it; nil if a hook already does.
    mutating func add(_ application: String, time: Duration?, for call: VarlinkCall) -> Hook? {
        asking.append((call, application))
        if frozen[application] != nil { return nil }
        let hook = Hook.byHand(application)
        frozen[application] = Freeze(hook: hook, time: time)
        return hook
    }

    /// Forgets applications that are no longer frozen, because a freeze by hand ends when the application is wanted.
    /// Answers the waiting calls.
    ///
    /// - Parameters:
    ///   - isFrozen: Returns whether an application is frozen.
    ///   - status: Returns the row of a hook; nil if the hook has not received a snapshot yet.
    mutating func settle(
        at now: Duration, _ isFrozen: (String) -> Bool, _ status: (Hook) -> HookStatus?
    ) {
        for (application, freeze) in frozen where freeze.end == nil && isFrozen(application) {
            frozen[application]?.end = freeze.time.map { now + $0 }
        }
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
