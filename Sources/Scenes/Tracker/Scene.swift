/// A scene: its current reading and its last reported state.
struct Scene: Sendable {
    /// The slot of the window. Another window may have the slot by now.
    let slot: Int32
    /// The current result of the rule. It includes a cover immediately.
    var evaluated = Reading.none
    /// `evaluated`, with a cover only after the occlusion delay. `Settler` compares it with `reported`.
    var read = Reading.none
    /// The committed reading, before the session's cap is applied.
    var reported = Reading.none
    /// The phase in the last line: the phase of `reported`, or `SceneTable.cap` if that is less.
    var reportedPhase: ScenePhase?
    /// When the scene entered the reported phase.
    var since: Int64 = 0
    /// When the scene last became active or ceased to be active; 0 for never.
    var lastActive: Int64 = 0
    /// The place of its reported group in `GroupTable`; -1 before the first line.
    var place: Int32 = -1
    /// The facts that lines report.
    var facts: Change.SceneFacts
    /// The difference between `read` and `reported`.
    var pending: Pending<Reading>?
    /// Whether only a step between active and inactive was read since the first sign of the pending change.
    var isFocusOnly = false
    /// When other windows began to cover the scene; nil unless a cover is waiting to count.
    var coveredSince: Int64?
    /// When a pending change other than a focus step was reverted. A focus step soon afterwards gets no shorter delay:
    /// a window that is unmapped and mapped again may lose the focus for a moment.
    var restored: Int64?

    init(_ window: WindowID, slot: Int) {
        self.slot = Int32(slot)
        facts = Change.SceneFacts(id: window)
    }

    var window: WindowID { facts.id }
}

/// A value that differs from the reported one and has not settled.
struct Pending<Value: Hashable & Sendable>: Hashable, Sendable {
    private(set) var value: Value
    let firstSign: Int64
    /// When the value last changed.
    private(set) var changed: Int64

    /// When the value has settled.
    func due(_ delays: Delays) -> Int64 { min(changed + delays.settle, firstSign + delays.latest) }

    /// Records the current value.
    static func note(_ value: Value, in pending: inout Self?, at now: Int64) {
        if pending == nil {
            pending = Self(value: value, firstSign: now, changed: now)
        } else if pending?.value != value {
            pending?.value = value
            pending?.changed = now
        }
    }
}

/// The facts of a scene that settle.
struct SettlingFacts: Hashable, Sendable {
    var desktop: Int?
    var role: String?
    var monitor: String?
    var desktopName: String?
    var extent: Change.Extent?
}

extension Change.SceneFacts {
    var settling: SettlingFacts {
        get {
            SettlingFacts(
                desktop: desktop, role: role, monitor: monitor, desktopName: desktopName, extent: extent)
        }
        set {
            (desktop, role, monitor) = (newValue.desktop, newValue.role, newValue.monitor)
            (desktopName, extent) = (newValue.desktopName, newValue.extent)
        }
    }
}
