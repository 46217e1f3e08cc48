/// Finds the titles to tell: those that have held still, or one a second of a scene whose title never does.
///
/// It knows scenes by their indices in the table. Moments are nanoseconds since any fixed one.
struct TitleSettler: Sendable {
    private struct Reported: Sendable {
        /// nil after a line about the phase has shown another title: then the next one is reported in any case.
        var title: String??
        /// When it was reported in a line of its own, if it was.
        var time: Int64?
    }

    /// A title that has changed and has not held still since. It may be back at what was reported: one that blinks is there half
    /// of the time.
    private struct Sign: Sendable {
        var title: String?
        let first: Int64
        var last: Int64

        /// The moment from which it is at rest.
        var rest: Int64 { last + TitleSettler.stillness }
    }

    /// How long a title must hold still to be reported.
    private static let stillness: Int64 = 250_000_000
    /// When one that does not hold still is reported all the same, from its first sign; no scene's is reported twice within it.
    private static let interval: Int64 = 1_000_000_000

    private var reported: [Int32: Reported] = [:]
    private var signs: [Int32: Sign] = [:]

    /// Takes the titles of all scenes that are reported as reported.
    init(_ table: SceneTable) {
        for scene in table.indices where table[scene].reported.phase != nil {
            if let title = table.texts[Int(scene)].title { markReported(scene, title) }
        }
    }

    /// Finds the titles that have settled. That with which a window opens is part of its first line; those that change with a
    /// phase are reported all the same, since whoever reads titles need not read the phases of scenes.
    mutating func lines(after deltas: [Delta], _ table: SceneTable, at now: Int64) -> [Delta] {
        for delta in deltas where delta.level == .scene {
            let title = table.texts[Int(delta.subject)].title
            if delta.to == nil {
                forget(delta.subject)
            } else if delta.from == nil {
                markReported(delta.subject, title)
            } else {
                noteShown(delta.subject, title)
            }
        }
        for scene in table.refreshed { noteShown(scene, table.texts[Int(scene)].title) }
        for scene in table.retitled { compare(scene, table.texts[Int(scene)].title, at: now) }
        // By window as all lines are: an index depends on what there was before.
        return takeDue(at: now).sorted { table[$0].window < table[$1].window }.map { scene in
            let phase = table[scene].reportedPhase
            return Delta(
                level: .scene, kind: .title, from: phase, to: phase, cause: .title, subject: scene,
                nanoseconds: now - table[scene].since, name: table[scene].reported.group)
        }
    }

    /// When to look again though nothing was seen.
    var next: Int64? { signs.compactMap { due($0, $1) }.min() }

    /// Takes the title that a scene has now. The first one of each is taken as reported.
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

    /// The line with which a scene came has reported the title.
    mutating func markReported(_ scene: Int32, _ title: String?) {
        reported[scene] = Reported(title: title)
        signs[scene] = nil
    }

    /// A line about something else has shown the title.
    mutating func noteShown(_ scene: Int32, _ title: String?) {
        if let known = reported[scene], known.title != title { reported[scene]?.title = .none }
    }

    mutating func forget(_ scene: Int32) {
        reported[scene] = nil
        signs[scene] = nil
    }

    /// Takes out the scenes whose titles are to be reported now.
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

    /// When the title of a sign is to be reported; nil while it is the one that was.
    private func due(_ scene: Int32, _ sign: Sign) -> Int64? {
        guard let known = reported[scene], known.title != sign.title else { return nil }
        let due = min(sign.rest, sign.first + Self.interval)
        return known.time.map { max(due, $0 + Self.interval) } ?? due
    }
}
