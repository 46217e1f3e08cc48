/// Finds the titles that are to be told: those that have held still, and once a second those that never do.
///
/// It knows scenes by their indices in the table. Moments are nanoseconds since any fixed one.
struct TitleSettler: Sendable {
    /// A title that is not told yet.
    private struct Sign: Sendable {
        var title: String?
        let first: Int64
        var last: Int64

        var due: Int64 { min(last + TitleSettler.stillness, first + TitleSettler.latest) }
    }

    /// How long a title must hold still to be told.
    private static let stillness: Int64 = 250_000_000
    /// When one that does not hold still is told all the same, from its first sign.
    private static let latest: Int64 = 1_000_000_000

    private var told: [Int32: String?] = [:]
    private var signs: [Int32: Sign] = [:]

    /// When to look again though nothing was seen.
    var next: Int64? { signs.values.map(\.due).min() }

    /// Takes the title that a scene has now. The first one of each is taken as told.
    mutating func compare(_ scene: Int32, _ title: String?, at now: Int64) {
        guard let known = told[scene], known != title else { return markTold(scene, title) }
        if signs[scene] == nil { signs[scene] = Sign(title: title, first: now, last: now) }
        guard signs[scene]?.title != title else { return }
        signs[scene]?.title = title
        signs[scene]?.last = now
    }

    /// A line has told the title.
    mutating func markTold(_ scene: Int32, _ title: String?) {
        told.updateValue(title, forKey: scene)
        signs[scene] = nil
    }

    mutating func forget(_ scene: Int32) {
        told[scene] = nil
        signs[scene] = nil
    }

    /// Takes out the scenes whose titles are to be told now.
    mutating func takeDue(at now: Int64) -> [Int32] {
        let due = signs.filter { $0.value.due <= now }
        for (scene, sign) in due { markTold(scene, sign.title) }
        return due.keys.sorted()
    }
}
