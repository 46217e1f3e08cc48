import PhaseWatch
import System

@testable import Hooks
@testable import Scenes

extension Timestamp {
    static let zero = Timestamp(seconds: 0, nanoseconds: 0)
}

extension Change {
    static func step(
        _ application: String, from: ScenePhase?, to: ScenePhase?, cause: Cause = .iconify
    ) -> Change {
        Change(
            kind: to == nil ? .closed : from == nil ? .opened : .phase, application: application, group: nil,
            subject: .application(Members(counts: Counts(), pids: [], groups: [])),
            from: from, to: to, cause: cause, held: from.map { _ in .seconds(1) })
    }
}

extension HookTrigger {
    /// The trigger of a subject that is found in the phase.
    var initial: HookTrigger {
        var trigger = self
        guard case .change(var change) = occasion else { return trigger }
        (change.kind, change.from, change.held) = (.initial, nil, nil)
        trigger.occasion = .change(change)
        return trigger
    }
}

extension Hook {
    static func run(
        _ name: String, to: Set<ScenePhase> = [.background], after: Int = 0, unless: Bool = false
    ) -> Hook {
        var hook = Hook(name: name, reaction: .run(.arguments(["true"])))
        hook.condition.to = to
        hook.after = .seconds(after)
        hook.unless = unless ? .arguments(["false"]) : nil
        return hook
    }

    static func pair(
        _ name: String, while phases: Set<ScenePhase> = [.background], after: Int = 0, unless: Bool = false
    ) -> Hook {
        var hook = run(name, to: [], after: after, unless: unless)
        hook.reaction = .pair(
            .init(phases: phases, enter: .arguments(["enter"]), leave: .arguments(["leave"])))
        return hook
    }

    /// The hook, a pair, also while the application is closed and its process lives.
    var closed: Hook {
        var hook = self
        if var pair {
            pair.lastsClosed = true
            hook.reaction = .pair(pair)
        }
        return hook
    }

    /// The hook for everything as one.
    var all: Hook {
        var hook = self
        hook.condition.level = .all
        return hook
    }

    /// The hook for states of the session.
    func on(_ states: SessionLimit...) -> Hook {
        var hook = self
        hook.condition.session = Set(states)
        hook.condition.to = []
        if let pair { hook.reaction = .pair(Pair(phases: [], enter: pair.enter, leave: pair.leave)) }
        return hook
    }

    /// Returns a hook with built-in reactions, in the background unless something else is said.
    static func doing(
        _ name: String, _ builtIns: BuiltIn..., while phases: Set<ScenePhase> = [.background],
        after: Int = 0, cap: String = "50%", except: Set<Exception>? = nil, wake: Wake? = nil
    ) -> Hook {
        var hook = run(name, to: [], after: after)
        hook.reaction = .pair(
            Pair(
                phases: phases, builtIns: Set(builtIns), except: except,
                cap: builtIns.contains(.cap) ? ProcessorCap(rawValue: cap) : nil))
        hook.wake = wake
        return hook
    }
}

extension Pauses {
    /// Pauses these hooks alone.
    init(of hooks: [String]) {
        self.init()
        if !hooks.isEmpty { pause(hooks, until: nil) }
    }
}

extension Hold {
    static func stopped(_ pids: Int32...) -> Hold {
        .stopped(pids.map { ProcessIdentity(pid: $0, startTicks: 1) })
    }
}
