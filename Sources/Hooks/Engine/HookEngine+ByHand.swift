import PhaseWatch
import System

/// A freeze that the user requests.
struct HandFreeze: Sendable {
    let job: Job
    let since: Timestamp
    /// How long the application stays frozen at most; nil for no limit.
    let time: Duration?
    /// When the freeze ends by itself, since the boot; nil before the application is frozen.
    var end: Duration?
    var isReported = false
}

/// Freezes by hand.
extension HookEngine {
    mutating func freezeByHand(_ trigger: HookTrigger, _ hook: Hook, for time: Duration?) {
        let job = Job(hook: hook, part: .enter, trigger: trigger)
        if isStopping {
            return effects.append(.byHand(job.subject.application, failure: ThawReason.stopped.words))
        }
        if case .failed(let reason) = record {
            return effects.append(.byHand(job.subject.application, failure: "is not frozen: \(reason)"))
        }
        hands[job.subject.application] = HandFreeze(job: job, since: moment.time, time: time)
    }

    /// Ends a freeze by hand, and reports it if the application is not frozen yet.
    mutating func endHand(_ name: String, because reason: String) {
        guard let hand = hands.removeValue(forKey: name), !hand.isReported else { return }
        effects.append(.byHand(name, failure: reason))
    }

    /// Reports what has become of the freezes by hand, and ends those that failed.
    ///
    /// - Returns: Whether any has ended.
    mutating func reportHands() -> Bool {
        let count = hands.count
        for (name, hand) in hands where !hand.isReported {
            guard let application = applications.all[name] else { continue }
            if application.held.isFrozen && application.rounds == 0 {
                hands[name]?.isReported = true
                hands[name]?.end = hand.time.map { moment.sinceBoot + $0 }
                effects.append(.byHand(name, failure: nil))
            } else if let hindrance = applications.hindrance(of: hand.job) {
                let hint = hindrance.isException ? " (--except none freezes it nevertheless)" : ""
                endHand(name, because: hindrance.reason + hint)
            }
        }
        return hands.count < count
    }

    /// Ends a freeze by hand when the application is activated again, other than by a switch to its desktop, and what
    /// concerns one without windows.
    mutating func followHand(_ change: Change) {
        if change.to == .active, let from = change.from, from != .active, change.cause != .desktop {
            if hands[change.application] != nil { send(.wanted([change.application], because: .wanted)) }
            endHand(change.application, because: ThawReason.wanted.words)
        }
        if change.kind != .closed || change.cause == .regroup { return }
        endHand(change.application, because: "it has no window")
        send(.closed(change.application))
    }
}
