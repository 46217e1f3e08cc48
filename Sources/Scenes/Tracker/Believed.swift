/// What is believed of the display: its scenes, and what they add up to.
struct Believed: Sendable {
    struct Scene: Sendable {
        var reading: SceneReading
        /// When it came into its phase.
        var since: Duration
        var place: Aggregates.Place
    }

    private(set) var scenes: [WindowID: Scene] = [:]
    private(set) var aggregates = Aggregates()
    /// What is believed and not told yet.
    var batch: [Step] = []

    var hasActiveScene: Bool { aggregates.hasActive }

    /// Takes over what has no phase: titles and their like need not settle.
    mutating func refresh(_ reading: SceneReading) {
        guard let index = scenes.index(forKey: reading.id) else { return }
        let known = scenes.values[index]
        var fresh = reading
        fresh.core = known.reading.core
        guard known.reading != fresh else { return }
        scenes.values[index].reading = fresh
        if known.reading.pid != fresh.pid {
            aggregates.refresh(known.reading, with: fresh, at: known.place)
        }
    }

    /// Replaces a scene, adds it or removes it (`reading` nil). What this adds up to is not told yet. A scene that
    /// gets other names must be removed before.
    ///
    /// - Returns: Where it is, or was; nil where there was nothing to remove.
    @discardableResult
    mutating func replace(
        _ id: WindowID, with reading: SceneReading?, at now: Duration
    ) -> Aggregates.Place? {
        guard let index = scenes.index(forKey: id) else {
            guard let reading else { return nil }
            let place = aggregates.place(of: reading)
            aggregates.replace(nil, with: reading, at: place)
            scenes[id] = Scene(reading: reading, since: now, place: place)
            return place
        }
        let known = scenes.values[index]
        guard let reading else {
            aggregates.replace(known.reading, with: nil, at: known.place)
            scenes.remove(at: index)
            return known.place
        }
        aggregates.replace(known.reading, with: reading, at: known.place)
        let isSamePhase = known.reading.phase == reading.phase
        scenes.values[index] = Scene(
            reading: reading, since: isSamePhase ? known.since : now, place: known.place)
        return known.place
    }

    /// Takes what is at a place as told.
    mutating func tell(_ place: Aggregates.Place, at now: Duration) {
        aggregates.tell(place, at: now)
    }

    /// What an application would add up to without some of its scenes; nil if none were left.
    func phase(of name: String, without gone: Set<WindowID>) -> ScenePhase? {
        let application = Aggregate.Name(application: name, group: nil)
        var counts = aggregates[application]?.counts ?? Change.Counts()
        for reading in gone.compactMap({ scenes[$0]?.reading }) where reading.application == name {
            counts.add(reading.phase, -1)
        }
        return counts.greatest
    }

    /// What was told of an application last; nil for one that is not there.
    func phase(of name: String) -> ScenePhase? {
        aggregates[Aggregate.Name(application: name, group: nil)]?.phase
    }
}
