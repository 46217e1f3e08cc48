import PhaseWatch
import System

/// One part of a hook that is to run, and why.
public struct Job: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable, Codable {
        case run
        /// The two parts of a pair.
        case enter, leave
    }

    @Shared public var hook: Hook
    public var part: Part
    @Shared public var trigger: HookTrigger

    /// What has kept it from running at the last check.
    public var exception: String?

    public var subject: SubjectID { trigger.change.subjectID }
    /// No change of the phase brought it about: xphase ends, or its hook has changed.
    public var isAbandoned: Bool { trigger.change.kind == .closed && trigger.change.cause == .resync }

    /// nil for a part of a pair that is built in.
    public var program: Program? { hook.program(of: part) }

    var key: Key { Key(hook: hook.name, subject: subject, isPair: part != .run) }
    var lane: Lane { Lane(of: hook, application: trigger.change.application) }

    /// A hook and what it runs for: a pair is entered once for each.
    public struct Key: Hashable, Sendable {
        var hook: String
        var subject: SubjectID
        /// A reload may turn one kind into the other.
        var isPair: Bool

        /// That of the same hook for another application.
        func of(_ application: String) -> Key {
            Key(hook: hook, subject: SubjectID(application: application), isPair: isPair)
        }
    }

    /// Jobs of one lane run one after the other.
    enum Lane: Hashable, Sendable {
        case hook(String, application: String)
        /// The executables of hooks.d run in the order of their names.
        case directory(application: String)
        /// What one hook undoes, another one must not read meanwhile as what there was before.
        case reactions(application: String)

        init(of hook: Hook, application: String) {
            if hook.origin == .directory {
                self = .directory(application: application)
            } else if !hook.builtIns.isDisjoint(with: [.slow, .idle, .cap, .mute]) {
                self = .reactions(application: application)
            } else {
                self = .hook(hook.name, application: application)
            }
        }
    }
}
