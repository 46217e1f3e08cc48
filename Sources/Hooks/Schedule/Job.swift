import PhaseWatch
import System

/// One part of a hook that is to run, and why.
public struct Job: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable, Codable {
        case run
        /// The two parts of a pair.
        case enter, leave
    }

    public var hook: Hook
    public var part: Part
    public var trigger: HookTrigger

    /// What has kept it from running at the last check.
    public var exception: String?

    public var subject: SubjectID { trigger.change.subjectID }
    /// No change of the phase brought it about: xphase ends, or its hook has changed.
    public var isAbandoned: Bool { trigger.change.kind == .closed && trigger.change.cause == .resync }

    /// nil for a part of a pair that is built in.
    public var program: Program? {
        switch (hook.reaction, part) {
        case (.run(let program), _): program
        case (.pair(let pair), .enter), (.pair(let pair), .run): pair.enter
        case (.pair(let pair), .leave): pair.leave
        }
    }

    var key: Key { Key(hook: hook.name, subject: subject) }
    var lane: Lane { Lane(of: hook, application: trigger.change.application) }

    /// A hook and what it runs for: a pair is entered once for each.
    public struct Key: Hashable, Sendable {
        var hook: String
        var subject: SubjectID
    }

    /// Jobs of one lane run one after the other.
    struct Lane: Hashable, Sendable {
        var name: String
        var application: String

        init(of hook: Hook, application: String) {
            // The executables of hooks.d run in the order of their names.
            name = hook.origin == .directory ? "hooks.d" : hook.name
            self.application = application
        }
    }
}

extension HookTrigger {
    /// The change that stands for the end of a phase when no change has ended it.
    func abandoned(at time: Timestamp) -> HookTrigger {
        var change = change
        (change.kind, change.from, change.to) = (.closed, change.to ?? change.from, nil)
        (change.cause, change.held) = (.resync, nil)
        return HookTrigger(change: change, time: time)
    }
}
