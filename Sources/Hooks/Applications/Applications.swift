import PhaseWatch
import System

/// What is done to applications: what the votes want is compared with what is held.
struct Applications: Sendable {
    private(set) var all: [String: Application] = [:]
    /// Why the present input has ended votes for applications, unless their phases have ended.
    private var endings: [String: String] = [:]
    /// The time until which the user may be looking at a dialog about the end of the session.
    var sessionEnd = Duration.zero
    /// Applications without windows that others may share processes with.
    private var closed: Set<String> = []

    subscript(name: String) -> Application? { all[name] }

    // MARK: Inputs

    mutating func noteWindows(_ change: Change) {
        if change.kind == .closed && change.level == .application { closed.insert(change.application) }
        if change.kind == .opened { closed.remove(change.application) }
    }

    /// Adds what an earlier process has left.
    mutating func restore(_ holds: [Hold], _ job: Job) {
        all[job.application, default: Application(job.application)].restore(holds, job)
        endings[job.application] = "an earlier xphase has frozen it"
    }

    mutating func noteSign(_ names: Set<String>, _ reason: ThawReason, at now: Duration) {
        // What only shows an application does not end a freeze by hand.
        for name in names where reason != .used || all[name]?.hand == nil {
            all[name]?.rest(because: reason, at: now)
        }
    }

    /// Keeps what the user has thawed so, until its phase begins again; nil for all.
    mutating func thaw(_ names: Set<String>?) {
        for name in all.keys where names?.contains(name) ?? true {
            all[name]?.hindrances.clear(by: .phaseEnd)
            endings[name] = "the user requested it"
            // Without a hook that freezes it, no phase would end this.
            let freezing = all[name]?.votes.counted.filter { $0.wantsFreeze && !$0.isByHand }
            if freezing?.isEmpty == false { all[name]?.hindrances.add(Hindrance(.thawedByUser)) }
        }
    }

    /// Begins the end: what is asked is not needed any longer, and what could not be undone is undone again.
    mutating func hurry() {
        for name in all.keys {
            // The display, which is asked, may not answer any longer.
            if case .asking = all[name]?.step { all[name]?.step = .settled }
            if let retry = all[name]?.step.retry { all[name]?.step = .retrying(retry.now) }
            all[name]?.held.standing.hurry()
        }
    }

    // MARK: Votes

    /// Sets why the present input ends these votes.
    mutating func explainEnd(of votes: [Job], because reason: String) {
        for job in votes { endings[job.application] = reason }
    }

    /// Begins a freeze by hand, in the place of a former one. One that froze the application goes on for the new time.
    mutating func begin(_ hand: HandFreeze, _ out: inout Output) {
        let name = hand.job.application
        if let former = all[name]?.hand, case .frozen = former.progress, former.job == hand.job {
            all[name]?.hand?.progress = .frozen(until: hand.time.map { out.moment.sinceBoot + $0 })
            out.request(.byHand(name, .frozen))
        } else {
            all[name, default: Application(name)].begin(hand)
        }
    }

    /// Begins an input: ends the freezes by hand that it ends, or whose time has come. What was activated rests.
    mutating func endHands(by input: HookInput, _ out: inout Output) {
        endings = [:]
        for (name, it) in all.sorted(by: { $0.key < $1.key }) {
            guard let reason = it.hand?.end(by: input, at: out.moment.sinceBoot) else { continue }
            if case .changes = input, reason == ThawReason.used.words {
                all[name]?.rest(because: .used, at: out.now)
            }
            if let hand = it.hand, hand.progress == .postponed {
                out.report(.excepted(because: reason), of: hand.job)
            }
            endHand(name, because: reason, &out)
        }
    }

