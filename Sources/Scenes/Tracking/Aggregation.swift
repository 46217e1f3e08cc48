/// How one group or application came from what its scenes added up to before to what they do now.
struct Aggregation {
    let application: String
    /// nil for the application itself.
    let group: String?
    /// What the change is called when it was not there before.
    let kind: Change.Kind
    let from: Believed.Aggregate?
    let to: Believed.Aggregate?
    let members: Change.Members
    let oldPids: [Int32]
    /// The steps of its scenes in this direction.
    let transitions: [Transition]

    /// The changes to tell if it went in this direction, none otherwise.
    func changes(isFall: Bool, at now: Duration) -> [Change] {
        guard from?.phase != to?.phase else { return [] }
        let falls = to.map { to in from.map { to.phase < $0.phase } ?? false } ?? true
        guard falls == isFall else { return [] }
        guard let from else { return [change(kind, from: nil, to: to?.phase, held: nil)] }
        let held = now - from.since
        guard to == nil else { return [change(.phase, from: from.phase, to: to?.phase, held: held)] }
        if isEnding && from.phase != .background {
            return [
                change(.phase, from: from.phase, to: .background, held: held),
                change(.closed, from: .background, to: nil, held: .zero),
            ]
        }
        return [change(.closed, from: from.phase, to: nil, held: held)]
    }

    /// An application that ends passes through the background, so that cleanup written for that runs at the
    /// end too. One whose scenes have only got another name does not end.
    private var isEnding: Bool { group == nil && cause != .regroup }

    /// That of the scene that gave the phase, or that gives it now.
    private var cause: Cause {
        let decisive = transitions.first {
            let (mine, whole) = to == nil || isFalling ? ($0.from, from) : ($0.to, to)
            return mine?.phase == whole?.phase
        }
        return (decisive ?? transitions.last)?.cause ?? .resync
    }

    private var isFalling: Bool {
        guard let from, let to else { return false }
        return to.phase < from.phase
    }

    private func change(_ kind: Change.Kind, from: ScenePhase?, to: ScenePhase?, held: Duration?) -> Change {
        var members = members
        if members.counts.all == 0 { members.pids = oldPids }
        members.groups = Set(members.groups).union(transitions.map(\.group)).sorted()
        return Change(
            kind: kind, application: application, group: group,
            subject: group == nil ? .application(members) : .group(members),
            from: from, to: to, cause: cause, held: held)
    }
}
