/// Holds back what is not yet stable, and says when to look again.
///
/// It knows the differences between what is believed of each scene and what was last read, and tells which of
/// them may be believed now. Time is an argument: a `Duration` since any fixed moment.
struct Settler: Sendable {
    /// A difference between what is believed of a scene and what was read.
    struct Pending: Sendable {
        let believed: SceneReading.Core?
        var read: SceneReading.Core?
        /// It needs no time to be believed.
        var isConclusive: Bool
        let firstSign: Duration
        var since: Duration
        /// Nothing but a step between active and inactive was read since the first sign.
        var isFocusOnly: Bool

        var movesFocus: Bool { believed?.phase == .active || read?.phase == .active }
        var rises: Bool { read?.phase == .active }
        /// It stays hidden, for another reason.
        var isSilent: Bool {
            guard let believed, let read, believed.phase == .background, read.phase == .background else {
                return false
            }
            return believed.hasNames(of: read)
        }
    }

    let delays: Delays
    /// Whether being active comes and goes with the focus, so that one window gets it from another.
    let couplesFocus: Bool
    private(set) var pending: [WindowID: Pending] = [:]
    /// When scenes came back to what is believed after more than a step between active and inactive: a window
    /// that is unmapped and mapped again may still lose the focus for a moment.
    private var restored: [WindowID: Duration] = [:]

    init(delays: Delays, couplesFocus: Bool) {
        self.delays = delays
        self.couplesFocus = couplesFocus
    }

    /// Notes what was read of one scene; nil stands for a scene that is not there.
    mutating func note(
        _ id: WindowID, believed: SceneReading.Core?, read: SceneReading.Core?, isConclusive: Bool = false,
        at now: Duration
    ) {
        guard believed != read else {
            if let known = pending.removeValue(forKey: id), !known.isFocusOnly { restored[id] = now }
            if read == nil { restored[id] = nil }
            return
        }
        let isRestless = restored[id].map { now - $0 < delays.settle } ?? false
        let isFocusStep = Self.isFocusStep(believed, read) && !isRestless
        guard var known = pending[id] else {
            pending[id] = Pending(
                believed: believed, read: read, isConclusive: isConclusive,
                firstSign: now, since: now, isFocusOnly: isFocusStep)
            return
        }
        known.isConclusive = isConclusive
        if known.read != read {
            known.read = read
            known.since = now
            known.isFocusOnly = known.isFocusOnly && isFocusStep
        }
        pending[id] = known
    }

    mutating func forget(_ ids: [WindowID]) {
        for id in ids {
            pending[id] = nil
            restored[id] = nil
        }
    }

    mutating func forgetAll() {
        pending.removeAll()
        restored.removeAll()
    }

    /// Adds the scenes whose change may be believed at `now` to `ready`.
    ///
    /// - Parameter awaitsFocus: The focus was given to a window that cannot be seen yet.
    /// - Returns: The moment to ask again.
    func findReady(at now: Duration, awaitsFocus: Bool, in ready: inout [WindowID]) -> Duration? {
        if pending.isEmpty { return nil }
        // This is nearly all that ever happens, and needs no sorting out.
        if let due = dueAsFocusMove(pending.values) {
            if due > now { return due }
            ready += pending.keys
            return nil
        }
        var next: Duration?
        for action in actions(awaitsFocus: awaitsFocus) {
            if action.due <= now {
                ready += action.scenes
            } else {
                next = min(next ?? action.due, action.due)
            }
        }
        return next
    }

    /// When changes are due in which the focus goes from one window to another and nothing else happens to
    /// either; nil if they are anything else.
    func dueAsFocusMove(_ changes: some Collection<Pending>) -> Duration? {
        guard couplesFocus, changes.allSatisfy(\.isFocusOnly), changes.contains(where: \.rises),
            changes.contains(where: { !$0.rises }),
            let lastChange = changes.lazy.map(\.since).max(),
            let firstSign = changes.lazy.map(\.firstSign).min()
        else { return nil }
        return min(lastChange + delays.focusMove, firstSign + delays.latest)
    }

    private static func isFocusStep(_ believed: SceneReading.Core?, _ read: SceneReading.Core?) -> Bool {
        guard let believed, let read, believed.phase != .background, read.phase != .background else {
            return false
        }
        return believed.hasNames(of: read)
    }
}
