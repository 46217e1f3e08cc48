extension Believed {
    /// A transition, and where the aggregates are that it counts in.
    struct Step: Sendable {
        let transition: Transition
        let place: Aggregates.Place

        /// The order of telling: first what falls, then what rises; in each, application by application and
        /// group by group.
        static func isTold(_ step: Step, before other: Step) -> Bool {
            if step.transition.isFall != other.transition.isFall { return step.transition.isFall }
            return (step.place.application, step.place.group, step.transition.reading.id)
                < (other.place.application, other.place.group, other.transition.reading.id)
        }
    }

    /// Believes transitions that belong together, and adds the lines that tell of them to `events`.
    mutating func believe(
        _ transitions: [Transition], kind: Change.Kind = .opened, at now: Duration, in events: inout [Event]
    ) {
        for transition in transitions { believe(transition, at: now) }
        tellBatch(kind: kind, at: now, in: &events)
    }

    /// Believes a transition, which `tellBatch` tells.
    mutating func believe(_ transition: Transition, at now: Duration) {
        let reading = transition.to == nil ? nil : transition.reading
        guard let place = replace(transition.reading.id, with: reading, at: now) else { return }
        batch.append(Step(transition: transition, place: place))
    }

    /// Adds the lines that tell of what is believed since the last call: the scenes of a group, the group,
    /// and behind all its groups the application.
    mutating func tellBatch(kind: Change.Kind = .opened, at now: Duration, in events: inout [Event]) {
        batch.sort(by: Step.isTold)
        let rises = batch.firstIndex { !$0.transition.isFall } ?? batch.endIndex
        add(batch[..<rises], areFalls: true, kind, at: now, to: &events)
        add(batch[rises...], areFalls: false, kind, at: now, to: &events)
        for step in batch { tell(step.place, at: now) }
        batch.empty()
    }

    private func add(
        _ section: ArraySlice<Step>, areFalls: Bool, _ kind: Change.Kind, at now: Duration,
        to events: inout [Event]
    ) {
        section.forEachRun(of: \.place.application) { application, part in
            part.forEachRun(of: \.place.group) { group, steps in
                for step in steps { events.append(.change(Change(step.transition, kind: kind))) }
                add(steps, at: group, areFalls, kind, at: now, to: &events)
            }
            add(part, at: application, areFalls, kind, at: now, to: &events)
        }
    }

    private func add(
        _ steps: ArraySlice<Step>, at place: Int, _ areFalls: Bool, _ kind: Change.Kind, at now: Duration,
        to events: inout [Event]
    ) {
        guard aggregates[place].isNew else { return }
        Aggregation(
            kind: kind, aggregate: aggregates[place], groups: aggregates.groups(at: place), steps: steps
        ).tell(isFall: areFalls, at: now, in: &events)
    }
}

extension Change {
    fileprivate init(_ transition: Transition, kind: Kind) {
        let reading = transition.reading
        self.init(
            kind: transition.from == nil ? kind : transition.to == nil ? .closed : .phase,
            application: reading.application,
            group: reading.group,
            subject: .scene(
                SceneFacts(
                    id: reading.id, title: reading.title, pid: reading.pid, desktop: reading.desktop)),
            from: transition.from,
            to: transition.to,
            cause: transition.cause,
            held: transition.held
        )
    }
}

extension ArraySlice {
    /// Hands out the elements of one key after the other; those of one stand together.
    fileprivate func forEachRun(of key: (Element) -> Int, _ body: (Int, ArraySlice) -> Void) {
        var start = startIndex
        while start < endIndex {
            let value = key(self[start])
            let end = self[start...].firstIndex { key($0) != value } ?? endIndex
            body(value, self[start..<end])
            start = end
        }
    }
}
