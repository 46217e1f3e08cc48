import PhaseWatch
import System

/// A freeze that the user requests. It is a vote that a sign, or its time, ends.
struct HandFreeze: Sendable {
    let job: Job
    /// How long the application stays frozen at most; nil for no limit.
    let time: Duration?
    var progress = Progress.requested

    enum Progress: Hashable, Sendable {
        /// The user waits for an answer.
        case requested
        /// The user knows that the application is frozen later.
        case postponed
        /// The user knows that it is frozen. The time is that at which it is thawed, since the boot; nil for never.
        case frozen(until: Duration?)
    }

    /// When the freeze ends by itself, since the boot; nil if it does not, or not yet.
    var end: Duration? { if case .frozen(let end) = progress { end } else { nil } }

    /// Returns why an input ends the freeze; nil if it does not.
    func end(by input: HookInput, at sinceBoot: Duration) -> String? {
        let name = job.application
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

/// What has become of a freeze by hand.
public enum HandFreezeAnswer: Hashable, Sendable {
    case frozen
    /// It is frozen later, for a reason such as `it has just started make`.
    case postponed(because: String, atMost: Duration)
    case failed(because: String)
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
