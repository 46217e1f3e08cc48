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
    /// nil for a part of a pair of which all reactions are built in.
    public var program: Program? { hook.program(of: part) }

    var key: Key { Key(hook: hook.name, subject: subject, isPair: part != .run) }
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

        /// The subject of a hook that takes everything as one. No application has an empty name.
        static let all = SubjectID(application: "")
    }

    /// A queue whose jobs run one after the other: those of a hook, or those of all executables of hooks.d, in the
    /// order of their names.
    struct Lane: Hashable, Sendable {
        let name: String
        let application: String
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
