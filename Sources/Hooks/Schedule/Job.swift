import Loop
import PhaseWatch

/// One part of a hook that is to run, and why.
public struct Job: Hashable, Sendable {
    public enum Part: String, Hashable, Sendable, Codable {
        case run
        /// The two parts of a pair.
        case enter, leave
    }

    public var hook: Hook
    public var part: Part
    public var occasion: Occasion

    public var subject: SubjectID { occasion.change.subjectID }
    /// Nobody saw the phase being left: xphase ends, or its hook has changed.
    public var isAbandoned: Bool { occasion.change.kind == .closed && occasion.change.cause == .resync }

    public var program: Program {
        switch (hook.reaction, part) {
        case (.run(let program), _): program
        case (.pair(_, let enter, _), .enter), (.pair(_, let enter, _), .run): enter
        case (.pair(_, _, let leave), .leave): leave
        }
    }

    var key: Key { Key(hook: hook.name, subject: subject) }
    var lane: Lane { Lane(of: hook, application: occasion.change.application) }

    /// What a hook knows a scene, a group or an application by.
    public struct Key: Hashable, Sendable {
        var hook: String
        var subject: SubjectID
    }

    /// Where one run follows the other.
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

extension Occasion {
    /// Stands for the end of a phase that nobody saw: as a resync tells of what is gone meanwhile.
    func abandoned(at time: Timestamp) -> Occasion {
        var change = change
        (change.kind, change.from, change.to) = (.closed, change.to ?? change.from, nil)
        (change.cause, change.held) = (.resync, nil)
        return Occasion(change: change, time: time)
    }
}
