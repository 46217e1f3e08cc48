/// The scenes that other windows cover, until that has lasted long enough to count: a window that is dragged across others
/// covers each for a moment.
struct Covering: Sendable {
    private var waiting: [Int32] = []
    private var wasHidden = false

    /// Takes in which scenes are seen differently.
    ///
    /// - Parameter isHidden: Nobody sees the display. A cover's time begins anew after that: a locker covers every scene.
    /// - Returns: When to look again.
    mutating func update(
        _ table: inout SceneTable, after delay: Int64, isHidden: Bool, at now: Int64
    ) -> Int64? {
        for scene in table.changed
        where table[scene].evaluated.isCovered && table[scene].read.hiding != .covered {
            if table[scene].coveredSince != nil { continue }
            table[scene].coveredSince = now
            waiting.append(scene)
        }
        defer { wasHidden = isHidden }
        if waiting.isEmpty { return nil }
        var next: Int64?
        waiting.removeAll { scene in
            if table[scene].evaluated.isCovered, let first = table[scene].coveredSince {
                let since = wasHidden || isHidden ? now : first
                table[scene].coveredSince = since
                if isHidden { return false }
                if now - since < delay {
                    next = min(next ?? .max, since + delay)
                    return false
                }
                table[scene].read = table[scene].evaluated.covered
                table.changed.append(scene)
            }
            table[scene].coveredSince = nil
            return true
        }
        return next
    }
}
