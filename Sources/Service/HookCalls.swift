import Console
import Hooks

/// The calls of other programs that are answered later: those that hold reactions, or wait until these are undone, and
/// those that wait for a freeze by hand.
final class HookCalls {
    private enum Stage {
        /// With the application.
        case freezing(String)
        case holding(Hook)
        /// With the name of the hook.
        case leaving(String)

        /// The hook that the call is about.
        var hook: String? {
            switch self {
            case .freezing: nil
            case .holding(let hook): hook.name
            case .leaving(let name): name
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
        let names = Set(names + calls.compactMap(\.stage.hook))
        var name = "on \(peer.pid)"
        while names.contains(name) { name += " again" }
        let hook = try reaction.hook(named: name)
        calls.append((peer, .holding(hook)))
        peer.reply(HooksInterface.Text(text: ""), isLast: false)
        return hook
    }

    /// Ends the reactions whose programs have released them. Returns whether there were any.
    func release() -> Bool {
        let count = hooks.count
        for (index, call) in calls.enumerated() where call.peer.isReleased {
            if case .holding(let hook) = call.stage { calls[index].stage = .leaving(hook.name) }
        }
        return hooks.count < count
    }

    /// Answers the programs whose reactions are undone.
    func answerLeft(unless owes: (_ hook: String) -> Bool) {
        answer { if case .leaving(let name) = $0, !owes(name) { .success("") } else { nil } }
    }

    func awaitFreeze(of application: String, for peer: VarlinkPeer) {
        calls.append((peer, .freezing(application)))
    }

    /// - Parameter failure: Why the application is not frozen; nil if it is.
    func answerFreeze(of application: String, _ failure: String?) {
        answer { stage in
            guard case .freezing(application) = stage else { return nil }
            guard let failure else { return .success("\(application) frozen") }
            let text = failure.hasPrefix("is ") ? failure : "is not frozen: \(failure)"
            return .failure(.refused("\(application) \(text)".escapedForTerminal))
        }
    }

    /// Sends the last replies.
    private func answer(_ reply: (Stage) -> Result<String, VarlinkError>?) {
        calls.removeAll { peer, stage in
            switch reply(stage) {
            case .success(let text): peer.reply(HooksInterface.Text(text: text.escapedForTerminal))
            case .failure(let error): peer.fail(error)
            case nil: return false
            }
            return true
        }
    }

    /// Sends a line about a hook to the program that holds its reactions.
    func relay(_ text: String, of name: String) {
        // A client that does not read loses the line.
        for (peer, stage) in calls where stage.hook == name && peer.backlog == 0 {
            peer.reply(HooksInterface.Text(text: text), isLast: false)
        }
    }
}
