import Console
import Hooks

/// The calls of other programs that are answered later.
final class HookCalls {
    /// Calls that wait for a freeze by hand.
    private var freezes: [(call: VarlinkCall, application: String)] = []
    /// Calls that hold the reactions of a hook. Released ones wait until the reactions are undone.
    private var holds: [(call: VarlinkCall, hook: Hook)] = []

    /// The hooks that programs hold.
    var hooks: [Hook] { holds.filter { !$0.call.isReleased }.map(\.hook) }

    /// Begins to hold reactions for a program.
    ///
    /// - Parameter names: Those of all hooks.
    /// - Returns: The hook that performs them.
    func hold(
        _ reaction: HeldReaction, for call: VarlinkCall, among names: [String]
    ) throws(VarlinkError) -> Hook {
        let names = names + holds.map(\.hook.name)
        var name = "on \(call.peer?.pid ?? 0)"
        while names.contains(name) { name += " again" }
        let hook = try reaction.hook(named: name)
        holds.append((call, hook))
        relay("", of: hook)
        return hook
    }

    /// Sends a line about a hook to the program that holds its reactions.
    func relay(_ text: String, of hook: Hook) {
        // A client that does not read loses the line.
        for hold in holds where hold.hook.name == hook.name && hold.call.backlog == 0 {
            hold.call.reply(["text": text], isLast: false)
        }
    }

    /// Answers the programs whose reactions are undone.
    func answerReleased(unless owes: (_ hook: String) -> Bool) {
        holds.removeAll { call, hook in
            let isUndone = call.isReleased && !owes(hook.name)
            if isUndone { call.reply(["text": ""]) }
            return isUndone
        }
    }

    func awaitFreeze(of application: String, for call: VarlinkCall) {
        freezes.append((call, application))
    }

    /// - Parameter failure: Why the application is not frozen; nil if it is.
    func answerFreeze(of application: String, _ failure: String?) {
        for (call, frozen) in freezes where frozen == application {
            if let failure {
                let text = failure.hasPrefix("is ") ? failure : "is not frozen: \(failure)"
                call.fail(.refused("\(application) \(text)".escapedForTerminal))
            } else {
                call.reply(["text": "\(application.escapedForTerminal) frozen"])
            }
        }
        freezes.removeAll { $0.application == application }
    }
}
