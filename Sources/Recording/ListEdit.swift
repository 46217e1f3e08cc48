/// An edit of a list of windows.
struct ListEdit: Codable, Equatable {
    /// The maximum length of a list: more windows than a server can have.
    private static let longest = 1_000_000

    /// The index at which windows are removed, and then others inserted.
    var at: Int
    var removed = 0
    var inserted: [UInt32] = []

    /// - Returns: The edits; nil for equal lists.
    static func edits(from old: [UInt32], to new: [UInt32]) -> [ListEdit]? {
        if old == new { return nil }
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
        let (before, after) = (old[start..<old.count - end], new[start..<new.count - end])
        // Usually, one window is raised or lowered.
        if let first = after.first, let last = after.last, before.count == after.count {
            let top = start + after.count - 1
            if before.dropFirst().elementsEqual(after.dropLast()) {
                return [ListEdit(at: start, removed: 1), ListEdit(at: top, inserted: [last])]
            }
            if before.dropLast().elementsEqual(after.dropFirst()) {
                return [ListEdit(at: top, removed: 1), ListEdit(at: start, inserted: [first])]
            }
        }
        return [ListEdit(at: start, removed: before.count, inserted: Array(after))]
    }

    func apply(to list: inout [UInt32]) throws(RecordingFault) {
        guard at >= 0, removed >= 0, at <= list.count, removed <= list.count - at,
            inserted.count <= Self.longest - list.count
        else { throw RecordingFault("a change is outside of its list, or the list is too long") }
        list.replaceSubrange(at..<at + removed, with: inserted)
    }
}