    /// Reports what has become of the freezes by hand, and ends those that failed. A program that the application has just
    /// started postpones one, as it does for hooks.
    ///
    /// - Returns: Whether any has ended.
    mutating func reportHands(_ failure: String?, _ out: inout Output) -> Bool {
        var hasEnded = false
        for (name, it) in all.sorted(by: { $0.key < $1.key }) {
            guard let hand = it.hand else { continue }
            if case .frozen = hand.progress { continue }
            let hindrance = hindrance(of: hand.job, at: out.now)
            if failure == nil, let hindrance, hindrance.isNewcomer {
                if hand.progress == .requested {
                    let limit = Hindrances.longestPostponement
                    out.request(.byHand(name, .postponed(because: hindrance.words, atMost: limit)))
                }
                all[name]?.hand?.progress = .postponed
            } else if let failure = failure ?? hindrance?.refusal {
                // Exceptions and refusals are reported where they are found.
                if hand.progress == .postponed, hindrance?.has(.thawed) == true {
                    out.report(.excepted(because: failure), of: hand.job)
                }
                endHand(name, because: failure, &out)
                hasEnded = true
            } else if it.held.standing.isFrozen && it.held.standing.retry == nil {
                all[name]?.hand?.progress = .frozen(until: hand.time.map { out.moment.sinceBoot + $0 })
                out.request(.byHand(name, .frozen))
            }
        }
        return hasEnded
    }

    /// Ends a freeze by hand, and reports it to a user who waits for an answer.
    private mutating func endHand(_ name: String, because reason: String, _ out: inout Output) {
        if all[name]?.hand?.progress == .requested { out.request(.byHand(name, .failed(because: reason))) }
        all[name]?.hand = nil
        endings[name] = reason
    }

    // MARK: Who is frozen together

    /// The applications that may be frozen now: hooks want it, nothing prevents it, and the same is true of all that share
    /// their processes.
    private func freezable(at now: Duration) -> Set<String> {
        if sessionEnd > now { return [] }
        return Set(all.keys.filter { sharing(with: $0).allSatisfy { mayFreeze($0, at: now) } })
    }

    /// Returns whether hooks want to freeze an application, and nothing of its own prevents that. What could not be thawed
    /// is thawed first, since it is frozen in part.
    private func mayFreeze(_ name: String, at now: Duration) -> Bool {
        guard let it = all[name] else { return false }
        return !it.held.standing.isGlance && it.held.standing.retry == nil && it.isWantedFrozen(at: now)
    }

    /// Returns the applications that share processes with an application. They are frozen together or not at all.
    private func companions(of name: String) -> Set<String> {
        let others = all.values.filter { $0.companions.contains(name) }.map(\.name)
        return (all[name]?.companions ?? []).union(others)
    }

