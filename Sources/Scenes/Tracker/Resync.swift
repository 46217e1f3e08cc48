extension SceneTracker {
    /// Everything there is, as it is told at the start.
    package func present(at now: Duration) -> [Event] {
        tell(believed.found(cause: .start, at: now))
    }

    /// Everything there is, for a reader to whom lines were lost.
    ///
    /// - Parameter earlier: The tracker as it was when the last line reached that reader: what is gone
    /// since is told as closed.
    package func resync(since earlier: SceneTracker, at now: Duration) -> [Event] {
        var known = Believed()
        let gone = earlier.believed.scenes.values
            .filter { !(believed.scenes[$0.reading.id]?.reading.core.hasNames(of: $0.reading.core) ?? false) }
            .sorted { $0.reading.id < $1.reading.id }
        var changes: [Event] = []
        known.believe(earlier.believed.asFound(cause: .resync), kind: .initial, at: now, in: &changes)
        changes.removeAll()
        known.believe(
            gone.map {
                Transition(
                    from: $0.reading.phase, to: nil, reading: $0.reading,
                    // Under other names it lives on, so that this is the end of no program.
                    cause: believed.scenes[$0.reading.id] == nil ? .resync : .regroup, held: now - $0.since)
            }, at: now, in: &changes)
        changes.removeAll { $0.change.map(isGone) == false }
        return tell(changes + believed.found(cause: .resync, at: now))
    }

    /// Whether what a change is about is not there any longer.
    private func isGone(_ change: Change) -> Bool {
        if case .scene = change.subject { return true }
        let name = Aggregate.Name(application: change.application, group: change.group)
        return believed.aggregates[name] == nil
    }
}

extension Believed {
    /// What tells of all its scenes.
    fileprivate func found(cause: Cause, at now: Duration) -> [Event] {
        var found = Believed()
        var events: [Event] = []
        found.believe(asFound(cause: cause), kind: .initial, at: now, in: &events)
        return events
    }

    /// Its scenes as they would be found now.
    fileprivate func asFound(cause: Cause) -> [Transition] {
        scenes.values.map(\.reading).sorted { $0.id < $1.id }
            .map { Transition(from: nil, to: $0.phase, reading: $0, cause: cause, held: nil) }
    }
}
