import Console
import PhaseWatch
import System

/// What is done to applications: what the votes want is compared with what is held.
extension HookEngine {
    /// The time after a sign of a session end during which the user may be looking at a dialog.
    static let sessionPatience = Duration.seconds(60)

    /// Counts the votes of this moment, and takes the next action for each application.
    mutating func advanceApplications() {
        let votes = Dictionary(grouping: votes, by: \.application)
        var over: [String] = []
        for name in Set(votes.keys).union(applications.keys).sorted() {
            if use(votes[name] ?? [], for: name) { over.append(name) }
        }
        for name in applications.keys {
            // The last attempt to thaw it has succeeded.
            if applications[name]?.held.standing == .free { applications[name]?.thaw = nil }
            applications[name]?.advanceRest(at: moment.now)
        }
        advanceAll()
        // Only now: what is thawed is reported with the reason for its rest, and with those that share its processes.
        for name in over { applications[name]?.clear(by: .phaseEnd) }
        // What an application without windows shares is forgotten once it has been thawed with the others.
        for name in closed where applications[name]?.held.standing.isStopped != true {
            for other in applications.keys { applications[other]?.companions.remove(name) }
            closed.remove(name)
        }
        advanceAll()
    }

    private mutating func advanceAll() {
        let freezable = freezable
        for name in applications.keys.sorted() {
            guard var it = applications[name] else { continue }
            advance(&it, freezable)
            applications[name] = it
        }
        applications = applications.filter { !$0.value.isForgettable }
    }

    // MARK: Votes

    /// Counts the votes for one application, and reports those that change nothing.
    ///
    /// - Returns: Whether the phase in which hooks freeze it is over. It rests no longer then.
    private mutating func use(_ votes: [Job], for name: String) -> Bool {
        var it = applications[name, default: Application(name)]
        let former = it.votes
        let known = Set(former.map(\.key))
        let begun = votes.filter { !known.contains($0.key) }
        let isByHand = begun.contains(where: \.isByHand)
        if isByHand { it.clear(by: .hand) }
        if !begun.isEmpty { it.clear(by: .newVote) }
        // Its freeze is reported for the new hook, too.
        if !begun.isEmpty && !it.held.standing.isStopped { it.isFreezeReported = false }
        it.use(votes)
        let (had, has) = (former.filter(\.wantsFreeze), votes.filter(\.wantsFreeze))
        // A sign has ended a freeze by hand, and lasts.
        let isPhaseOver = had.contains { !$0.isByHand } && !has.contains { !$0.isByHand }
        applications[name] = it
        let kept = Wanted(votes.filter { known.contains($0.key) })
        let inForce = it.held.inForce.intersection(kept.builtIns)
        for vote in begun where !vote.isByHand {
            // A stricter cap is reported when it takes effect.
            let words = vote.hook.builtIns.intersection(inForce).subtracting([.cap]).map(\.participle)
            if words.isEmpty { continue }
            say(vote, RunWords.done(vote, "is already \(words.sorted().joined(separator: " and "))"))
        }
        for vote in had where it.held.standing.isStopped && !has.isEmpty {
            if has.contains(where: { $0.key == vote.key }) { continue }
            let others = Set(has.map { RunWords.name($0) }).sorted().joined(separator: ", ")
            say(vote, "\(vote.trigger.occasion.path) stays frozen because of \(others)")
        }
        return isPhaseOver
    }

    /// The applications that may be frozen now: hooks want it, nothing prevents it, and the same is true of all that share
    /// their processes.
    var freezable: Set<String> {
        if sessionEnd > moment.now { return [] }
        var names = Set(applications.keys.filter(mayFreeze))
        while let name = names.first(where: { !companions(of: $0).isSubset(of: names) }) {
            names.remove(name)
        }
        return names
    }

    /// The applications that share processes with an application. They are frozen together or not at all.
    func companions(of name: String) -> Set<String> {
        let others = applications.values.filter { $0.companions.contains(name) }.map(\.name)
        return (applications[name]?.companions ?? []).union(others)
    }

    /// Returns a companion that must not be frozen, first one that is the reason itself; nil if all may be frozen.
    func companion(of name: String, notIn freezable: Set<String>) -> String? {
        let others = companions(of: name).subtracting(freezable)
        return others.filter { !mayFreeze($0) }.min() ?? others.min()
    }

    /// Returns whether hooks want to freeze an application, and nothing of its own prevents that.
    private func mayFreeze(_ name: String) -> Bool {
        guard let it = applications[name] else { return false }
        return it.hindrances.keepingThawed(at: moment.now) == nil && !it.hindrances.refused.contains(.freeze)
            && it.effectiveVotes(at: moment.now).contains(where: \.wantsFreeze)
    }

    /// Returns an application and those that share processes with it, directly or through others.
    private func sharing(with name: String) -> Set<String> {
        var (found, new): (Set<String>, Set<String>) = ([], [name])
        while !new.isEmpty {
            found.formUnion(new)
            new = Set(new.flatMap(companions)).subtracting(found)
        }
        return found
    }

