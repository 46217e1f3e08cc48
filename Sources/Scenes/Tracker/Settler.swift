/// A difference between the reported reading of a scene and the current one.
struct Pending: Hashable, Sendable {
    var read: Reading
    let firstSign: Int64
    /// When the reading last changed.
    var changed: Int64
    /// Whether only a step between active and inactive was read since the first sign.
    var isFocusOnly: Bool
    /// Whether the change need not settle.
    var isConclusive = false
}

/// Holds back changes that are not yet stable, and determines when they are due.
///
/// It keeps the scenes whose reading differs from the reported one. Times are nanoseconds since an arbitrary fixed
/// moment.
struct Settler: Sendable {
    let delays: Delays
    /// Whether the active phase follows the focus: one window becomes active when another ceases to be.
    let couplesFocus: Bool
    /// The scenes with a pending change, in no order.
    private(set) var pending: [Int32] = []

    init(delays: Delays, couplesFocus: Bool) {
        self.delays = delays
        self.couplesFocus = couplesFocus
    }

    /// Compares the reading of a scene with the reported one.
    mutating func compare(_ scene: Int32, in table: inout SceneTable, at now: Int64) {
        let (reported, read) = (table[scene].reported, table[scene].read)
        guard reported != read else {
            if let known = table[scene].pending {
                table[scene].pending = nil
                pending.removeAll { $0 == scene }
                if !known.isFocusOnly { table[scene].restored = now }
            }
            if read.phase == nil { table[scene].restored = nil }
            return
        }
        let isRestless = table[scene].restored.map { now - $0 < delays.settle } ?? false
        let isFocusStep = reported.differsInFocusOnly(from: read) && !isRestless
        guard let known = table[scene].pending else {
            table[scene].pending = Pending(read: read, firstSign: now, changed: now, isFocusOnly: isFocusStep)
            pending.append(scene)
            return
        }
        if known.read == read { return }
        table[scene].pending?.read = read
        table[scene].pending?.changed = now
        if !isFocusStep { table[scene].pending?.isFocusOnly = false }
    }

    /// Removes changes that have settled.
    mutating func drop(_ scenes: [Int32], in table: inout SceneTable) {
        for scene in scenes {
            table[scene].pending = nil
            table[scene].restored = nil
        }
        if pending.count == scenes.count {
            pending.empty()
        } else {
            pending.removeAll { table[$0].pending == nil }
        }
    }

    mutating func dropAll(in table: inout SceneTable) {
        for scene in pending { table[scene].pending = nil }
        pending.removeAll()
        for scene in table.indices where table[scene].restored != nil { table[scene].restored = nil }
    }

    /// Returns when changes are due that only move the focus from one window to another; nil for any other changes.
    func dueAsFocusMove(_ scenes: [Int32], in table: SceneTable) -> Int64? {
        guard couplesFocus else { return nil }
        var (rises, falls) = (false, false)
        var (lastChange, firstSign) = (Int64.min, Int64.max)
        for scene in scenes {
            guard let change = table[scene].pending, change.isFocusOnly else { return nil }
            if change.read.phase == .active { rises = true } else { falls = true }
            lastChange = max(lastChange, change.changed)
            firstSign = min(firstSign, change.firstSign)
        }
        return rises && falls ? min(lastChange + delays.focusMove, firstSign + delays.latest) : nil
    }
}

/// How long a change must be stable before it is reported, in nanoseconds.
package struct Delays: Hashable, Sendable {
    /// For a focus move from one window to another.
    package var focusMove: Int64
    /// For everything else.
    package var settle: Int64
    /// When an unstable change is reported, counted from its first sign.
    package var latest: Int64
    /// Changes due within this time of the first are reported together, when the last of them is due.
    package var batch: Int64
    /// For a screen lock: launchers and window pickers grab the keyboard, too, and release it soon.
    package var lock: Int64
    /// For a scene that other windows cover; nil if covers do not count.
    package var cover: Int64?
    /// How long phases stay frozen without a window manager.
    package var withoutManager: Int64
    /// How long everything must be stable after a window manager took over.
    package var takeover: Int64

    /// Whether readings are reported immediately.
    var areNone: Bool { latest == 0 }

    /// - Parameters:
    ///   - settle: `.zero` reports every step as it is read.
    ///   - occlusion: How long a scene must be covered; nil if covers do not count.
    package init(settle: Duration = .milliseconds(100), occlusion: Duration? = nil) {
        self.settle = settle.nanoseconds
        lock = self.settle == 0 ? 0 : max(1_000_000_000, self.settle)
        cover = occlusion?.nanoseconds
        let millisecond: Int64 = 1_000_000
        focusMove = min(20 * millisecond, self.settle)
        latest = self.settle == 0 ? 0 : max(500 * millisecond, self.settle)
        batch = min(10 * millisecond, self.settle)
        withoutManager = self.settle == 0 ? 0 : 2000 * millisecond
        takeover = self.settle == 0 ? 0 : 300 * millisecond
    }
}

extension Duration {
    /// The upper limit, two hundred years: longer than any wait, and small enough that adding it to a time cannot
    /// overflow.
    private static let mostSeconds: Int64 = 200 * 366 * 86_400

    /// The duration in whole nanoseconds, from 0 to two hundred years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, min(seconds, Self.mostSeconds)) * 1_000_000_000 + max(0, attoseconds) / 1_000_000_000
    }
}
