import PhaseWatch
import System

/// A part of a hook that is to run, and the trigger.
public struct Job: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable, Codable {
        case run
        /// The two parts of a pair.
        case enter, leave
    }

    @Shared public var hook: Hook
    public var part: Part
    @Shared public var trigger: HookTrigger

    public var subject: SubjectID {
        hook.condition.level == .all ? Key.all : trigger.change.subjectID
    }
    /// Whether no change of the phase caused the job: xphase ends, or its hook has changed.
    public var isAbandoned: Bool { trigger.change.kind == .closed && trigger.change.cause == .resync }

    /// nil for a part of a pair of which all reactions are built in.
    public var program: Program? { hook.program(of: part) }

    var key: Key { Key(hook: hook.name, subject: subject, isPair: part != .run) }
    var lane: Lane { Lane(of: hook, application: subject.application) }

    /// A hook and its subject. A pair is entered once for each key.
    public struct Key: Hashable, Sendable {
        var hook: String
        var subject: SubjectID
        /// Whether the hook is a pair. A reload may change that.
        var isPair: Bool

        /// The subject of a hook that takes everything as one. No application has an empty name.
        static let all = SubjectID(application: "")
    }

    /// A queue whose jobs run one after the other: those of a hook, or those of all executables of hooks.d, in the
    /// order of their names.
    struct Lane: Hashable, Sendable {
        let name: String
        let application: String

        init(of hook: Hook, application: String) {
            name = hook.name.hasPrefix(Hook.directoryPrefix) ? Hook.directoryPrefix : hook.name
            self.application = application
        }
    }
}

/// A large value that is copied by reference.
@propertyWrapper
public struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// Access to a part of the value copies only that part.
    public var wrappedValue: Value {
        _read { yield box.value }
        set { box = Box(newValue) }
    }

    public static func == (left: Shared, right: Shared) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