    /// Returns a companion that must not be frozen, first one that is the reason itself; nil if all may be frozen.
    private func companion(of name: String, notIn freezable: Set<String>, at now: Duration) -> String? {
        let others = companions(of: name).subtracting(freezable)
        return others.filter { !mayFreeze($0, at: now) }.min() ?? others.min()
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
    func hindrance(of vote: Job, at now: Duration) -> Hindrance? {
        all[vote.application].flatMap { it in
            hindrances(of: it, freezable(at: now), at: now).filter { $0.prevents(vote, at: now) }.foremost
        }
    }

    /// Returns what keeps votes for an application from being followed, and what keeps all applications thawed.
    private func hindrances(of it: Application, _ freezable: Set<String>, at now: Duration) -> [Hindrance] {
        var hindrances = it.hindrances.all
        if sessionEnd > now {
            hindrances.append(Hindrance(.sessionMayEnd, until: sessionEnd))
        } else if mayFreeze(it.name, at: now), let other = companion(of: it.name, notIn: freezable, at: now) {
            hindrances.append(Hindrance(.companion(other)))
        }
        return hindrances
    }

    // MARK: The next action

    /// Counts the votes of this moment, and takes the next action for each application.
    mutating func advance(_ votes: [Job], countsHands: Bool, _ out: inout Output) {
        let hands = countsHands ? all.values.compactMap(\.hand?.job) : []
        let votes = Dictionary(grouping: votes + hands, by: \.application)
        for name in votes.keys where all[name] == nil { all[name] = Application(name) }
        let over = all.keys.sorted().filter { all[$0]?.count(votes[$0] ?? [], &out) ?? false }
        for name in all.keys.sorted() { all[name]?.advanceRest(&out) }
        advanceAll(&out)
        // Only now: what is thawed is reported with the reason for its rest, and with those that share its processes.
        for name in over { all[name]?.hindrances.clear(by: .phaseEnd) }
        // What an application without windows shares is forgotten once it has been thawed with the others.
        for name in closed where all[name]?.held.standing.isStopped != true {
            for other in all.keys { all[other]?.companions.remove(name) }
            closed.remove(name)
        }
        advanceAll(&out)
    }

    private mutating func advanceAll(_ out: inout Output) {
        let freezable = freezable(at: out.now)
        for name in all.keys.sorted() {
            guard var it = all[name] else { continue }
            advance(&it, freezable, &out)
            all[name] = it
        }
        all = all.filter { !$0.value.isForgettable }
    }

    private func advance(_ it: inout Application, _ freezable: Set<String>, _ out: inout Output) {
        guard let job = it.votes.last else { return }
        let wanted = it.wanted(isFreezable: freezable.contains(it.name), at: out.now)
        let isFrozen = wanted.builtIns.contains(.freeze)
        let freezer = it.votes.job(for: [.freeze]) ?? job
        if !isFrozen { thaw(&it, freezer, freezable, &out) }
        guard it.step.isAtRest else { return }
        let surplus = it.held.limits.filter { !wanted.builtIns.contains($0.builtIn) }
        if surplus.isEmpty { it.step = .settled }
        if let retry = it.step.retry, retry.due > out.now { return }
        if !surplus.isEmpty {
            let id = out.newRun()
            it.step = .undoing(id, surplus, it.step.retry)
            out.request(.undo(id, it.votes.job(for: surplus.builtIns) ?? job, surplus))
        } else if isFrozen && !it.held.standing.isFree && !it.held.standing.isFrozen
            && sharing(with: it.name).allSatisfy({ all[$0].map { !$0.held.standing.isFree } ?? false })
        {
            // All that share its processes have been asked, too.
            let id = out.newRun()
            it.step = .freezing(id)
            out.request(.freeze(id, freezer, it.held.standing.holds, fellows: companions(of: it.name)))
        } else if let change = it.held.change(to: wanted) {
            let id = out.newRun()
            it.step = .applying(id)
            it.held.applied = change.applied
            let limiter = it.votes.job(for: change.holds.builtIns) ?? job
            out.request(.apply(id, limiter, change.holds, change.applied))
        } else {
            ask(&it, job, wanted, freezable, &out)
        }
    }

    /// Asks for what is wanted and not held.
    private func ask(
        _ it: inout Application, _ job: Job, _ wanted: Wanted, _ fellows: Set<String>,
        _ out: inout Output
    ) {
        let missing = wanted.builtIns.subtracting(it.held.holds.builtIns)
            .subtracting(it.hindrances.idle).subtracting(it.hindrances.refused)
        if missing.isEmpty { return }
        // Not those of votes that are known to be prevented: what they forbid, another vote may permit.
        let exceptions = it.effectiveVotes(at: out.now).flatMap(\.hook.except)
        let id = out.newRun()
        it.step = .asking(id, missing)
        let others = fellows.subtracting([it.name])
        out.request(.ask(id, job, missing, Set(exceptions), fellows: others))
    }

    // MARK: Thawing

    /// How an application is thawed.
    private enum Thaw: Comparable {
        /// For a moment: what stops it stays on disk.
        case glance
        /// For a while, which is not reported.
        case quiet
        case reported
    }

    /// Returns how an application is thawed: as the last of those that are the reason, which may share its processes.
    private func thaw(of it: Application, at now: Duration) -> Thaw {
        func own(_ it: Application?) -> Thaw {
            guard let it else { return .reported }
            if it.held.standing.isGlance && it.isWantedFrozen(at: now) { return .glance }
            return it.hindrances.rest(at: now)?.has(.quiet) == true ? .quiet : .reported
        }
        guard mayFreeze(it.name, at: now) && sessionEnd <= now else { return own(it) }
        let others = sharing(with: it.name).filter { !mayFreeze($0, at: now) }
        return others.map { own(all[$0]) }.max() ?? own(it)
    }

    private func thaw(
        _ it: inout Application, _ job: Job, _ freezable: Set<String>, _ out: inout Output
    ) {
        if case .stuck(_, let retry) = it.held.standing, retry.due > out.now { return }
        var isStopped = it.held.standing.isStopped
        if case .freezing = it.step { (isStopped, it.step) = (true, .settled) }
        let thaw = thaw(of: it, at: out.now)
        let pauses = hindrances(of: it, freezable, at: out.now).filter { $0.has(.pause, at: out.now) }
        let reason = endings[it.name] ?? pauses.foremost?.words
        let isNews = thaw == .reported && it.isFreezeReported
        switch (isStopped, isNews) {
        case (true, _):
            // A thaw that succeeds after a reported failure is always reported.
            let isQuiet = !isNews && it.held.standing.retry == nil
            out.request(.thaw(job, it.held.standing.holds, because: reason, isQuiet: isQuiet))
            if isNews { out.note(.thawed(because: reason), of: job) }
        case (false, true): out.report(.thawed(because: reason), of: job)
        case (false, false): break
        }
        if isNews { it.isFreezeReported = false }
        let wasFree = it.held.standing.isFree
        if thaw == .glance { it.held.standing.lift() } else { it.held.standing.thaw() }
        if it.held.standing.isFree != wasFree { out.record.isChanged = true }
    }

    // MARK: Answers

    /// Handles the answer to a question or an action, unless something else has ended it.
    mutating func take(_ answer: HookInput, of id: RunID, _ out: inout Output) {
        guard var it = all.values.first(where: { $0.step.run == id }) else { return }
        let step = it.step
        it.step = .settled
        switch (answer, step) {
        case (.asked(_, let findings), .asking(_, let builtIns)):
            if it.take(findings, about: builtIns, &out) { hold(&it, findings, about: builtIns, &out) }
        case (.froze(_, let result), _):
            it.froze(result, &out)
            all[it.name] = it
            if case .silentServer = result { thawAll(at: out.now) }
            return
        case (.applied(_, let answer), _): it.report(answer, &out)
        case (.undone(_, let left, let answer), .undoing(_, let holds, let former)):
            it.undone(holds, left: left, after: former, answer, &out)
        default: break
        }
        all[it.name] = it
    }

    /// Has what the votes permit recorded, and reports an application that shares processes and must not be frozen.
    private mutating func hold(
        _ it: inout Application, _ findings: Findings, about builtIns: Set<BuiltIn>,
        _ out: inout Output
    ) {
        all[it.name] = it
        let freezable = freezable(at: out.now)
        let isWanted = it.effectiveVotes(at: out.now).contains(where: \.wantsFreeze)
        if isWanted, let other = companion(of: it.name, notIn: freezable, at: out.now) {
            it.withhold([.freeze], because: Hindrance(.companion(other)).words, &out)
        }
        let wanted = it.wanted(isFreezable: freezable.contains(it.name), at: out.now)
        it.hold(findings, about: builtIns, wanted.builtIns, &out)
    }

    /// Thaws all applications for a while: one that is frozen may have grabbed the X server.
    private mutating func thawAll(at now: Duration) {
        for name in frozen {
            let time = all[name]?.votes.counted.map { $0.rest(after: .silentServer) }.max()
            all[name]?.hindrances.stayAwake(
                until: now + (time ?? .zero), because: ThawReason.silentServer.words)
        }
    }

    /// - Returns: Whether any application has waited for the write.
    mutating func recorded(_ id: WriteID, _ failure: String?, _ out: inout Output) -> Bool {
        var isAwaited = false
        for name in all.keys.sorted() {
            all[name]?.held.standing.endRelease()
            guard case .recording(let own) = all[name]?.step, own <= id else { continue }
            isAwaited = true
            all[name]?.recorded(failure, &out)
        }
        return isAwaited
    }

    mutating func notThawed(_ job: Job, _ holds: [Hold], _ out: inout Output) {
        let name = job.application
        all[name, default: Application(name)].keep(holds, job, &out)
    }

    mutating func take(_ call: BusCall, for name: String) { all[name]?.take(call) }

    mutating func forget(_ call: BusCall, for name: String) { all[name]?.calls.remove(call) }

    // MARK: What others ask

    /// The applications that are frozen now, or about to be.
    var frozen: Set<String> {
        Set(all.filter { if case .freezing = $1.step { true } else { $1.held.standing.isStopped } }.keys)
    }

    /// What is held, for the undo record.
    var owed: [UndoRecordEntry] {
        all.values.filter { !$0.held.holds.isEmpty }.sorted { $0.name < $1.name }.compactMap { it in
            it.votes.last.map { UndoRecordEntry($0, holds: it.held.holds) }
        }
    }

    /// The times at which something is due, or was.
    var times: [Duration] {
        let session = all.values.contains { !$0.votes.counted.isEmpty } ? [sessionEnd] : []
        return session + all.values.flatMap(\.times)
    }
}
