import Console
import Hooks
import PhaseWatch
import System

/// A pair of built-in reactions that lasts as long as the connection of a program.
public struct ReactionRequest: Codable {
    var application: CalledPatterns
    var phases: Set<PhaseOrClosed>
    /// In milliseconds.
    var after: Int
    var reactions: Set<BuiltIn>
    var except: Set<Exception>?
    var cap: ProcessorCap?
    var power: Power?
    public var initial: Bool?

    /// - Parameter hook: A hook with a pair, for named applications.
    public init?(_ hook: Hook) {
        let criteria = hook.condition.criteria
        guard case .pair(let pair) = hook.reaction, !criteria.application.isEmpty else { return nil }
        application = CalledPatterns(criteria.application)
        phases = pair.times
        after = Int(hook.after.milliseconds)
        reactions = pair.builtIns
        except = pair.except
        cap = pair.cap
        power = hook.power
        initial = hook.condition.initial
    }

    /// - Throws: `VarlinkError` if a hook cannot have these values.
    func hook(named name: String) throws(VarlinkError) -> Hook {
        if phases.isEmpty { throw .invalidParameter("phases") }
        if reactions.isEmpty { throw .invalidParameter("reactions") }
        if Duration.milliseconds(after) > HookSink.longest {
            throw .invalidParameter("after", "'after' is longer than a year")
        }
        var pair = Hook.Pair(phases: [], builtIns: reactions, except: except, cap: cap)
        pair.times = phases
        var hook = Hook(name: name, reaction: .pair(pair))
        hook.after = .milliseconds(after)
        hook.power = power
        hook.condition.initial = initial ?? false
        hook.condition.application = application.all
        var faults = hook.reactionFaults
        if reactions.contains(.cap) != (cap != nil) {
            faults.append("the reaction cap and its value go together")
        }
        if hook.after < .zero { faults.append("'after' is negative") }
        if !faults.isEmpty { throw .refused(faults.joined(separator: "\n")) }
        return hook
    }
}