    /// Returns what keeps a vote from being followed; nil if it is followed, or is about to be.
    func hindrance(of vote: Job) -> Hindrance? {
        applications[vote.application].flatMap { it in
            hindrances(of: it, freezable).filter { $0.prevents(vote, at: moment.now) }.foremost
        }
    }

    /// Returns what keeps votes for an application from being followed, and what keeps all applications thawed.
    private func hindrances(of it: Application, _ freezable: Set<String>) -> [Hindrance] {
        var hindrances = it.hindrances
        if sessionEnd > moment.now {
            hindrances.append(Hindrance(.sessionMayEnd, until: sessionEnd))
        } else if mayFreeze(it.name), let other = companion(of: it.name, notIn: freezable) {
            hindrances.append(Hindrance(.companion(other)))
        }
        return hindrances
    }

    // MARK: The next action

    private mutating func advance(_ it: inout Application, _ freezable: Set<String>) {
        guard let job = it.job else { return }
        var wanted = it.wanted(at: moment.now)
        // What could not be thawed is frozen in part.
        if !freezable.contains(it.name) || it.thaw != nil { wanted.builtIns.remove(.freeze) }
        let isFrozen = wanted.builtIns.contains(.freeze)
        let freezer = it.job(for: [.freeze]) ?? job
        if !isFrozen { thaw(&it, freezer, freezable) }
        guard it.step == .settled else { return }
        let surplus = it.held.limits.filter { !wanted.builtIns.contains($0.builtIn) }
        if !surplus.isEmpty {
            if let undo = it.undo, undo.due > moment.now { return }
            let id = newRun()
            it.step = .undoing(id, surplus)
            effects.append(.undo(id, it.job(for: surplus.builtIns) ?? job, surplus))
        } else if isFrozen && it.held.standing != .free && !it.held.standing.isFrozen
            && sharing(with: it.name).allSatisfy({
                applications[$0].map { $0.held.standing != .free } ?? false
            })
        {
            // All that share its processes have been asked, too.
            let id = newRun()
            it.step = .freezing(id)
            effects.append(.freeze(id, freezer, it.held.standing.holds, fellows: companions(of: it.name)))
        } else if let change = it.held.change(to: wanted) {
            let id = newRun()
            (it.step, it.held.applied) = (.applying(id), change.applied)
            let limiter = it.job(for: change.holds.builtIns) ?? job
            effects.append(.apply(id, limiter, change.holds, change.applied))
        } else {
            ask(&it, job, wanted, freezable)
        }
    }

    /// Asks for what is wanted and not held.
    private mutating func ask(
        _ it: inout Application, _ job: Job, _ wanted: Wanted, _ fellows: Set<String>
    ) {
        let missing = wanted.builtIns.subtracting(it.held.holds.builtIns)
            .subtracting(it.hindrances.idle).subtracting(it.hindrances.refused)
        if missing.isEmpty { return }
        // Not those of votes that are known to be prevented: what they forbid, another vote may permit.
        let exceptions = it.effectiveVotes(at: moment.now).flatMap(\.hook.except)
        let id = newRun()
        it.step = .asking(id, missing)
        let others = fellows.subtracting([it.name])
        effects.append(.ask(id, job, missing, Set(exceptions), fellows: others))
    }

    /// Thaws an application. This is reported if its freeze was, unless it rests quietly.
    private mutating func thaw(_ it: inout Application, _ job: Job, _ freezable: Set<String>) {
        if let thaw = it.thaw, it.held.standing.isStopped, thaw.due > moment.now { return }
        var isStopped = it.held.standing.isStopped
        if case .freezing = it.step { (isStopped, it.step) = (true, .settled) }
        func rest(of it: Application?) -> Hindrance? { it?.hindrances.keepingThawed(at: moment.now) }
        var rests = [rest(of: it)]
        if mayFreeze(it.name) && sessionEnd <= moment.now {
            let others = sharing(with: it.name).filter { !mayFreeze($0) }
            if !others.isEmpty { rests = others.map { rest(of: applications[$0]) } }
        }
        let isGlance = rests.allSatisfy { $0?.has(.glance) == true }
        let isTold = it.isFreezeReported && rests.contains { $0?.has(.quiet) != true }
        let pauses = hindrances(of: it, freezable).filter { $0.has(.pause, at: moment.now) }
        let reason = endings[it.name] ?? pauses.foremost?.words
        if isStopped {
            // A thaw that succeeds after a reported failure is always reported.
            let isQuiet = !isTold && it.thaw == nil
            effects.append(.thaw(job, it.held.standing.holds, because: reason, isQuiet: isQuiet))
        } else if isTold {
            say(job, RunWords.done(job, RunWords.thawed(because: reason)))
        }
        if isTold {
            it.isFreezeReported = false
            history.note(.thawed, of: job, reason ?? "its phase ended", at: moment.time)
        }
        if isGlance {
            it.held.standing.lift()
        } else if it.held.standing != .free {
            it.held.standing = .free
            isChanged = true
        }
    }
}
