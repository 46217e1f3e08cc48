/// The scenes with a cover that has not lasted long enough to count. A window that is dragged across others covers each
/// for a moment.
struct Covering: Sendable {
    private var waiting: [Int32] = []
    private var wasHidden = false

    /// Records new covers, and applies those that have lasted for `delay`.
    ///
    /// - Parameter isHidden: Whether the display is hidden. The time of a cover restarts afterwards: a locker covers
    ///   every scene.
    /// - Returns: When to call again.
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
