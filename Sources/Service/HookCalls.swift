import Console
import Hooks

/// The calls of other programs that are answered later.
final class HookCalls {
    private enum Stage {
        /// It waits for a freeze by hand of the application.
        case freezing(String)
        /// It holds the reactions of the hook.
        case holding(Hook)
        /// It waits until the reactions of the hook are undone.
        case leaving(Hook)

        var hook: Hook? {
            switch self {
            case .freezing: nil
            case .holding(let hook), .leaving(let hook): hook
            }
        }
    }

    private var calls: [(peer: VarlinkPeer, stage: Stage)] = []

    /// The hooks that programs hold.
    var hooks: [Hook] {
        calls.compactMap { if case .holding(let hook) = $0.stage { hook } else { nil } }
            .sorted { $0.name < $1.name }
    }

    /// Begins to hold reactions for a program.
    ///
    /// - Parameter names: Those of all hooks.
    /// - Returns: The hook that performs them.
    func hold(
        _ reaction: HeldReaction, for peer: VarlinkPeer, among names: [String]
    ) throws(VarlinkError) -> Hook {
        let names = Set(names + calls.compactMap(\.stage.hook?.name))
        var name = "on \(peer.pid)"
        while names.contains(name) { name += " again" }
        let hook = try reaction.hook(named: name)
        calls.append((peer, .holding(hook)))
        relay("", of: hook)
        return hook
    }

    /// Sends a line about a hook to the program that holds its reactions.
    func relay(_ text: String, of hook: Hook) {
        // A client that does not read loses the line.
        for (peer, stage) in calls where stage.hook?.name == hook.name && peer.backlog == 0 {
            peer.reply(HooksInterface.Text(text: text), isLast: false)
        }
    }

    /// Ends the reactions that programs have released. Returns whether there were any.
    func release() -> Bool {
        let released = calls.indices.filter { index in
            guard calls[index].peer.isReleased, case .holding(let hook) = calls[index].stage else {
                return false
            }
            calls[index].stage = .leaving(hook)
            return true
        }
        return !released.isEmpty
    }

    /// Answers the programs whose reactions are undone.
    func answerLeft(unless owes: (_ hook: String) -> Bool) {
        calls.removeAll { peer, stage in
            guard case .leaving(let hook) = stage, !owes(hook.name) else { return false }
            peer.reply(HooksInterface.Text(text: ""))
            return true
        }
    }

    func awaitFreeze(of application: String, for peer: VarlinkPeer) {
        calls.append((peer, .freezing(application)))
    }

    /// - Parameter failure: Why the application is not frozen; nil if it is.
    func answerFreeze(of application: String, _ failure: String?) {
        calls.removeAll { peer, stage in
            guard case .freezing(application) = stage else { return false }
            if let failure {
                let text = failure.hasPrefix("is ") ? failure : "is not frozen: \(failure)"
                peer.fail(.refused("\(application) \(text)".escapedForTerminal))
            } else {
                peer.reply(HooksInterface.Text(text: "\(application.escapedForTerminal) frozen"))
            }
            return true
        }
    }
}
