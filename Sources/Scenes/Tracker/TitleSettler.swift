/// Finds the titles to report: titles that have been stable, or one per second if the title of a scene keeps changing.
///
/// Scenes are identified by their indices in the table. Times are nanoseconds since an arbitrary fixed moment.
struct TitleSettler: Sendable {
    private struct Reported: Sendable {
        /// The reported title; nil after a line about the phase has shown another title. Then the next title is
        /// reported in any case.
        var title: String??
        /// When the title was reported in a line of kind `title`; nil if it was not.
        var time: Int64?
    }

    /// A title that has changed and is not stable yet. It may equal the reported title: a blinking title does so half
    /// of the time.
    private struct Sign: Sendable {
        var title: String?
        let first: Int64
        var last: Int64

        /// When the title becomes stable.
        var rest: Int64 { last + TitleSettler.stillness }
    }

    /// How long a title must be stable before it is reported.
    private static let stillness: Int64 = 250_000_000
    /// When an unstable title is reported, counted from its first sign. No scene's title is reported twice within this
    /// time.
    private static let interval: Int64 = 1_000_000_000

    private var reported: [Int32: Reported] = [:]
    private var signs: [Int32: Sign] = [:]

    /// Marks the titles of all reported scenes as reported.
    init(_ table: SceneTable) {
        for scene in table.indices where table[scene].reported.phase != nil {
            if let title = table[scene].facts.title { markReported(scene, title) }
        }
    }

    /// Records the title in a line about the phase of a scene. The initial title of a window is part of its first line.
    /// A title that changes together with a phase is also reported: a reader of titles need not read the phases.
    mutating func note(_ scene: Int32, _ from: ScenePhase?, _ to: ScenePhase?, _ title: String?) {
        if to == nil {
            (reported[scene], signs[scene]) = (nil, nil)
        } else if from == nil {
            markReported(scene, title)
        } else {
            noteShown(scene, title)
        }
    }

    /// When to call again even without new facts.
    var next: Int64? { signs.compactMap { due($0, $1) }.min() }

    /// Compares the current title of a scene with the reported one. The first title of each scene counts as reported.
    mutating func compare(_ scene: Int32, _ title: String?, at now: Int64) {
        guard let known = reported[scene] else { return markReported(scene, title) }
        if let sign = signs[scene], sign.title == known.title, sign.rest <= now { signs[scene] = nil }
        if signs[scene] == nil {
            guard title != known.title else { return }
            signs[scene] = Sign(title: title, first: now, last: now)
        }
        guard signs[scene]?.title != title else { return }
        signs[scene]?.title = title
        signs[scene]?.last = now
    }

    /// Marks a title as reported by the first line of a scene.
    mutating func markReported(_ scene: Int32, _ title: String?) {
        reported[scene] = Reported(title: title)
        signs[scene] = nil
    }

    /// Records that a line of another kind has shown a title.
    mutating func noteShown(_ scene: Int32, _ title: String?) {
        if let known = reported[scene], known.title != title { reported[scene]?.title = .none }
    }

    /// Removes and returns the scenes whose titles are due.
    mutating func takeDue(at now: Int64) -> [Int32] {
        var scenes: [Int32] = []
        for (scene, sign) in signs {
            if let due = due(scene, sign) {
                guard due <= now else { continue }
                reported[scene] = Reported(title: sign.title, time: now)
                scenes.append(scene)
            } else if sign.rest > now {
                continue
            }
            signs[scene] = nil
        }
        return scenes
    }

    /// Returns when the title of a sign is due; nil if it equals the reported title.
    private func due(_ scene: Int32, _ sign: Sign) -> Int64? {
        guard let known = reported[scene], known.title != sign.title else { return nil }
        let due = min(sign.rest, sign.first + Self.interval)
        return known.time.map { max(due, $0 + Self.interval) } ?? due
    }
}
