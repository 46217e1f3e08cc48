import PhaseWatch
import System

/// A part of a hook that is to run, and the trigger. It is an object because many states and inputs hold the same one.
public final class Job: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable, Codable {
        case run
        /// The two parts of a pair.
        case enter, leave
    }

    public let hook: Hook
    public let part: Part
    public let trigger: HookTrigger
    /// The part of a pair that is run once by hand, as `run`; nil otherwise.
    private let firedPart: Part?

    public init(hook: Hook, part: Part, trigger: HookTrigger, fired: Part? = nil) {
        self.hook = hook
        self.part = part
        self.trigger = trigger
        firedPart = fired
    }

    /// The part for messages.
    var shownPart: Part { firedPart ?? part }

    public static func == (left: Job, right: Job) -> Bool {
        left === right || left.part == right.part && left.trigger == right.trigger && left.hook == right.hook
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(part)
        hasher.combine(trigger)
        hasher.combine(hook)
    }

    public var subject: SubjectID {
        hook.condition.level == .all ? Key.whole : trigger.change?.subjectID ?? Key.whole
    }
    /// nil for a part of a pair of which all reactions are built in.
    public var program: Program? { hook.program(of: part) }

    var key: Key { Key(hook, subject) }
    var lane: Lane {
        let isFile = hook.name.hasPrefix(Hook.directoryPrefix)
        return Lane(name: isFile ? Hook.directoryPrefix : hook.name, application: subject.application)
    }

    /// A hook and its subject. A pair is entered once for each key.
    public struct Key: Hashable, Sendable {
        var hook: String
        var subject: SubjectID
        /// Whether the hook is a pair. A reload may change that.
        var isPair: Bool

        init(_ hook: Hook, _ subject: SubjectID) {
            self.hook = hook.name
            self.subject = subject
            isPair = hook.pair != nil
        }

        /// The subject of a hook that takes everything as one, or is about the session. No application has an empty
        /// name.
        static let whole = SubjectID(application: "")
    }

    /// A queue whose jobs run one after the other: those of a hook, or those of all executables of hooks.d, in the
    /// order of their names.
    struct Lane: Hashable, Sendable {
        let name: String
        let application: String
    }
}
