/// How one group or application comes from what was told of it to what its scenes add up to now.
struct Aggregation {
    /// What the change is called when it was not there before.
    let kind: Change.Kind
    let aggregate: Aggregate
    /// The names of its groups, ascending.
    let groups: [String]
    /// The steps of its scenes in this direction.
    let steps: ArraySlice<Believed.Step>

    private var from: ScenePhase? { aggregate.phase }
    private var to: ScenePhase? { aggregate.counts.greatest }

    /// Adds the changes to tell if it went in this direction, none otherwise.
    func tell(isFall: Bool, at now: Duration, in changes: inout [Event]) {
        guard from != to else { return }
        let falls = to.map { to in from.map { to < $0 } ?? false } ?? true
        guard falls == isFall else { return }
        guard let from else {
            changes.append(change(kind, from: nil, to: to, held: nil))
            return
        }
        let held = now - aggregate.since
        if to != nil {
            changes.append(change(.phase, from: from, to: to, held: held))
        } else if isEnding && from != .background {
            changes.append(change(.phase, from: from, to: .background, held: held))
            changes.append(change(.closed, from: .background, to: nil, held: .zero))
        } else {
            changes.append(change(.closed, from: from, to: nil, held: held))
        }
    }

    /// An application that ends passes through the background, so that cleanup written for that runs at the
    /// end too. One whose scenes have only got another name does not end.
    private var isEnding: Bool { aggregate.name.group == nil && cause != .regroup }

    /// That of the scene that gave the phase, or that gives it now.
    private var cause: Cause {
        let decisive = steps.first {
            to == nil || isFalling ? $0.transition.from == from : $0.transition.to == to
        }
        return (decisive ?? steps.last)?.transition.cause ?? .resync
    }

    private var isFalling: Bool {
        guard let from, let to else { return false }
        return to < from
    }

    private func change(_ kind: Change.Kind, from: ScenePhase?, to: ScenePhase?, held: Duration?) -> Event {
        let members = Change.Members(
            counts: aggregate.counts,
            pids: aggregate.counts.all == 0 ? aggregate.toldPids : aggregate.pids,
            groups: groups)
        let group = aggregate.name.group
        return .change(
            Change(
                kind: kind, application: aggregate.name.application, group: group,
                subject: group == nil ? .application(members) : .group(members),
                from: from, to: to, cause: cause, held: held))
    }
}
