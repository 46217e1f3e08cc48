import PhaseWatch
import System

/// A freeze that the user requests. It is a vote that a sign, or its time, ends.
struct HandFreeze: Sendable {
    let job: Job
    /// How long the application stays frozen at most; nil for no limit.
    let time: Duration?
    /// When the freeze ends by itself, since the boot; nil before the application is frozen.
    var end: Duration?
    /// Whether it was reported that the application is frozen.
    var isReported = false
}

extension HookEngine {
    /// Ends the freezes by hand that an input ends, or whose time has come.
    mutating func endHands(by input: HookInput) {
        for name in hands.keys.sorted() {
            if let end = hands[name]?.end, end <= moment.sinceBoot {
                endHand(name, because: "its time is over")
            } else if let reason = end(of: name, by: input) {
                endHand(name, because: reason)
            }
        }
    }

    /// Returns why an input ends the freeze of an application, which rests if it was activated; nil if it does not end.
    private mutating func end(of name: String, by input: HookInput) -> String? {
        switch input {
        case .sign(let names, let reason):
            return reason != .used && names.contains(name) ? reason.words : nil
        case .stop: return ThawReason.stopped.words
        case .sessionMayEnd: return ThawReason.sessionMayEnd.words
        case .thaw(let names): return names?.contains(name) ?? true ? Hindrance(.thawedByUser).words : nil
        case .changes(let triggers, _):
            for change in triggers.compactMap(\.change)
            where change.level == .application && change.application == name {
                if change.to == .active, let from = change.from, from != .active,
                    change.cause.isOfOneWindow
                {
                    applications[name]?.rest(because: .used, at: moment.now)
                    return ThawReason.used.words
                }
                if change.kind == .closed && change.cause != .regroup { return "it has no window" }
            }
            return nil
        default: return nil
        }
    }

    /// Reports what has become of the freezes by hand, and ends those that failed.
    ///
    /// - Returns: Whether any has ended.
    mutating func reportHands() -> Bool {
        let count = hands.count
        for (name, hand) in hands.sorted(by: { $0.key < $1.key }) where !hand.isReported {
            if let failure = failure(of: hand) {
                endHand(name, because: failure)
            } else if let it = applications[name], it.held.standing.isFrozen {
                hands[name]?.isReported = true
                hands[name]?.end = hand.time.map { moment.sinceBoot + $0 }
                effects.append(.byHand(name, failure: nil))
            }
        }
        return hands.count < count
    }

    private func failure(of hand: HandFreeze) -> String? {
        if isStopping { return ThawReason.stopped.words }
        if case .failed(let reason) = record { return "is not frozen: \(reason)" }
        return hindrance(of: hand.job).map { hindrance in
            hindrance.words + (hindrance.has(.exception) ? " (--except none freezes it anyway)" : "")
        }
    }

    /// Ends a freeze by hand, and reports it if the application is not frozen yet.
    private mutating func endHand(_ name: String, because reason: String) {
        if hands[name]?.isReported == false { effects.append(.byHand(name, failure: reason)) }
        hands[name] = nil
        endings[name] = reason
    }
}

extension Cause {
    /// Whether the window itself was shown or activated. The others show or report whatever was there before: the user
    /// has returned or switched to its desktop, for example.
    fileprivate var isOfOneWindow: Bool {
        switch self {
        case .back, .unlock, .displayOn, .return, .uncovered, .desktop, .showDesktop, .windowManager, .resync:
            false
        default: true
        }
    }
}
