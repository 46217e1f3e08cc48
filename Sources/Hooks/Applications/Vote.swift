import PhaseWatch
import System

/// A demand for reactions on one application: of a hook, or of the user.
struct Vote: Sendable {
    let job: Job
    let since: Timestamp
    /// The freeze by hand that it is; nil for the vote of a hook.
    var hand: HandFreeze?
    /// Whether it counted when the votes were counted last.
    var isCounted = false
    /// Whether it has ended since.
    var isOver = false
}

/// A freeze that the user requests. It is a vote that a sign, or its time, ends.
struct HandFreeze: Sendable {
    /// How long the application stays frozen at most; nil for no limit.
    let time: Duration?
    /// When the freeze ends by itself, since the boot; nil before the application is frozen.
    var end: Duration?
    /// Whether it was reported that the application is frozen.
    var isReported = false
}

extension HandFreeze {
    /// Returns why an input ends the freeze of an application by hand; nil if it does not.
    func end(of name: String, by input: HookInput, at sinceBoot: Duration) -> String? {
        if let end, end <= sinceBoot { return "its time is over" }
        switch input {
        // What only shows an application does not end it.
        case .sign(let names, let reason):
            return reason != .used && names.contains(name) ? reason.words : nil
        case .stop: return ThawReason.stopped.words
        case .sessionMayEnd: return ThawReason.sessionMayEnd.words
        case .thaw(let names): return names?.contains(name) ?? true ? Hindrance(.thawedByUser).words : nil
        case .changes(let triggers, _):
            for change in triggers.compactMap(\.change)
            where change.level == .application && change.application == name {
                if change.isActivation { return ThawReason.used.words }
                if change.kind == .closed && change.cause != .regroup { return "it has no window" }
            }
            return nil
        default: return nil
        }
    }
}

extension Change {
    /// Whether a window itself was activated. With the other causes, whatever was there before is shown or reported: the
    /// user has returned or switched to its desktop, for example.
    fileprivate var isActivation: Bool {
        guard to == .active, let from, from != .active else { return false }
        return switch cause {
        case .back, .unlock, .displayOn, .return, .uncovered, .desktop, .showDesktop, .windowManager, .resync:
            false
        default: true
        }
    }
}

/// A job of a hook with reactions is a vote for what is done to an application.
extension Job {
    var application: String { subject.application }
    var wantsFreeze: Bool { hook.builtIns.contains(.freeze) }
    /// Whether the user has frozen the application by hand, which a sign ends.
    var isByHand: Bool { hook.condition.chosen != nil }

    /// Whether a program that the application has just started may postpone its freeze.
    public var mayBePostponed: Bool { !isByHand || !hook.except.isEmpty }

    /// The shortest time for which the application stays thawed after a sign, and before its exceptions are asked for
    /// again. A visible application may have the focus for a moment while a window manager gives the focus to another
    /// window.
    func rest(after reason: ThawReason?) -> Duration {
        let shortest = reason == .used && hook.isOfSeen ? Duration.seconds(1) : .seconds(10)
        return max(hook.after, shortest)
    }
}
