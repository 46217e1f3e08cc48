import Console
import Hooks
import PhaseWatch
import System

/// A pair of built-in reactions that lasts as long as the connection of a program.
public struct HeldReaction: Codable {
    /// A list with commas.
    var application: String
    var phases: Set<ScenePhase>
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
        application = criteria.application.map(\.text).joined(separator: ",")
        (phases, reactions) = (pair.phases, pair.builtIns)
        (after, initial) = (Int(hook.after.milliseconds), hook.condition.initial)
        (except, cap, power) = (pair.except, pair.cap, hook.power)
    }

    /// - Throws: `VarlinkError` if a hook cannot have these values.
    func hook(named name: String) throws(VarlinkError) -> Hook {
        if phases.isEmpty { throw .invalidParameter("phases") }
        if reactions.isEmpty { throw .invalidParameter("reactions") }
        var hook = Hook(
            name: name,
            reaction: .pair(Hook.Pair(phases: phases, builtIns: reactions, except: except, cap: cap)))
        hook.after = .milliseconds(after)
        hook.power = power
        hook.condition.initial = initial ?? false
        let patterns = Pattern.list(application)
        hook.condition.application = patterns
        var faults = patterns.compactMap { pattern in
            Pattern.fault(in: pattern.text).map { "\(pattern.text.quoted) \($0)" }
        }
        faults += hook.reactionFaults
        if reactions.contains(.cap) != (cap != nil) {
            faults.append("the reaction cap and its value go together")
        }
        if !(Duration.zero...Duration.seconds(100 * 366 * 86_400)).contains(hook.after) {
            faults.append("after is 0 to 100 years")
        }
        if !faults.isEmpty { throw .refused(faults.joined(separator: "\n")) }
        return hook
    }
}
